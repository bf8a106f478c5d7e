import { expect, it, onTestFinished } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { connectStorage, SharedStore } from '../storage/embedded/shared-store.ts';
import { CachedObjectStore } from './cached-object-store.ts';
import type { StoredObject } from './stored-object.ts';

const prefix = '/registry/things/';
const value = (name: string, data: string): Buffer =>
  Buffer.from(JSON.stringify({ metadata: { name, uid: 'u' }, data: data.padEnd(1024, '.') }));

/** The objects of one type, as several threads see them. */
async function openThreads(count: number): Promise<CachedObjectStore[]> {
  const shared = await SharedStore.open({ directory: undefined });
  const storages = await Promise.all(Array.from({ length: count }, async () => connectStorage(await shared.connect())));
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await Promise.all(storages.map((storage) => storage.close()));
    await shared.close();
  });
  return storages.map(
    (storage) => new CachedObjectStore({ storage, prefix, encoded: new RecentBytes(1000), signal: stop.signal }),
  );
}

const put = (store: CachedObjectStore, name: string, data: string) =>
  store.update(prefix + name, () => ({ action: 'put', value: value(name, data) }));

async function all(store: CachedObjectStore): Promise<StoredObject[]> {
  const { runs } = await store.list({ prefix, limit: 0 });
  return runs.flatMap(({ objects }) => objects);
}

it('the bytes of objects lie once, whichever thread has written or read them, and are moved together', async () => {
  const [writer, reader, late] = (await openThreads(3)) as [CachedObjectStore, CachedObjectStore, CachedObjectStore];
  const expected = new Map<string, string>();
  const write = async (name: string, data: string): Promise<void> => {
    expected.set(prefix + name, data);
    await put(writer, name, data);
  };
  for (let index = 0; index < 300; index++) await write(`still-${index}`, `s${index}`);
  await all(writer);
  await all(reader);
  // Between objects that change often, some stay unchanged.
  for (let round = 0; round < 600; round++) {
    await Promise.all(Array.from({ length: 12 }, (_, index) => write(`busy-${index}`, `b${round}`)));
    if (round % 10 === 0) await write(`rare-${round}`, `r${round}`);
  }
  const seen = await Promise.all([writer, reader, late].map(all));
  for (const objects of seen) {
    expect(objects.map(({ key }) => key)).toEqual([...expected.keys()].sort());
    for (const object of objects) {
      const { data, metadata } = object.parse();
      expect([String(data).replace(/\.+$/, ''), metadata.resourceVersion]).toEqual([
        expected.get(object.key),
        String(object.revision),
      ]);
    }
  }
  const slabs = seen.map((objects) => new Set(objects.map(({ slab }) => slab.memory.buffer)));
  for (const memory of slabs) for (const one of memory) expect(one).toBeInstanceOf(SharedArrayBuffer);
  // 7 MB have been written. The current objects take less than half a megabyte.
  for (const memory of slabs) expect(memory.size).toBeLessThanOrEqual(4);
});
