import { expect, test } from 'vitest';
import { acceptsGzip, noneMatchNames } from './conditional-request.ts';

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

test.each([
  [undefined, false],
  ['gzip', true],
  ['deflate, gzip;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip;q=0.0', false],
  ['br, identity', false],
  ['xgzip', false],
])('Accept-Encoding %s allows gzip: %s', (header, allowed) => {
  expect(acceptsGzip(header)).toBe(allowed);
});
