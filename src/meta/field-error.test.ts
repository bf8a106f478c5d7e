import { expect, it } from 'vitest';
import { invalidValue } from './field-error.ts';

it.each([
  ['a "b"\n', 'Invalid value: "a \\"b\\"\\n": no'],
  [7, 'Invalid value: 7: no'],
  [undefined, 'Invalid value: null: no'],
  [{ a: '<&>\u2028' }, 'Invalid value: {"a":"\\u003c\\u0026\\u003e\\u2028"}: no'],
  [{ a: 2n ** 60n }, 'Invalid value: {"a":1152921504606846976}: no'],
  [-(2n ** 60n), 'Invalid value: -1152921504606846976: no'],
])('prints %o', (value, message) => {
  expect(invalidValue('f', value, 'no').message).toBe(message);
});

it.each([
  ['a text', 'x'.repeat(100_000), `"${'x'.repeat(65_536)}..."`],
  ['a list', ['x'.repeat(100_000)], `["${'x'.repeat(65_534)}...`],
])('shows the start of %s of 100,000 characters', (_, value, shown) => {
  expect(invalidValue('f', value, 'no').message).toBe(`Invalid value: ${shown}: no`);
});
