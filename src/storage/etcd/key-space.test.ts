import { expect, test } from 'vitest';
import { KeySpace } from './key-space.ts';

test('the prefix stands in place of the root', () => {
  const keys = new KeySpace({ root: '/registry', prefix: '/a/b' });
  expect(keys.toEtcd('/registry/pods/x')).toBe('/a/b/pods/x');
  expect(keys.fromEtcd('/a/b/pods/x')).toBe('/registry/pods/x');
  expect(() => keys.toEtcd('/other/x')).toThrow(RangeError);
  expect(['/a/b/x', '/a/b', '/a/bc/x', '/a/x'].map((key) => keys.has(key))).toEqual([true, false, false, false]);
});

const keys = new KeySpace({ root: '/registry', prefix: '/p' });
test.each([
  { start: '/registry/a', end: '/registry/b', range: ['/p/a', '/p/b'] },
  { start: '/registry/', end: '/registry0', range: ['/p/', '/p0'] },
  { start: '/', end: '0', range: ['/p/', '/p0'] },
  { start: '/registry/a', end: '/s', range: ['/p/a', '/p0'] },
  { start: '/a', end: '/b', range: ['/p/', '/p/'] },
  { start: '/s', end: '/t', range: ['/p0', '/p0'] },
  { start: '/registry/\u{ffff}', end: '/registry/\u{10000}', range: ['/p/\u{ffff}', '/p/\u{10000}'] },
])('the range from $start to $end is read only in $range', ({ start, end, range }) => {
  expect(keys.range(start, end)).toEqual({ key: range[0], end: range[1] });
});
