import { expect, it } from 'vitest';
import { acceptsGzip, namesGzip } from './accepts-gzip.ts';

it.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  [' gzip ', true],
  ['gzip, deflate', true],
  ['deflate,gzip', true],
  ['br , gzip , zstd', true],
  ['gzip;q=1', true],
  ['gzip;q=1.0', true],
  ['deflate, gzip ; q=0.5', true],
  ['gzip;q=0.001', true],
  ['gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['Gzip; Q=0', false],
  ['gzip;q=0, br', false],
  ['GZIP', true],
  ['gZip;q=1', true],
  ['x-gzip', false],
  ['*', false],
  ['identity', false],
])('Accept-Encoding %j accepts gzip: %s', (header, accepted) => {
  expect(acceptsGzip(header)).toBe(accepted);
});

it.each([
  [undefined, false],
  ['', false],
  ['br , gzip , zstd', true],
  ['gzip;q=1', false],
  ['GZIP', false],
  ['x-gzip', false],
])('%j names gzip: %s', (header, named) => {
  expect(namesGzip(header)).toBe(named);
});
