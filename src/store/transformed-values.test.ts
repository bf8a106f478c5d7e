import { expect, it, onTestFinished } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { createMemoryStorage, TransformedStorage } from '../storage/index.ts';
import { CachedObjectStore } from './cached-object-store.ts';

const prefix = '/registry/secrets/';
const key = `${prefix}a`;
const document = Buffer.from('{"kind":"Secret","metadata":{"name":"a","uid":"u"}}');

/**
 * Returns a store whose stored values begin with a letter. After `marker` has changed, new values begin with another
 * letter.
 */
function opened() {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const behind = createMemoryStorage();
  const state = { marker: 'a' };
  const storage = new TransformedStorage(behind, {
    toStored: (value) => Buffer.concat([Buffer.from(state.marker), value]),
    fromStored: (stored) => ({ value: stored.subarray(1), stale: stored.toString('latin1', 0, 1) !== state.marker }),
  });
  const encoded = new RecentBytes(1_000_000);
  const store = new CachedObjectStore({ storage, prefix, encoded, signal: stop.signal });
  const put = () => store.update(key, () => ({ action: 'put', value: document }));
  return { store, state, behind, put };
}

it.each(['before', 'after'])('a write that changes nothing replaces a stale value, %s the first read', async (when) => {
  const { store, state, behind, put } = opened();
  const first = await put();
  if (when === 'after') await store.get(key);
  expect(await put()).toMatchObject({ changed: false });
  expect(behind.latestRevision()).toBe(first.object!.revision);

  state.marker = 'b';
  const { object, changed } = await put();
  expect([changed, object!.revision]).toEqual([true, first.object!.revision + 1]);
  expect((await behind.get(key))!.value.toString('latin1', 0, 1)).toBe('b');
  expect(await put()).toMatchObject({ changed: false, object: { revision: object!.revision } });
});

it('a write that changes nothing of an object that another writer has changed is decided again', async () => {
  const { store, behind, put } = opened();
  await put();
  await store.get(key);
  const seen: (number | undefined)[] = [];
  const update = store.update(key, async (current) => {
    seen.push(current?.revision);
    if (seen.length > 1) return { action: 'keep' };
    const changed = document.toString().replace('"a"', '"a","labels":{}');
    await behind.commit({ key, expected: current!.revision, value: Buffer.from(`a${changed}`) });
    return { action: 'put', value: document };
  });
  expect(await update).toMatchObject({ changed: false, object: { revision: seen[0]! + 1 } });
  expect(seen).toEqual([seen[0], seen[0]! + 1]);
});

it('what becomes readable is no longer reported as corrupt', async () => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let isReadable = false;
  const storage = new TransformedStorage(createMemoryStorage(), {
    toStored: (value) => value,
    fromStored: (value) => ({ value, ...(!isReadable && { corrupt: 'there is no key' }) }),
  });
  await storage.commit({ key, expected: 0, value: document });
  const reported: number[] = [];
  const store = new CachedObjectStore({
    storage,
    prefix,
    encoded: new RecentBytes(1_000_000),
    onCorrupt: (objects) => void reported.push(objects.length),
    signal: stop.signal,
  });
  await expect(store.get(key)).rejects.toThrow('there is no key');
  isReadable = true;
  storage.endWatches([prefix], new Error('read it again'));
  expect(await store.get(key)).toMatchObject({ key });
  storage.endWatches([prefix], new Error('read it again'));
  expect(await store.get(key)).toMatchObject({ key });
  expect(reported).toEqual([1, 0]);
});
