import { expect, it, onTestFinished } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { createMemoryStorage, type Storage, StorageError } from '../storage/index.ts';
import { LaggingStorage } from '../storage/lagging-storage.conformance.ts';
import { describeObjectStore } from './cached-object-store.conformance.ts';
import { CachedObjectStore } from './cached-object-store.ts';
import type { Decision, ObjectEvent, ReadOptions } from './object-store.ts';

describeObjectStore(
  'over a storage that lags',
  () => new LaggingStorage(createMemoryStorage(), { delayMs: () => Math.random() * 2 }),
);

const prefix = '/registry/things/';
const key = `${prefix}a`;

const value = (data: string): Buffer => Buffer.from(JSON.stringify({ metadata: { name: 'a', uid: 'u' }, data }));

/** Two servers with one store. The watches of the second deliver nothing until `release` is called. */
async function twoServers({ reachTimeoutMs = 50 } = {}) {
  const shared = createMemoryStorage();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const server = (storage: Storage, reachTimeoutMs?: number): CachedObjectStore =>
    new CachedObjectStore({
      storage,
      prefix,
      encoded: new RecentBytes(1000),
      ...(reachTimeoutMs !== undefined && { reachTimeoutMs }),
      signal: stop.signal,
    });
  const late = new HeldStorage(shared);
  const [first, second] = [server(new LaggingStorage(shared, { delayMs: () => 0 })), server(late, reachTimeoutMs)];
  await Promise.all([first.get(key), second.get(key)]);
  return {
    first,
    second,
    release: (through?: number) => late.release(through),
    late,
    fail: () => late.fail(),
    compact: (revision: number) => shared.compact(revision),
  };
}

/** A storage whose watches deliver nothing until they are released. */
class HeldStorage extends LaggingStorage {
  #released = -1;
  #held: { readonly revision: number; readonly deliver: () => void }[] = [];
  readonly #watches: { readonly stop: AbortController; readonly onError: (error: Error) => void }[] = [];

  constructor(storage: Storage) {
    super(storage, { delayMs: () => 0 });
  }

  override watch(options: Parameters<Storage['watch']>[0]): Promise<void> {
    const inTurn = (revision: number, deliver: () => void): void => {
      this.#held.push({ revision, deliver });
      this.#deliver();
    };
    const stop = new AbortController();
    this.#watches.push({ stop, onError: options.onError });
    return super.watch({
      ...options,
      onEvents: (events) => inTurn(events.at(-1)!.revision, () => options.onEvents(events)),
      onProgress: (revision) => inTurn(revision, () => options.onProgress?.(revision)),
      signal: AbortSignal.any([options.signal, stop.signal]),
    });
  }

  /** Runs a step just before the next call of the method. */
  before(method: 'get' | 'range' | 'latestRevision', step: () => unknown): void {
    const call = this[method] as (...args: unknown[]) => Promise<unknown>;
    const once = async (...args: unknown[]) => {
      delete (this as Partial<HeldStorage>)[method];
      await step();
      return call.apply(this, args);
    };
    Object.assign(this, { [method]: once });
  }

  /** Ends all watches, as when etcd has lost their history. */
  failWatches(): void {
    this.#held = [];
    for (const { stop, onError } of this.#watches.splice(0)) {
      stop.abort();
      onError(new StorageError('RevisionCompacted', 'history is lost'));
    }
  }

  /** From now on, the storage does not respond. */
  fail(): void {
    const unavailable = () => Promise.reject(new StorageError('Unavailable', 'no answer'));
    Object.assign(this, { get: unavailable, range: unavailable, latestRevision: unavailable });
  }

  release(through = Number.POSITIVE_INFINITY): void {
    this.#released = through;
    this.#deliver();
  }

  #deliver(): void {
    while (this.#held.length > 0 && this.#held[0]!.revision <= this.#released) this.#held.shift()!.deliver();
  }
}

const write = (store: CachedObjectStore, data: string) =>
  store.update(key, () => ({ action: 'put', value: value(data) }));
const read = async (store: CachedObjectStore, options?: ReadOptions) => (await store.get(key, options))?.parse().data;
const listed = async (store: CachedObjectStore, options?: ReadOptions) => {
  const { revision, runs } = await store.list({ prefix, limit: 0, ...options });
  return { revision, data: runs.flatMap(({ objects }) => objects.map((object) => object.parse().data)) };
};

it('shows the writes of another server, from storage if the cache is late', async () => {
  const { first, second } = await twoServers();
  await write(first, '1');
  expect(await read(second)).toBe('1');
  expect(await listed(second)).toEqual({ revision: 1, data: ['1'] });
});

it('shows the writes of another server as soon as the cache has them', async () => {
  const { first, second, release } = await twoServers({ reachTimeoutMs: 60_000 });
  await write(first, '1');
  const reading = read(second);
  const listing = listed(second);
  setImmediate(release);
  expect(await reading).toBe('1');
  expect(await listing).toEqual({ revision: 1, data: ['1'] });
});

it('shows what it has to readers who take any state', async () => {
  const { first, second } = await twoServers();
  await write(first, '1');
  expect(await read(second, { atLeast: 0 })).toBeUndefined();
  expect(await listed(second, { atLeast: 0 })).toEqual({ revision: 0, data: [] });
  expect(second.reached()).toBe(0);
});

it.each<[string, (store: CachedObjectStore) => Promise<unknown>]>([
  ['an object', (store) => read(store)],
  ['an object not older than that', (store) => read(store, { atLeast: 1 })],
  ['a list', (store) => listed(store)],
  ['a watch', (store) => watching(store, undefined)],
  ['a write', (store) => write(store, '1')],
])('does not go back after %s from storage, whatever state readers take', async (_what, show) => {
  const { first, second, release } = await twoServers();
  await write(first, '1');
  await show(second);
  expect(await read(second, { atLeast: 0 })).toBe('1');
  expect((await listed(second, { atLeast: 0 })).data).toEqual(['1']);
  release();
  expect(await read(second, { atLeast: 0 })).toBe('1');
});

const remove = (store: CachedObjectStore) => store.update(key, () => ({ action: 'delete' }));

it.each<[string, (store: CachedObjectStore) => Promise<unknown>, string | undefined]>([
  ['changed', (store) => write(store, '2'), '2'],
  ['deleted', remove, undefined],
])('does not go back after an object that is %s while it is read from storage', async (_what, change, shown) => {
  const { first, second, release, late } = await twoServers();
  await write(first, '1');
  late.before('get', () => change(first));
  expect(await read(second)).toBe(shown);
  release(1);
  expect(await read(second, { atLeast: 0 })).toBe(shown);
});

it('does not go back after a refusal of the state in storage', async () => {
  const { first, second, release } = await twoServers();
  await write(first, '1');
  release(1);
  expect(await read(second)).toBe('1');
  await remove(first);
  const refused = second.update(key, (current) => {
    if (current === undefined) throw new Error('not found');
    return { action: 'keep' };
  });
  await expect(refused).rejects.toThrow('not found');
  expect(await read(second, { atLeast: 0 })).toBeUndefined();
});

it('goes back for readers who take any state while storage does not answer', async () => {
  const { first, second, fail } = await twoServers();
  await write(first, '1');
  expect(await read(second)).toBe('1');
  fail();
  expect(await read(second, { atLeast: 0 })).toBeUndefined();
  expect(await listed(second, { atLeast: 0 })).toEqual({ revision: 0, data: [] });
  await expect(read(second, { atLeast: 1 })).rejects.toMatchObject({ code: 'Unavailable' });
});

it('shows what it has although the history of that state is gone', async () => {
  const { first, second, compact } = await twoServers();
  await write(first, '1');
  await compact(1);
  expect(await listed(second, { atLeast: 0 })).toEqual({ revision: 0, data: [] });
});

it('shows a write to its own next read, whatever state that takes', async () => {
  const storage = new LaggingStorage(createMemoryStorage(), { delayMs: () => 20 });
  const store = new CachedObjectStore({
    storage,
    prefix,
    encoded: new RecentBytes(1000),
    signal: new AbortController().signal,
  });
  await store.get(key);
  await write(store, '1');
  expect(await read(store, { atLeast: 0 })).toBe('1');
});

it('decides on the state in storage before it refuses', async () => {
  const { first, second } = await twoServers();
  await write(first, '1');
  const seen: unknown[] = [];
  const change = await second.update(key, (current) => {
    seen.push(current?.parse().data);
    if (current === undefined) throw new Error('not found');
    return { action: 'put', value: value('2') };
  });
  expect(seen).toEqual([undefined, '1']);
  expect(change.object!.parse().data).toBe('2');
});

it.each<[string, Decision]>([
  ['keeps an object', { action: 'keep' }],
  ['writes the bytes that it has already', { action: 'put', value: value('1') }],
])('decides on the state in storage before it %s', async (_what, decision) => {
  const { first, second, release } = await twoServers();
  await write(first, '1');
  release();
  await read(second);
  const again = await write(first, '2');
  const seen: unknown[] = [];
  await second.update(key, (current) => {
    seen.push(current?.parse().data);
    return current?.revision === again.object!.revision ? { action: 'delete' } : decision;
  });
  expect(seen.at(-1)).toBe('2');
  expect(await read(first)).toBeUndefined();
});

it('throws the refusal of the state in storage', async () => {
  const { second } = await twoServers();
  let calls = 0;
  const refuse = () => {
    calls++;
    throw new Error('not found');
  };
  await expect(second.update(key, refuse)).rejects.toThrow('not found');
  expect(calls).toBe(1);
});

async function watching(store: CachedObjectStore, after: number | undefined) {
  const events: string[] = [];
  const text = ({ type, object }: ObjectEvent): string => `${type} ${object.revision}`;
  const { backlog, initialRevision, progress } = await store.watch({
    prefix,
    after,
    onEvent: (event) => events.push(text(event)),
    onError: (error) => events.push(error.message),
    signal: new AbortController().signal,
  });
  for await (const page of backlog) events.push(...page.map(text));
  return { events, initialRevision, progress };
}

it('delivers no event at or below the version that was asked for', async () => {
  const { first, second, release } = await twoServers();
  const { object } = await write(first, '1');
  const { events, progress } = await watching(second, object!.revision);
  expect(progress()).toBeLessThanOrEqual(object!.revision);
  await write(first, '2');
  release();
  await expect.poll(() => events).toEqual(['MODIFIED 2']);
});

it('begins a watch with the state in storage, and goes on with the events after it', async () => {
  const { first, second, release } = await twoServers();
  await write(first, '1');
  const { events, initialRevision, progress } = await watching(second, undefined);
  expect(initialRevision).toBe(1);
  expect(events).toEqual(['ADDED 1']);
  expect(progress()).toBe(1);
  await write(first, '2');
  release();
  await expect.poll(() => events).toEqual(['ADDED 1', 'MODIFIED 2']);
});

/** Runs a step after the storage has responded, while the watch waits for the cache. */
const soon = (step: () => void): void => void setImmediate(() => setImmediate(step));

it.each<[string, (late: HeldStorage, step: () => void) => void, number?]>([
  ['it asks for the latest revision', (late, step) => late.before('latestRevision', step)],
  ['it waits for its cache', (late, step) => late.before('latestRevision', () => soon(step)), 60_000],
  [
    'it asks again because its cache is late',
    (late, step) => late.before('latestRevision', () => late.before('latestRevision', step)),
  ],
  ['it reads the state from storage', (late, step) => late.before('range', step)],
])('follows a new cache if the watch of storage fails while %s', async (_when, arrange, reachTimeoutMs = 50) => {
  const { first, second, release, late } = await twoServers({ reachTimeoutMs });
  await write(first, '1');
  const failed = Promise.withResolvers<void>();
  arrange(late, () => {
    late.failWatches();
    failed.resolve();
  });
  const { events, initialRevision } = await watching(second, undefined);
  await failed.promise;
  expect([initialRevision, events]).toEqual([1, ['ADDED 1']]);
  await write(first, '2');
  release();
  await expect.poll(() => events).toEqual(['ADDED 1', 'MODIFIED 2']);
});

it('follows a new cache if a watch starts again at once when it fails', async () => {
  const { first, second, release, late } = await twoServers();
  const again = Promise.withResolvers<Awaited<ReturnType<typeof watching>>>();
  await second.watch({
    prefix,
    after: 0,
    onEvent: () => {},
    onError: () => again.resolve(watching(second, 0)),
    signal: new AbortController().signal,
  });
  late.failWatches();
  const { events } = await again.promise;
  await write(first, '1');
  release();
  await expect.poll(() => events).toEqual(['ADDED 1']);
});

it('begins a watch with the cache if that goes beyond the state in storage while it is read', async () => {
  const { first, second, release, late } = await twoServers();
  await write(first, '1');
  late.before('range', async () => {
    await write(first, '2');
    release();
    await expect.poll(() => second.reached()).toBe(2);
  });
  const { events, initialRevision } = await watching(second, undefined);
  expect([initialRevision, events]).toEqual([2, ['ADDED 2']]);
  await write(first, '3');
  await expect.poll(() => events).toEqual(['ADDED 2', 'MODIFIED 3']);
});

it('registers no watch that does not begin', async () => {
  const { first, second, release, late } = await twoServers();
  await write(first, '1');
  late.before('range', () => Promise.reject(new StorageError('Unavailable', 'no answer')));
  const events: unknown[] = [];
  const watch = second.watch({
    prefix,
    after: undefined,
    onEvent: (event) => events.push(event),
    onError: (error) => events.push(error),
    signal: new AbortController().signal,
  });
  await expect(watch).rejects.toMatchObject({ code: 'Unavailable' });
  expect(second.load(prefix)?.watches).toBe(0);
  release();
  await expect.poll(() => second.reached()).toBe(1);
  expect(events).toEqual([]);
});
