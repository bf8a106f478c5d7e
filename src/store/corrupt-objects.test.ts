import { describe, expect, it, onTestFinished } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { createMemoryStorage, type Storage, type StorageEvent, type StoredEntry } from '../storage/index.ts';
import { CachedObjectStore } from './cached-object-store.ts';
import type { CorruptObject } from './corrupt-object.ts';

const prefix = '/registry/secrets/';
const value = (name: string): Buffer => Buffer.from(`{"kind":"Secret","metadata":{"name":"${name}","uid":"u"}}`);

/** Simulates a backend with encryption: values that begin with a question mark cannot be decrypted. */
function encrypted(storage: Storage): Storage {
  const marked = <T extends StoredEntry | StorageEvent>(entry: T): T =>
    entry.value?.toString().startsWith('?') ? { ...entry, corrupt: 'it cannot be decrypted' } : entry;
  const event = (change: StorageEvent): StorageEvent =>
    marked({ ...change, previous: change.previous && marked(change.previous) });
  return Object.assign(Object.create(storage) as Storage, {
    latestRevision: () => storage.latestRevision(),
    compactedRevision: () => storage.compactedRevision(),
    get: async (...args: Parameters<Storage['get']>) => storage.get(...args).then((entry) => entry && marked(entry)),
    range: async (...args: Parameters<Storage['range']>) => {
      const result = await storage.range(...args);
      return { ...result, entries: result.entries.map(marked) };
    },
    commit: async (...args: Parameters<Storage['commit']>) => {
      const result = await storage.commit(...args);
      return result.committed ? result : { ...result, current: result.current && marked(result.current) };
    },
    watch: (options: Parameters<Storage['watch']>[0]) =>
      storage.watch({ ...options, onEvents: (events) => options.onEvents(events.map(event)) }),
  });
}

async function opened(names: readonly string[]) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const memory = createMemoryStorage();
  for (const name of names) {
    const bytes = name.startsWith('?') ? Buffer.from('? nobody knows') : value(name);
    await memory.commit({ key: prefix + name.replace('?', ''), expected: 0, value: bytes });
  }
  const known: string[][] = [];
  const onCorrupt = (objects: readonly CorruptObject[]) => void known.push(objects.map(({ key }) => key));
  const encoded = new RecentBytes(1_000_000);
  const storage = encrypted(memory);
  const resource = { group: '', resource: 'secrets' };
  const store = new CachedObjectStore({
    storage,
    prefix,
    resource,
    kind: 'Secret',
    encoded,
    onCorrupt,
    signal: stop.signal,
  });
  return { store, storage, memory, known, signal: stop.signal };
}

const corrupt = (...keys: string[]) =>
  expect.objectContaining({
    name: 'StatusError',
    objects: keys.map((key) => expect.objectContaining({ key: prefix + key, reason: 'it cannot be decrypted' })),
  });

describe('pages', () => {
  const names = ['a', '?b', 'c', 'd', '?e'];

  it.each([
    [1, ['a']],
    [2, []],
    [3, []],
    [0, []],
  ])('are served, for %i objects, up to the first corrupt one', async (limit, expected) => {
    const { store } = await opened(names);
    const read: string[] = [];
    let startAfter: string | undefined;
    const error = await (async () => {
      for (;;) {
        const page = await store.list({ prefix, limit, ...(startAfter !== undefined && { startAfter }) });
        for (const { objects } of page.runs) read.push(...objects.map(({ key }) => key.slice(prefix.length)));
        expect(page.remaining).toBe(names.length - read.length);
        startAfter = page.continueAfter!;
      }
    })().catch((thrown: unknown) => thrown);
    expect(read).toEqual(expected);
    expect(error).toMatchObject({ status: { code: 500, reason: 'StorageReadError' } });
  });

  it('after a corrupt object are complete', async () => {
    const { store } = await opened(names);
    const page = await store.list({ prefix, limit: 2, startAfter: `${prefix}b` });
    expect(page).toMatchObject({ continueAfter: `${prefix}d`, remaining: 1 });
  });

  it('can skip corrupt objects', async () => {
    const { store } = await opened(names);
    const { runs } = await store.list({ prefix, limit: 0, skipCorrupt: true });
    expect(runs.flatMap(({ objects }) => objects)).toHaveLength(3);
  });

  it('at past revisions are equal from memory and from history', async () => {
    const { store, memory } = await opened(names);
    await expect(store.get(`${prefix}b`)).rejects.toEqual(corrupt('b'));
    const revision = memory.latestRevision();
    expect(() => store.list({ prefix, limit: 0 })).toThrow(corrupt('b', 'e'));
    await memory.commit({ key: `${prefix}c`, expected: 3, value: undefined });
    expect(() => store.list({ prefix, limit: 0, revision })).toThrow(corrupt('b', 'e'));
    await memory.commit({ key: `${prefix}b`, expected: 2, value: undefined });
    await memory.commit({ key: `${prefix}e`, expected: 5, value: undefined });
    expect((await store.list({ prefix, limit: 0 })).runs.flatMap(({ objects }) => objects)).toHaveLength(2);
    await expect(store.list({ prefix, limit: 0, revision: revision - 1 })).rejects.toEqual(corrupt('b'));
    const before = await store.list({ prefix, limit: 1, revision: revision - 1 });
    expect(before).toMatchObject({ continueAfter: `${prefix}a` });
  });
});

describe('an update', () => {
  const fail = () => {
    throw new Error('there is nothing to decide');
  };

  it.each(['before', 'after'])('fails %s the first read', async (when) => {
    const { store, memory } = await opened(['?b']);
    if (when === 'after') await store.list({ prefix: '/registry/secrets/other/', limit: 0 });
    const revision = memory.latestRevision();
    await expect(store.update(`${prefix}b`, fail)).rejects.toEqual(corrupt('b'));
    const put = () => ({ action: 'put', value: value('b') }) as const;
    await expect(store.update(`${prefix}b`, put, { expectAbsent: true })).rejects.toEqual(corrupt('b'));
    expect(memory.latestRevision()).toBe(revision);
  });

  it('may delete a corrupt object', async () => {
    const { store, memory, known } = await opened(['a', '?b']);
    await expect(store.get(`${prefix}b`)).rejects.toEqual(corrupt('b'));
    const onCorrupt = () => ({ action: 'delete' }) as const;
    expect(await store.update(`${prefix}b`, fail, { onCorrupt })).toEqual({ object: undefined, changed: true });
    expect(await memory.get(`${prefix}b`)).toBeUndefined();
    expect(store.get(`${prefix}b`)).toBeUndefined();
    expect(known).toEqual([[`${prefix}b`], []]);
  });
});

describe('a watch', () => {
  it('ends when its object becomes corrupt or readable again', async () => {
    const { store, memory, signal } = await opened(['a', 'b']);
    const received: string[] = [];
    const watch = (key: string) =>
      store.watch({
        prefix,
        key: prefix + key,
        after: memory.latestRevision(),
        onEvent: ({ type }) => void received.push(`${key} ${type}`),
        onError: ({ message }) => void received.push(`${key} ${message.slice(0, 14)}`),
        signal,
      });
    await watch('a');
    await watch('b');
    await memory.commit({ key: `${prefix}b`, expected: 2, value: Buffer.from('?') });
    await memory.commit({ key: `${prefix}a`, expected: 1, value: value('a') });
    expect(received).toEqual(['b failed to read', 'a MODIFIED']);
    expect(() => store.get(`${prefix}b`)).toThrow(corrupt('b'));
    await watch('b');
    await memory.commit({ key: `${prefix}b`, expected: 3, value: value('b') });
    expect(received.slice(2)).toEqual(['b failed to read']);
    expect(store.get(`${prefix}b`)).toMatchObject({ revision: 5 });
  });

  it('fails at a corrupt past object only if its scope includes the object', async () => {
    const { store, memory, signal } = await opened(['a', '?b', 'c']);
    await memory.commit({ key: `${prefix}b`, expected: 2, value: undefined });
    const read = async (key?: string) => {
      const scope = { prefix, ...(key !== undefined && { key: prefix + key }) };
      const { backlog } = await store.watch({ ...scope, after: 0, onEvent() {}, onError() {}, signal });
      const events: string[] = [];
      for await (const group of backlog) events.push(...group.map(({ object }) => object.key.slice(prefix.length)));
      return events;
    };
    await expect(read()).rejects.toEqual(corrupt('b'));
    await expect(read('b')).rejects.toEqual(corrupt('b'));
    expect(await read('c')).toEqual(['c']);
  });

  it.each([true, false])('begins with the current state, with skipCorrupt %s', async (skipCorrupt) => {
    const { store, signal } = await opened(['a', '?b', 'c']);
    const watch = store.watch({ prefix, after: undefined, skipCorrupt, onEvent() {}, onError() {}, signal });
    if (!skipCorrupt) {
      await expect(watch).rejects.toEqual(corrupt('b'));
      return;
    }
    const { backlog } = await watch;
    const events: string[] = [];
    for await (const group of backlog) events.push(...group.map(({ object }) => object.key.slice(prefix.length)));
    expect(events).toEqual(['a', 'c']);
  });
});
