import { expect, it } from 'vitest';
import { acceptsGzip } from './accepts-gzip.ts';

it.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  [' gzip ', true],
  ['gzip, deflate', true],
  ['deflate,gzip', true],
  ['br , gzip , zstd', true],
  ['gzip;q=1', false],
  ['gzip;q=1.0, gzip', true],
  ['GZIP', false],
  ['x-gzip', false],
  ['*', false],
  ['identity', false],
])('of %j is %s', (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});
