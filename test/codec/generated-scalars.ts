import { formatDuration } from '../../src/meta/duration.ts';
import type { ScalarKind } from '../../src/schema/model.ts';
import { alphabet, nastyKeys, nastyTexts } from './nasty-texts.ts';
import type { Random } from './random.ts';

const int32s = [0, 1, -1, 80, 2 ** 31 - 1, -(2 ** 31)];
const uint32s = [0, 1, 300, 2 ** 31, 2 ** 32 - 1];
const int64s = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n];
const minInt64 = -(2n ** 63n);
const floats = [0, 1, -1, 0.1, 1.5, -2.5, 65504, 65520, 16777217, 1e20, 2 ** 63, 1e21, 1e300, Number.MAX_VALUE];
const smallFloats = [
  2 ** -14,
  2 ** -15,
  2 ** -24,
  2 ** -25,
  -(2 ** -149),
  2 ** -150,
  1e-7,
  5e-324,
  3.4028234663852886e38,
];
const quantities = [
  '0',
  '100m',
  '1500m',
  '1000m',
  '0.5',
  '1Gi',
  '1024Ki',
  '1.5Gi',
  '1e3',
  '12E',
  '-5',
  '1n',
  '+1',
  '.5',
];
const largeQuantities = ['9223372036854775807', '9223372036854775808', '8Ei', '1e30', '123456789012345678901234567890'];
const seconds = ['0000-01-01T00:00:00', '0001-01-01T00:00:01', '1969-12-31T23:59:59', '1970-01-01T00:00:00'];
const lateSeconds = ['2024-02-29T12:30:45', '2038-01-19T03:14:08', '9999-12-31T23:59:59'];
const zones = ['Z', 'Z', '+00:00'];
const decimals = ['000000', '000001', '100000', '999999', '123456'];

/** Generates a value of each kind in its JSON form, which is not always canonical. */
export const generatedScalars: Readonly<Record<ScalarKind, (random: Random) => unknown>> = {
  string: text,
  bool: (random) => random.chance(0.5),
  int32: (random) => (random.chance(0.5) ? random.pick(int32s) : random.bits() | 0),
  int64: (random) => asParsed(int64(random)),
  uint32: (random) => (random.chance(0.5) ? random.pick(uint32s) : random.bits()),
  float64,
  bytes: (random) => random.bytes(random.below(40)).toString('base64'),
  time: (random) => `${date(random)}${random.chance(0.2) ? '.5' : ''}${random.pick(zones)}`,
  microTime: (random) => `${date(random)}.${random.pick(decimals)}${random.pick(zones)}`,
  duration: (random) => formatDuration(int64(random)),
  quantity: (random) => random.pick(random.chance(0.8) ? quantities : largeQuantities),
  intOrString: (random) => (random.chance(0.5) ? random.pick(int32s) : random.pick(['80', '50%', text(random)])),
  rawExtension: (random) => jsonObject(random, 3),
  fieldsV1: (random) => jsonObject(random, 3),
  json: (random) => jsonValue(random, 3),
};

export function generatedKey(random: Random): string {
  return random.chance(0.9) ? random.pick(nastyKeys) : text(random);
}

function text(random: Random): string {
  if (random.chance(0.8)) return random.pick(nastyTexts);
  return Array.from({ length: random.below(24) }, () => random.pick(alphabet)).join('');
}

function float64(random: Random): number {
  return random.pick(random.chance(0.7) ? floats : smallFloats);
}

function int64(random: Random): bigint {
  if (random.chance(0.1)) return minInt64;
  if (random.chance(0.5)) return random.pick(int64s);
  return BigInt.asIntN(64, (BigInt(random.bits()) << 32n) | BigInt(random.bits())) >> BigInt(random.below(64));
}

/** Returns the integer as decoders do: as a number if that is exact. */
function asParsed(integer: bigint): number | bigint {
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

function date(random: Random): string {
  if (random.chance(0.6)) return random.pick(random.chance(0.5) ? seconds : lateSeconds);
  return new Date(random.bits() * 1_000).toISOString().slice(0, 19);
}

function jsonObject(random: Random, depth: number): Record<string, unknown> {
  const entries = Array.from({ length: random.below(4) }, () => [generatedKey(random), jsonValue(random, depth - 1)]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function jsonValue(random: Random, depth: number): unknown {
  switch (random.below(depth > 0 ? 8 : 6)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return float64(random);
    case 3:
      return asParsed(int64(random));
    case 6:
      return Array.from({ length: random.below(4) }, () => jsonValue(random, depth - 1));
    case 7:
      return jsonObject(random, depth);
    default:
      return text(random);
  }
}
