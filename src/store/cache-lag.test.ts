import { expect, it, onTestFinished } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { createMemoryStorage, StorageError } from '../storage/index.ts';
import { LaggingStorage } from '../storage/lagging-storage.conformance.ts';
import { CacheLag, storageOrCache } from './cache-lag.ts';
import { CacheOnDemand } from './watch-cache/cache-on-demand.ts';

const prefix = '/registry/things/';

async function lagging({ delayMs = 0, reachTimeoutMs = 60_000 } = {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const storage = new LaggingStorage(createMemoryStorage(), { delayMs: () => delayMs });
  const options = { storage, prefix, encoded: new RecentBytes(1000), reachTimeoutMs, signal: stop.signal };
  const cache = await new CacheOnDemand(options, () => new Error('corrupt')).forAll();
  const write = async (name: string) => {
    const value = Buffer.from('{"metadata":{"uid":"u"}}');
    const result = await storage.commit({ key: prefix + name, expected: 0, value });
    return result.committed ? result.revision : expect.unreachable();
  };
  return { lag: new CacheLag(options), cache, write };
}

it('is current when the cache has reached what storage has', async () => {
  const { lag, cache, write } = await lagging();
  const revision = await write('a');
  expect(await lag.isCurrent(cache, undefined)).toBe(true);
  expect(lag.reached(cache)).toBeGreaterThanOrEqual(revision);
});

it('is not current in time when watches deliver nothing', async () => {
  const { lag, cache, write } = await lagging({ delayMs: 60_000, reachTimeoutMs: 1 });
  const before = cache.reached;
  const revision = await write('a');
  expect(await lag.isCurrent(cache, revision)).toBe(false);
  // A response from storage has shown a state that the cache does not have.
  expect([lag.isCurrent(cache, before), lag.reached(cache)]).toEqual([false, before]);
});

it('is not current behind a state that was shown, until the cache has it', async () => {
  const { lag, cache, write } = await lagging();
  const shown = cache.reached + 1;
  lag.show(shown);
  lag.show(shown - 1);
  expect(lag.isCurrent(cache, 0)).toBe(false);
  expect(await write('a')).toBe(shown);
  expect(await lag.reach(cache, shown)).toBe(true);
  expect(lag.isCurrent(cache, 0)).toBe(true);
});

it.each([
  { code: 'Unavailable', atLeast: 0, result: 'cached' },
  { code: 'Unavailable', atLeast: 1000, result: 'Unavailable' },
  { code: 'Unavailable', atLeast: undefined, result: 'Unavailable' },
  { code: 'Closed', atLeast: 0, result: 'Closed' },
] as const)('answers $answer when storage fails with $code and at least $atLeast is wanted', async (given) => {
  const { cache } = await lagging();
  const stored = Promise.reject(new StorageError(given.code, 'no answer'));
  const how = { cache, atLeast: given.atLeast, cached: () => 'cached' };
  expect(await storageOrCache(stored, how).catch(({ code }) => code)).toBe(given.result);
});
