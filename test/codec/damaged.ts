import type { EncodingName } from '../../src/codec/media-types.ts';
import { badUtf8, fragments } from './fragments.ts';
import type { Random } from './random.ts';

interface DamageOptions {
  readonly encoding: EncodingName;
  readonly random: Random;
  /** A document whose parts may be inserted. */
  readonly other: Buffer;
}

/** Returns a damaged copy of the document. */
export function damaged(bytes: Buffer, options: DamageOptions): Buffer {
  let result = bytes;
  const { random } = options;
  for (let times = 1 + random.below(3); times > 0; times--) result = damageOnce(result, options);
  return result;
}

function damageOnce(bytes: Buffer, { encoding, random, other }: DamageOptions): Buffer {
  const isText = encoding === 'json' || encoding === 'yaml';
  // Invalid UTF-8 is rejected before anything else is checked, so most texts must stay valid UTF-8.
  const rangeOf = isText && random.chance(0.95) ? characterRange : byteRange;
  const noise = (length: number): Buffer => (isText ? printable(length, random) : random.bytes(length));
  const [start, end] = rangeOf(bytes, random);
  const put = (...pieces: Buffer[]): Buffer => Buffer.concat([bytes.subarray(0, start), ...pieces]);
  const rest = bytes.subarray(start);
  switch (random.below(10)) {
    case 0:
      return bytes.subarray(0, start);
    case 1:
      return put(Buffer.from([(rest[0] ?? 0) ^ (1 << random.below(isText ? 7 : 8))]), rest.subarray(1));
    case 2:
      return put(noise(1), bytes.subarray(end));
    case 3:
      return put(noise(1 + random.below(8)), rest);
    case 4:
      return put(bytes.subarray(end));
    case 5:
      return put(...Array.from({ length: 2 + random.below(6) }, () => bytes.subarray(start, end)), bytes.subarray(end));
    case 6:
      return put(other.subarray(...rangeOf(other, random)), rest);
    case 7:
      return isText && random.chance(0.8) ? put(rest.subarray(0, 1), rest) : put(random.pick(badUtf8), rest);
    case 8:
      return put(random.pick(fragments[encoding]), bytes.subarray(end));
    default:
      return put(random.pick(fragments[encoding]), rest);
  }
}

/**
 * Returns a random range of bytes. Short ranges are more likely, because they leave most of the document unchanged.
 * Some ranges are near the beginning.
 */
function byteRange(bytes: Buffer, random: Random): [number, number] {
  const start = random.chance(0.1) ? random.below(8) : random.below(bytes.length + 1);
  return [start, start + random.below(random.chance(0.8) ? 16 : bytes.length)];
}

/** Returns a random range that contains only whole characters. */
function characterRange(bytes: Buffer, random: Random): [number, number] {
  const [start, end] = byteRange(bytes, random);
  return [characterStart(bytes, start), characterStart(bytes, end)];
}

function characterStart(bytes: Buffer, index: number): number {
  let start = index;
  while ((bytes[start] ?? 0) >> 6 === 0b10) start++;
  return start;
}

function printable(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => 0x20 + random.below(0x5f)));
}
