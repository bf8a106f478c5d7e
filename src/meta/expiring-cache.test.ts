import { expect, it } from 'vitest';
import { ExpiringCache } from './expiring-cache.ts';

it('keeps an entry until it expires, and evicts the least recently used one', () => {
  let time = 0;
  const cache = new ExpiringCache<number>({ maxSize: 2, now: () => time });
  cache.set('a', 1, 10);
  cache.set('b', 2, 20);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3, 20);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  time = 10;
  expect([cache.get('a'), cache.get('c')]).toEqual([undefined, 3]);
  cache.set('d', 4, 10);
  expect(cache.get('d')).toBeUndefined();
  expect(cache.size).toBe(1);
});

it('drops the old value when the new one has already expired', () => {
  const cache = new ExpiringCache<number>({ maxSize: 2, now: () => 5 });
  cache.set('a', 1, 10);
  cache.set('a', 2, 5);
  expect(cache.get('a')).toBeUndefined();
});

it.each<[jump: string, wall: number, monotonic: number, expected: number | undefined]>([
  ['does not jump', 1009, 9, 1],
  ['does not jump, at the end', 1010, 10, undefined],
  ['jumps back to before the entry was made', 999, 1, undefined],
  ['jumps far back', -1_000_000, 1, undefined],
  ['jumps back to when the entry was made', 1000, 5, 1],
  ['jumps back again and again, so that it never expires', 1005, 10, undefined],
  ['jumps to the end', 1010, 1, undefined],
  ['jumps far ahead', 1_000_000, 1, undefined],
  ['stands still', 1000, 10, undefined],
])('obeys two clocks: the time of day %s', (_jump, wall, monotonic, expected) => {
  const clock = { wall: 1000, monotonic: 0 };
  const cache = new ExpiringCache<number>({ maxSize: 2, now: () => clock.wall, monotonic: () => clock.monotonic });
  cache.set('a', 1, 1010);
  Object.assign(clock, { wall, monotonic });
  expect(cache.get('a')).toBe(expected);
  // Once refused, it does not come back with the time.
  clock.wall = 1001;
  if (expected === undefined) expect(cache.get('a')).toBeUndefined();
});
