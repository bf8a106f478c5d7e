import { expect, it, onTestFinished } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { MetricsRegistry } from '../metrics/index.ts';
import { createMemoryStorage } from '../storage/index.ts';
import { CachedObjectStore } from './cached-object-store.ts';
import { StoreMetrics } from './store-metrics.ts';

it('counts lists from the storage, what is read for them and what is in them', async () => {
  const storage = createMemoryStorage();
  for (const name of ['a', 'b', 'c']) {
    const value = Buffer.from(JSON.stringify({ metadata: { name, uid: name } }));
    await storage.commit({ key: `/registry/things/${name}`, value, expected: 0 });
  }
  const registry = new MetricsRegistry();
  const metrics = new StoreMetrics(registry, { group: 'g', resource: 'things' });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const encoded = new RecentBytes(1_000_000);
  const prefix = '/registry/things/';
  const store = new CachedObjectStore({ storage, prefix, encoded, metrics, signal: stop.signal });
  const list = { prefix, limit: 0 };
  await store.list(list);
  // The cache does not have the states before its first read.
  await store.list({ ...list, revision: 2 });
  await store.list({ ...list, revision: 2, matches: ({ key }) => key.endsWith('a') });
  const text = await registry.render({ isOpenMetrics: false });
  const counts = Object.fromEntries(
    Array.from(text.matchAll(/^apiserver_storage_list_(\w*)total\{.*\} (\d+)$/gm), ([, name, count]) => [
      name,
      Number(count),
    ]),
  );
  expect(counts).toEqual({ '': 2, fetched_objects_: 4, returned_objects_: 3 });
});
