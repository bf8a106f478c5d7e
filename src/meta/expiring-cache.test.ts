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
