import { expect, it, onTestFinished } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import { DelegatingStorage } from '../storage/delegating-storage.ts';
import { createMemoryStorage, type WatchOptions } from '../storage/index.ts';
import { CachedObjectStore } from './cached-object-store.ts';
import type { ObjectEvent } from './object-store.ts';

const prefix = '/registry/things/';

/** The storage of one of several threads: the commits of others are delivered when the latest revision is read. */
class ThreadStorage extends DelegatingStorage {
  #undelivered: (() => void)[] = [];

  override watch(options: WatchOptions): Promise<void> {
    return super.watch({
      ...options,
      onEvents: (events) => void this.#undelivered.push(() => options.onEvents(events)),
    });
  }

  override latestRevision(): number | Promise<number> {
    for (const deliver of this.#undelivered.splice(0)) deliver();
    return super.latestRevision();
  }
}

async function startStore() {
  const shared = createMemoryStorage();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const storage = new ThreadStorage(shared);
  const store = new CachedObjectStore({ storage, prefix, encoded: new RecentBytes(1000), signal: stop.signal });
  /** Writes from another thread. */
  const write = async (name: string): Promise<number> => {
    const value = Buffer.from(JSON.stringify({ metadata: { name, uid: name } }));
    const result = await shared.commit({ key: prefix + name, value, expected: 0 });
    return result.committed ? result.revision : Number.NaN;
  };
  const watch = async (after: number | undefined, received: number[]) => {
    const onEvent = ({ object }: ObjectEvent): void => void received.push(object.revision);
    const watched = await store.watch({
      prefix,
      after,
      inTurns: true,
      onEvent,
      onError: () => {},
      signal: stop.signal,
    });
    for await (const events of watched.backlog) received.push(...events.map(({ object }) => object.revision));
    return watched;
  };
  await store.list({ prefix, limit: 0 });
  return { write, watch };
}

it.each([
  ['after a revision', (revision: number) => revision],
  ['with the present state', () => undefined],
])('a watch %s has the events that were not delivered when it started, once', async (_, after) => {
  const { write, watch } = await startStore();
  const first = await write('a');
  const revisions = [await write('b'), await write('c')];
  const received: number[] = [];
  const start = after(first);
  const watched = await watch(start, received);
  watched.progress();
  expect(received).toEqual(start === undefined ? [first, ...revisions] : revisions);
  revisions.push(await write('d'));
  expect([watched.progress(), received.at(-1)]).toEqual([revisions.at(-1), revisions.at(-1)]);
});

it('progress of one of many watches does not go beyond its events', async () => {
  const { write, watch } = await startStore();
  const received: number[] = [];
  const watched = await watch(undefined, received);
  // There are enough subscribers that events are delivered in turns.
  for (let count = 0; count < 100; count += 1) await watch(undefined, []);
  const revision = await write('a');
  expect([watched.progress(), received]).toEqual([revision, [revision]]);
});
