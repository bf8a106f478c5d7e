import { expect, test } from 'vitest';
import { goPrint, goType } from './go-value.ts';

test.each([
  ['x', 'x'],
  [5, '5'],
  [-0.5, '-0.5'],
  [1e20, '100000000000000000000'],
  [1e21, '1e+21'],
  [0.00001, '1e-05'],
  [true, 'true'],
  [null, '<nil>'],
  [[], '[]'],
  [['a', 1, null], '[a 1 <nil>]'],
  [{}, 'map[]'],
  [{ b: [{ c: 1 }], a: 'x' }, 'map[a:x b:[map[c:1]]]'],
])('%j prints as %s', (value, text) => {
  expect(goPrint(value)).toBe(text);
});

test.each([
  ['x', 'string'],
  [1, 'int64'],
  [1.5, 'float64'],
  [2n ** 62n, 'int64'],
  [true, 'bool'],
  [[], '[]interface {}'],
  [{}, 'map[string]interface {}'],
  [null, '<nil>'],
])('%o is a %s', (value, type) => {
  expect(goType(value)).toBe(type);
});
