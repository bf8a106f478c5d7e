import { expect, test } from 'vitest';
import { noneMatchNames } from './entity-tag.ts';

test.each([
  [undefined, false],
  ['"A"', true],
  ['W/"A"', true],
  ['"B", "A"', true],
  ['*', true],
  ['"B"', false],
  ['A', false],
])('If-None-Match %s contains "A": %s', (header, names) => {
  expect(noneMatchNames(header, '"A"')).toBe(names);
});
