import { expect, test } from 'vitest';
import { goPrint, goType } from './go-value.ts';

test.each([
  ['x', 'x'],
  [5, '5'],
  [-0.5, '-0.5'],
  [1_000_000, '1000000'],
  [1_234_567.5, '1.2345675e+06'],
  [2n ** 62n, '4611686018427387904'],
  [1e20, '1e+20'],
  [0.00001, '1e-05'],
  [true, 'true'],
  [null, '<nil>'],
  [[], '[]'],
  [['a', 1, null], '[a 1 <nil>]'],
  [{}, 'map[]'],
  [{ b: [{ c: 1 }], a: 'x' }, 'map[a:x b:[map[c:1]]]'],
])('%o prints as %s', (value, text) => {
  expect(goPrint(value)).toBe(text);
});

test.each([
  ['x', 'string'],
  [1, 'int64'],
  [1.5, 'float64'],
  [1e20, 'float64'],
  [2n ** 62n, 'int64'],
  [true, 'bool'],
  [[], '[]interface {}'],
  [{}, 'map[string]interface {}'],
  [null, '<nil>'],
])('%o is a %s', (value, type) => {
  expect(goType(value)).toBe(type);
});
