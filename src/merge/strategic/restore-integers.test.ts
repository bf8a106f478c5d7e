import { expect, test } from 'vitest';
import {
  bytes,
  field,
  float64,
  int32,
  int64,
  intOrString,
  listOf,
  mapOf,
  string,
  struct,
  uint32,
} from '../../schema/builders.ts';
import { restoreIntegers } from './restore-integers.ts';

const Base = struct('sea/v1.Base', () => ({ berth: field(1, int32) }));
const Ship = struct('sea/v1.Ship', () => ({
  name: field(1, string),
  crew: field(2, int32),
  tons: field(3, int64),
  number: field(4, uint32),
  draught: field(5, float64),
  speed: field(6, intOrString),
  decks: field(7, listOf(int32)),
  holds: field(8, mapOf(int32)),
  base: field(9, Base, { inline: true }),
  seal: field(10, bytes),
}));

test.each<[unknown, unknown]>([
  [
    { name: 'a', crew: 1, other: 2 ** 40 },
    { name: 'a', crew: 1, other: 2 ** 40 },
  ],
  [{ crew: 2 ** 31 }, { crew: -(2 ** 31) }],
  [{ crew: -(2 ** 31) - 1 }, { crew: 2 ** 31 - 1 }],
  [{ crew: 10n ** 19n }, { crew: -1 }],
  [{ crew: -(10n ** 19n) }, { crew: 0 }],
  [{ tons: 10n ** 19n }, { tons: 2n ** 63n - 1n }],
  [{ tons: 5 }, { tons: 5 }],
  [{ number: -1 }, { number: 2 ** 32 - 1 }],
  [{ decks: [2 ** 32, null] }, { decks: [0, null] }],
  [{ holds: { a: 2 ** 32 + 5 } }, { holds: { a: 5 } }],
  [{ berth: 2 ** 32 + 1 }, { berth: 1 }],
  [{ seal: [97, 256 + 98, null] }, { seal: 'YWIA' }],
  [{ seal: 'YQ==' }, { seal: 'YQ==' }],
  [
    { draught: 2 ** 40, speed: 2 ** 40, name: null },
    { draught: 2 ** 40, speed: 2 ** 40, name: null },
  ],
])('%o becomes %o', (value, expected) => {
  expect(restoreIntegers(Ship, value)).toEqual(expected);
});
