import { expect, it } from 'vitest';
import { indentJson } from '../../src/codec/json/index.ts';
import type { EncodingName } from '../../src/codec/media-types.ts';
import { DecodeError } from '../../src/meta/decode-error.ts';
import type { ResourceObject } from '../../src/meta/object.ts';
import { isLong } from '../is-long.ts';
import { cpuTime } from './cpu-time.ts';
import { damaged } from './damaged.ts';
import { canonical, decodeAs, encodeAs, encodingNames } from './encodings.ts';
import { expectSame } from './expect-same.ts';
import { generateObject } from './generated-object.ts';
import { type Kind, kinds } from './kinds.ts';
import { Random } from './random.ts';

/** The number of cases by encoding. In a long run there are at least 100,000 in total. */
const cases: Readonly<Record<EncodingName, number>> = isLong
  ? { json: 30_000, yaml: 20_000, protobuf: 35_000, cbor: 30_000 }
  : { json: 4_000, yaml: 2_500, protobuf: 5_000, cbor: 4_000 };
/** The number of cases that are derived from one document. */
const casesPerDocument = 50;
const maxDocumentLength = 2_000;
/** The limit for all cases of one document. One case takes a fraction of a millisecond. */
const maxMs = 5_000;

/** Tests damaged and truncated documents in one encoding. */
export function fuzz(encoding: EncodingName): void {
  it('is read or refused when it is damaged, and nothing else', () => {
    const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const outcomes = { read: 0, refused: 0 };
    for (let count = 0; count < cases[encoding] / casesPerDocument; count++) {
      fuzzDocument(encoding, seed + count, outcomes);
    }
    // If all outcomes were the same, there would be too little or too much damage.
    expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(cases[encoding] / 100);
  });

  it.each(['core/v1.Pod', 'apps/v1.ControllerRevision'])('is read or refused when a %s ends early', (name) => {
    const kind = kinds.get(name)!;
    const { object } = canonical(kind, generateObject(kind.schema, { seed: 1, density: 0.5 }));
    const bytes = encodeAs(encoding, kind, object);
    for (let length = 0; length < Math.min(bytes.length, maxDocumentLength); length += isLong ? 1 : 3) {
      outcomeOf(encoding, kind, bytes.subarray(0, length));
    }
  });
}

function fuzzDocument(encoding: EncodingName, seed: number, outcomes: { read: number; refused: number }): void {
  const random = new Random(seed);
  const [kind, document] = generateDocument(encoding, random);
  const [, other] = generateDocument(encoding, random);
  const start = process.cpuUsage();
  const startMs = performance.now();
  for (let count = 0; count < casesPerDocument; count++) {
    const bytes = damaged(document, { encoding, random, other });
    try {
      outcomes[outcomeOf(encoding, kind, bytes)]++;
      // Measuring the processor time takes longer than a case, so it is done only after this much time.
      if (performance.now() - startMs > maxMs) expect(cpuTime(start)).toBeLessThan(maxMs);
    } catch (cause) {
      const input = bytes.toString('base64');
      throw new Error(`seed ${seed}, case ${count}: ${kind.schema.name} in ${encoding}, base64 ${input}`, { cause });
    }
  }
}

/** Generates a document. JSON and YAML documents are formatted in different ways. */
function generateDocument(encoding: EncodingName, random: Random): [Kind, Buffer] {
  const kind = random.pick([...kinds.values()]);
  for (let density = 0.2 + random.below(5) / 10; ; density -= 0.1) {
    const { object } = canonical(kind, generateObject(kind.schema, { seed: random.bits(), density }));
    const written = encoding === 'yaml' && random.chance(0.3) ? 'json' : encoding;
    const bytes = encodeAs(written, kind, object);
    const document = written === 'json' && random.chance(0.3) ? indentJson(bytes) : bytes;
    if (document.length <= maxDocumentLength) return [kind, document];
  }
}

function outcomeOf(encoding: EncodingName, kind: Kind, bytes: Buffer): 'read' | 'refused' {
  let object: ResourceObject;
  try {
    object = decodeAs(encoding, kind, bytes).object;
  } catch (error) {
    if (error instanceof DecodeError) return 'refused';
    throw error;
  }
  if (!isJson(object)) expect.fail('the decoder made up something that is not JSON');
  // Every decoded object can be encoded in every encoding.
  const response = encodingNames[bytes.length % encodingNames.length]!;
  expectSame(withoutNulls(decodeAs(response, kind, encodeAs(response, kind, object)).object), withoutNulls(object));
  return 'read';
}

/**
 * A damaged time may be the first second of year 1, which is encoded as null. An optional null is decoded as an absent
 * value. So is an empty `versions` list in protobuf.
 */
function withoutNulls(value: object): object {
  const isNothing = (key: string, member: unknown): boolean =>
    member === null || (key === 'versions' && Array.isArray(member) && member.length === 0);
  const text = JSON.stringify(value, (key, member) => (isNothing(key, member) ? undefined : exact(member)));
  return JSON.parse(text) as object;
}

function exact(value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** Whether a value can be encoded in JSON and stays the same when it is decoded again. */
function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || Object.entries(value).every(([key, member]) => key.isWellFormed() && isJson(member));
    case 'bigint':
    case 'boolean':
      return true;
    default:
      // The value of a default that has not been set yet is undefined.
      return value === undefined;
  }
}
