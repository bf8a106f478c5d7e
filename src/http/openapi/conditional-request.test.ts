import { expect, test } from 'vitest';
import { noneMatchNames } from './conditional-request.ts';

test.each([
  [undefined, false],
  ['"A"', true],
  ['W/"A"', true],
  ['"B", "A"', true],
  ['*', true],
  ['"B"', false],
  ['A', false],
])('If-None-Match %s names "A": %s', (header, names) => {
  expect(noneMatchNames(header, '"A"')).toBe(names);
});
