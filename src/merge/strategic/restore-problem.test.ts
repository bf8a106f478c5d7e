import { expect, test } from 'vitest';
import {
  bool,
  bytes,
  field,
  float64,
  int32,
  int64,
  intOrString,
  listOf,
  mapOf,
  rawExtension,
  string,
  struct,
  time,
} from '../../schema/builders.ts';
import { restoreProblem } from './restore-problem.ts';

const Deck = struct('sea/v1.Deck', () => ({ length: field(1, int32) }));
const Ship = struct('sea/v1.Ship', () => ({
  name: field(1, string),
  afloat: field(2, bool),
  crew: field(3, int32),
  tons: field(4, int64),
  draught: field(5, float64),
  seal: field(6, bytes),
  flags: field(7, listOf(string)),
  labels: field(8, mapOf(string)),
  deck: field(9, Deck),
  built: field(10, time),
  speed: field(11, intOrString),
  cargo: field(12, rawExtension),
  base: field(
    13,
    struct('sea/v1.Base', () => ({ port: field(1, string) })),
    { inline: true },
  ),
}));

test.each<[unknown, string | undefined]>([
  [{ name: 'a', afloat: true, crew: 1, tons: 2n ** 62n, draught: 1, seal: 'YQ==' }, undefined],
  [{ name: null, flags: null, labels: null, deck: null }, undefined],
  [{ name: 5 }, 'cannot convert int64 to string'],
  [{ name: 1.5 }, 'unrecognized type: string'],
  [{ name: {} }, 'unrecognized type: string'],
  [{ afloat: 'yes' }, 'unrecognized type: bool'],
  [{ crew: '5' }, 'unrecognized type: int32'],
  [{ crew: true }, 'unrecognized type: int32'],
  [{ crew: 1.5 }, 'cannot convert float64 to int32'],
  [{ tons: [] }, 'unrecognized type: int64'],
  [{ draught: 1.5 }, undefined],
  [{ draught: 'deep' }, 'unrecognized type: float64'],
  [{ seal: 5 }, 'cannot restore slice from int64'],
  [{ flags: 'x' }, 'cannot restore slice from string'],
  [{ flags: {} }, 'cannot restore slice from map'],
  [{ flags: ['a', 1] }, 'cannot convert int64 to string'],
  [{ labels: ['a'] }, 'cannot restore map from slice'],
  [{ labels: true }, 'cannot restore map from bool'],
  [{ labels: { a: 1 } }, 'cannot convert int64 to string'],
  [{ deck: [] }, 'cannot restore struct from: slice'],
  [{ deck: 1.5 }, 'cannot restore struct from: float64'],
  [{ deck: { length: 'long' } }, 'unrecognized type: int32'],
  [{ port: 1 }, 'cannot convert int64 to string'],
  [{ deck: [], name: 5 }, 'cannot convert int64 to string'],
  [{ built: 5, speed: true, cargo: [], unknown: 1 }, undefined],
  [[], 'cannot restore struct from: slice'],
])('%o', (value, problem) => {
  expect(restoreProblem(Ship, value)).toBe(problem);
});
