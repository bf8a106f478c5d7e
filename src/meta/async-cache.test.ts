import { describe, expect, it } from 'vitest';
import { AsyncCache } from './async-cache.ts';

function started() {
  const clock = { now: 0 };
  const cache = new AsyncCache<number | undefined>({ maxSize: 2, now: () => clock.now });
  let calls = 0;
  const load = async () => ({ value: ++calls, ttlMs: 10 });
  return { cache, clock, load };
}

describe('AsyncCache', () => {
  it('returns a cached value synchronously until it expires', async () => {
    const { cache, clock, load } = started();
    expect(await cache.get('a', load)).toBe(1);
    clock.now = 9;
    expect(cache.get('a', load)).toBe(1);
    clock.now = 10;
    expect(await cache.get('a', load)).toBe(2);
  });

  it('shares one call among concurrent requests for a key', async () => {
    const { cache, load } = started();
    const pending = [cache.get('a', load), cache.get('a', load), cache.get('b', load)];
    expect(await Promise.all(pending)).toEqual([1, 1, 2]);
  });

  it('caches undefined', async () => {
    const { cache, load } = started();
    await cache.get('a', async () => ({ value: undefined, ttlMs: 10 }));
    expect(cache.get('a', load)).toBeUndefined();
  });

  it('caches neither failures nor values with a lifetime of zero', async () => {
    const { cache, load } = started();
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.get('a', async () => ({ value: 0, ttlMs: 0 }))).toBe(0);
    expect(await cache.get('a', load)).toBe(1);
  });

  it('loads again when the time of day jumps back, and when only the monotonic clock goes on', async () => {
    const clock = { wall: 100, monotonic: 0 };
    const cache = new AsyncCache<number>({ maxSize: 2, now: () => clock.wall, monotonic: () => clock.monotonic });
    let calls = 0;
    const load = async () => ({ value: ++calls, ttlMs: 10 });
    expect(await cache.get('a', load)).toBe(1);
    clock.wall = 99;
    expect(await cache.get('a', load)).toBe(2);
    clock.monotonic = 10;
    expect(await cache.get('a', load)).toBe(3);
  });
});
