import { expect, it, onTestFinished, vi } from 'vitest';
import { RecentBytes } from '../../codec/recent-bytes.ts';
import { createMemoryStorage, type Storage, type WatchOptions } from '../../storage/index.ts';
import { CacheOnDemand } from './cache-on-demand.ts';

const prefix = '/registry/things/';

async function filledWith(count: number, { failures = 0 } = {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const storage: Storage = createMemoryStorage();
  for (let index = 0; index < count; index++) {
    await storage.commit({ key: `${prefix}${index}`, expected: 0, value: Buffer.from('{"metadata":{"uid":"u"}}') });
  }
  const watches: WatchOptions[] = [];
  const watch = storage.watch.bind(storage);
  storage.watch = async (options) => {
    watches.push(options);
    await watch(options);
    if (watches.length <= failures) options.onError(new Error('storage has ended'));
  };
  const corrupt: (readonly unknown[])[] = [];
  const cache = new CacheOnDemand(
    {
      storage,
      prefix,
      encoded: new RecentBytes(1000),
      onCorrupt: (objects) => void corrupt.push(objects),
      signal: stop.signal,
    },
    () => new Error('corrupt'),
  );
  return { cache, watches, corrupt };
}

it('is filled once for all who need it at the same time', async () => {
  const { cache, watches, corrupt } = await filledWith(3);
  expect(cache.filled).toBeUndefined();
  const [one, whole, other] = await Promise.all([cache.forOne(), cache.forAll(), cache.forAll()]);
  expect(whole.size).toBe(3);
  expect(new Set([one, whole, other, cache.filled]).size).toBe(1);
  expect([watches.length, corrupt]).toEqual([1, []]);
});

it('is filled anew after a failure of storage', async () => {
  const { cache, watches } = await filledWith(3);
  const first = await cache.forAll();
  watches[0]!.onError(new Error('storage has ended'));
  expect(cache.filled).toBeUndefined();
  const second = await cache.forAll();
  expect(second).not.toBe(first);
  expect(cache.filled).toBe(second);
});

it('is filled anew if storage fails as soon as it is filled', async () => {
  const { cache, watches } = await filledWith(3, { failures: 2 });
  const whole = await cache.forAll();
  expect([whole.hasFailed, cache.filled === whole, watches.length]).toEqual([false, true, 3]);
});

it('is not there for a single object if storage fails as soon as it is filled', async () => {
  const { cache } = await filledWith(3, { failures: 1 });
  expect([await cache.forOne(), cache.filled]).toEqual([undefined, undefined]);
});

it('is not filled for a few single objects of a large type, but for all of them and for many', async () => {
  const { cache } = await filledWith(501);
  expect([await cache.forOne(), await cache.forOne(), cache.filled]).toEqual([undefined, undefined, undefined]);
  expect((await cache.forAll()).size).toBe(501);

  const { cache: another } = await filledWith(501);
  for (let reads = 0; reads < 64; reads++) expect(await another.forOne()).toBeUndefined();
  await vi.waitUntil(() => another.filled !== undefined);
});
