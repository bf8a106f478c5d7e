import { describe, expect, it, onTestFinished } from 'vitest';
import { RecentBytes } from '../codec/recent-bytes.ts';
import type { Storage } from '../storage/index.ts';
import { CachedObjectStore } from './cached-object-store.ts';
import type { ObjectIndex, ObjectScope } from './object-scope.ts';
import type { ListOptions, ObjectEvent } from './object-store.ts';
import type { EventWindowLimits } from './watch-cache/event-window.ts';

const prefix = '/registry/things/';

/** Limits so small that nearly all past events are available from history only. */
const tiny: EventWindowLimits = { minCapacity: 2, maxCapacity: 2, span: 1000, bytes: 1_000_000 };

const value = (name: string, data = ''): Buffer => Buffer.from(JSON.stringify({ metadata: { name, uid: 'u' }, data }));
const put = (store: CachedObjectStore, name: string, data?: string) =>
  store.update(prefix + name, () => ({ action: 'put', value: value(name, data) }));
const remove = (store: CachedObjectStore, name: string) => store.update(prefix + name, () => ({ action: 'delete' }));

const byData: ObjectIndex = { name: 'data', valueOf: (object) => String(object.parse().data) };

async function names(store: CachedObjectStore, options: Partial<ListOptions> = {}): Promise<string[]> {
  const { runs } = await store.list({ prefix, limit: 0, ...options });
  return runs.flatMap(({ objects }) => objects.map(({ key }) => key.slice(prefix.length)));
}

/** The tests of a store of objects over any storage. */
export function describeObjectStore(name: string, createStorage: () => Storage): void {
  function open(limits?: EventWindowLimits): { store: CachedObjectStore; storage: Storage } {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const storage = createStorage();
    const options = { storage, prefix, encoded: new RecentBytes(1000), signal: stop.signal };
    return { store: new CachedObjectStore({ ...options, ...(limits && { limits }) }), storage };
  }

  describe(name, () => {
    describe('update', () => {
      it('does not write an unchanged object', async () => {
        const { store } = open();
        const first = await put(store, 'a', '1');
        const again = await put(store, 'a', '1');
        expect(again).toEqual({ object: first.object, changed: false });
        expect((await put(store, 'a', '2')).object!.revision).toBeGreaterThan(first.object!.revision);
      });

      it('calls decide again when another writer committed first', async () => {
        const { store, storage } = open();
        await put(store, 'a', '1');
        const seen: (number | undefined)[] = [];
        const { object } = await store.update(`${prefix}a`, async (current) => {
          seen.push(current?.revision);
          if (seen.length === 1)
            await storage.commit({ key: `${prefix}a`, expected: current!.revision, value: value('a', 'other') });
          return { action: 'put', value: value('a', 'mine') };
        });
        expect(seen).toEqual([1, 2]);
        expect(object!.revision).toBe(3);
      });

      it('loses no update of many concurrent writers', async () => {
        const { store } = open();
        await put(store, 'a', '0');
        const increment = () =>
          store.update(`${prefix}a`, (current) => ({
            action: 'put',
            value: value('a', String(Number(current!.parse().data) + 1)),
          }));
        await Promise.all(Array.from({ length: 50 }, increment));
        expect((await store.get(`${prefix}a`))!.parse().data).toBe('50');
      });

      it('changes nothing when an absent object is kept or deleted', async () => {
        const { store } = open();
        expect(await remove(store, 'a')).toEqual({ object: undefined, changed: false });
        expect(await store.update(`${prefix}a`, () => ({ action: 'keep' }))).toEqual({
          object: undefined,
          changed: false,
        });
      });

      it('returns the deleted object with the revision of the deletion', async () => {
        const { store } = open();
        await put(store, 'a', '1');
        const { object, changed } = await remove(store, 'a');
        expect(changed).toBe(true);
        expect(object!.parse()).toMatchObject({ data: '1', metadata: { resourceVersion: '2' } });
        expect(await store.get(`${prefix}a`)).toBeUndefined();
      });

      it('handles an existing object that was expected to be absent', async () => {
        const { store, storage } = open();
        await storage.commit({ key: `${prefix}a`, expected: 0, value: value('a') });
        const seen: boolean[] = [];
        const decide = (current: unknown) => {
          seen.push(current !== undefined);
          return current === undefined
            ? { action: 'put' as const, value: value('a', 'new') }
            : { action: 'keep' as const };
        };
        const { changed, object } = await store.update(`${prefix}a`, decide, { expectAbsent: true });
        expect(seen).toEqual([false, true]);
        expect(changed).toBe(false);
        expect(object!.parse().data).toBe('');
      });

      it('stores what follows a new object with it, if the storage can', async () => {
        const { store, storage } = open();
        await storage.commit({ key: `${prefix}taken`, expected: 0, value: value('taken') });
        const outcomes: string[] = [];
        const create = (name: string) =>
          store.update(
            prefix + name,
            (current) => (current ? { action: 'keep' } : { action: 'put', value: value(name, 'new') }),
            {
              expectAbsent: true,
              followUp: (created) => ({
                value: value(name, `after ${created.parse().data}`),
                settled: (outcome) => void outcomes.push(outcome),
              }),
            },
          );
        const taken = await create('taken');
        const { object } = await create('a');
        expect([taken.changed, object!.parse().data]).toEqual([false, 'new']);
        const canFollow = storage.commitTwice !== undefined;
        expect((await store.get(`${prefix}a`))!.parse().data).toBe(canFollow ? 'after new' : 'new');
        expect((await store.get(`${prefix}taken`))!.parse().data).toBe('');
        expect(outcomes).toEqual(canFollow ? ['not stored', 'stored'] : []);
      });
    });

    describe('list', () => {
      it('returns the same at a past revision from the cache and from history', async () => {
        const { store } = open();
        for (const name of ['c', 'a', 'b']) await put(store, name);
        const revision = await store.revision();
        expect(await names(store, { revision })).toEqual(['a', 'b', 'c']);
        await remove(store, 'b');
        await put(store, 'd');
        expect(await names(store, { revision })).toEqual(['a', 'b', 'c']);
        expect(await names(store)).toEqual(['a', 'c', 'd']);
      });

      it.each([false, true])('continues after the previous page (past revision: %s)', async (past) => {
        const { store } = open();
        for (const name of ['a', 'b', 'c', 'd', 'e']) await put(store, name);
        const revision = await store.revision();
        if (past) await put(store, 'f');
        const pages: string[][] = [];
        let startAfter: string | undefined;
        do {
          const page = await store.list({
            prefix,
            limit: 2,
            revision,
            ...(startAfter !== undefined && { startAfter }),
          });
          pages.push(page.runs.flatMap(({ objects }) => objects.map(({ key }) => key.slice(prefix.length))));
          startAfter = page.continueAfter;
        } while (startAfter !== undefined);
        expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
      });

      it.each([
        ['from memory', undefined],
        ['from history', tiny],
      ])('returns every past state, %s', async (_where, limits) => {
        const { store, storage } = open(limits);
        const states: string[][] = [];
        const present = new Set<string>();
        await names(store);
        for (let step = 0; step < 200; step++) {
          const name = `n${(step * 7919) % 23}`;
          const gone = step % 3 === 0 && present.has(name);
          if (gone) await remove(store, name);
          else await put(store, name, String(step));
          if (gone) present.delete(name);
          else present.add(name);
          states[await store.revision()] = [...present].sort();
        }
        await storage.compact(50);
        for (let revision = 50; revision < states.length; revision++) {
          expect(await names(store, { revision })).toEqual(states[revision]);
        }
      });

      it.each([
        ['from memory', undefined],
        ['from history', tiny],
      ])('counts the remaining objects at a past revision, %s', async (_where, limits) => {
        const { store } = open(limits);
        await names(store);
        for (const name of ['a', 'b', 'c', 'd', 'e']) await put(store, name);
        const revision = await store.revision();
        for (const name of ['a', 'c', 'e']) await remove(store, name);
        const page = await store.list({ prefix, limit: 2, revision, startAfter: `${prefix}a` });
        expect(page).toMatchObject({ revision, continueAfter: `${prefix}c`, remaining: 2 });
        expect(await store.list({ prefix, limit: 5, revision })).not.toHaveProperty('remaining');
        const some = await store.list({ prefix, limit: 1, revision, matches: ({ key }) => !key.endsWith('a') });
        expect(some).toMatchObject({ continueAfter: `${prefix}b` });
        expect(some).not.toHaveProperty('remaining');
      });

      it.each([
        ['at present', undefined],
        ['in the past', tiny],
      ])('respects its scope, %s', async (_when, limits) => {
        const { store } = open(limits);
        await names(store);
        for (const [name, data] of ['x/a=1', 'x/b=2', 'y/a=1', 'y/c=2', 'z/a=2'].map((text) => text.split('='))) {
          await put(store, name!, data);
        }
        const revision = await store.revision();
        if (limits !== undefined) for (const name of ['x/a', 'y/c', 'y/d']) await put(store, name, '3');
        const at = { revision };
        expect(await names(store, { ...at, prefix: `${prefix}x/` })).toEqual(['x/a', 'x/b']);
        expect(await names(store, { ...at, prefix: `${prefix}x/`, key: `${prefix}x/b` })).toEqual(['x/b']);
        expect(await names(store, { ...at, key: `${prefix}x/none` })).toEqual([]);
        expect(await names(store, { ...at, indexed: { index: byData, value: '2' } })).toEqual(['x/b', 'y/c', 'z/a']);
        expect(await names(store, { ...at, prefix: `${prefix}y/`, indexed: { index: byData, value: '2' } })).toEqual([
          'y/c',
        ]);
        const rest = { ...at, indexed: { index: byData, value: '2' }, startAfter: `${prefix}x/b` };
        expect(await names(store, rest)).toEqual(['y/c', 'z/a']);
        expect(await store.list({ ...rest, prefix, limit: 1 })).toMatchObject({ continueAfter: `${prefix}y/c` });
        // A continue token of another list may lie before or after the prefix.
        expect(await names(store, { ...at, prefix: `${prefix}y/`, startAfter: `${prefix}a` })).toEqual(['y/a', 'y/c']);
        expect(await names(store, { ...at, prefix: `${prefix}y/`, startAfter: `${prefix}z` })).toEqual([]);
      });

      it('updates an index on changes', async () => {
        const { store } = open();
        const having = (value: string) => names(store, { indexed: { index: byData, value } });
        await put(store, 'a', '1');
        expect(await having('1')).toEqual(['a']);
        await put(store, 'b', '1');
        await put(store, 'a', '2');
        expect(await having('1')).toEqual(['b']);
        expect(await having('2')).toEqual(['a']);
        await remove(store, 'b');
        expect(await having('1')).toEqual([]);
      });

      it('counts the remaining objects without a selector', async () => {
        const { store } = open();
        for (const name of ['a', 'b', 'c']) await put(store, name);
        expect(await store.list({ prefix, limit: 2 })).toMatchObject({ remaining: 1, continueAfter: `${prefix}b` });
        expect(await store.list({ prefix, limit: 3 })).not.toHaveProperty('continueAfter');
        const some = await store.list({ prefix, limit: 1, matches: ({ key }) => !key.endsWith('a') });
        expect(some).toMatchObject({ continueAfter: `${prefix}b` });
        expect(some).not.toHaveProperty('remaining');
      });

      it('refuses future and compacted revisions', async () => {
        const { store, storage } = open();
        for (const name of ['a', 'b']) await put(store, name);
        await expect(async () => store.list({ prefix, limit: 0, revision: 9 })).rejects.toMatchObject({
          code: 'RevisionInFuture',
        });
        await storage.compact(2);
        await expect(async () => store.list({ prefix, limit: 0, revision: 1 })).rejects.toMatchObject({
          code: 'RevisionCompacted',
        });
        expect(await names(store, { revision: 2 })).toEqual(['a', 'b']);
      });
    });

    describe('watch', () => {
      function watched(store: CachedObjectStore, after: number | undefined, scope: ObjectScope = { prefix }) {
        const events: string[] = [];
        const stop = new AbortController();
        onTestFinished(() => stop.abort());
        const onEvent = ({ type, object }: ObjectEvent) =>
          void events.push(`${type} ${object.key.slice(prefix.length)} ${object.revision}`);
        const live: ObjectEvent[] = [];
        let inBacklog = true;
        const read = async (): Promise<void> => {
          const { backlog, initialRevision } = await store.watch({
            ...scope,
            after,
            signal: stop.signal,
            onEvent: (event) => (inBacklog ? void live.push(event) : onEvent(event)),
            onError: (error) => void events.push(`ERROR ${error.message}`),
          });
          for await (const page of backlog) page.forEach(onEvent);
          if (initialRevision !== undefined) events.push(`INITIAL ${initialRevision}`);
          inBacklog = false;
          live.forEach(onEvent);
        };
        return { events, stop, established: read() };
      }

      it('delivers the current state and then the changes', async () => {
        const { store } = open();
        await put(store, 'a');
        const { events, established } = watched(store, undefined);
        await established;
        await put(store, 'b');
        await put(store, 'a', 'x');
        await remove(store, 'b');
        expect(events).toEqual(['ADDED a 1', 'INITIAL 1', 'ADDED b 2', 'MODIFIED a 3', 'DELETED b 4']);
      });

      it('delivers the events after a revision, from the window or from history', async () => {
        const { store } = open();
        // Written before the cache exists, so that only history contains it.
        await put(store, 'a');
        await put(store, 'b');
        await remove(store, 'a');
        await store.get(`${prefix}a`);
        await put(store, 'c');
        const fromHistory = watched(store, 1);
        const fromWindow = watched(store, 3);
        const fromNow = watched(store, 4);
        await Promise.all([fromHistory.established, fromWindow.established, fromNow.established]);
        await put(store, 'd');
        expect(fromHistory.events).toEqual(['ADDED b 2', 'DELETED a 3', 'ADDED c 4', 'ADDED d 5']);
        expect(fromWindow.events).toEqual(['ADDED c 4', 'ADDED d 5']);
        expect(fromNow.events).toEqual(['ADDED d 5']);
      });

      it('reads a long history page by page', async () => {
        const { store, storage } = open(tiny);
        await store.get(`${prefix}a`);
        const large = 'x'.repeat(100_000);
        for (let index = 0; index < 50; index++) await put(store, `n${index}`, large);
        let read = 0;
        const { signal } = new AbortController();
        const onEvent = () => expect.unreachable();
        const { backlog } = await store.watch({
          prefix,
          after: 0,
          signal,
          onEvent,
          onError: () => expect.unreachable(),
        });
        const sizes: number[] = [];
        for await (const page of backlog) {
          sizes.push(page.length);
          for (const { object } of page) expect(object.revision).toBe(++read);
        }
        expect(read).toBe(50);
        expect(Math.max(...sizes)).toBeLessThan(20);
        expect(await storage.latestRevision()).toBe(50);
      });

      it('ends when its history is compacted', async () => {
        const { store, storage } = open(tiny);
        await store.get(`${prefix}a`);
        for (let index = 0; index < 50; index++) await put(store, `n${index}`, 'x'.repeat(100_000));
        const { signal } = new AbortController();
        const onEvent = () => expect.unreachable();
        const { backlog } = await store.watch({
          prefix,
          after: 0,
          signal,
          onEvent,
          onError: () => expect.unreachable(),
        });
        const read = async () => {
          for await (const _page of backlog) await storage.compact(49);
        };
        await expect(read()).rejects.toMatchObject({ code: 'RevisionCompacted' });
      });

      it.each([
        ['of the window', undefined],
        ['of history', tiny],
      ])('respects its scope, for the events %s and for live events', async (_where, limits) => {
        const { store } = open(limits);
        await store.get(`${prefix}a`);
        const change = async () => {
          await put(store, 'x/a', '1');
          await put(store, 'x/a', '2');
          await put(store, 'y/a', '2');
          await put(store, 'y/a', '3');
          await remove(store, 'x/a');
        };
        await change();
        const scopes: ObjectScope[] = [
          { prefix: `${prefix}x/` },
          { prefix: `${prefix}y/`, key: `${prefix}y/a` },
          { prefix, indexed: { index: byData, value: '2' } },
          { prefix: `${prefix}y/`, indexed: { index: byData, value: '1' } },
        ];
        const watches = scopes.map((scope) => watched(store, 0, scope));
        await Promise.all(watches.map(({ established }) => established));
        await change();
        expect(watches.map(({ events }) => events)).toEqual([
          ['ADDED x/a 1', 'MODIFIED x/a 2', 'DELETED x/a 5', 'ADDED x/a 6', 'MODIFIED x/a 7', 'DELETED x/a 10'],
          ['ADDED y/a 3', 'MODIFIED y/a 4', 'MODIFIED y/a 8', 'MODIFIED y/a 9'],
          [
            ...['MODIFIED x/a 2', 'ADDED y/a 3', 'MODIFIED y/a 4', 'DELETED x/a 5'],
            ...['MODIFIED x/a 7', 'MODIFIED y/a 8', 'MODIFIED y/a 9', 'DELETED x/a 10'],
          ],
          [],
        ]);
      });

      it('reports progress only for delivered events', async () => {
        const { store } = open();
        const { signal } = new AbortController();
        const seen: number[] = [];
        const { progress } = await store.watch({
          prefix,
          after: undefined,
          signal,
          onEvent: ({ object }) => void seen.push(object.revision),
          onError: () => expect.unreachable(),
        });
        expect(progress()).toBe(0);
        await put(store, 'a');
        expect(seen).toEqual([1]);
        expect(progress()).toBe(1);
      });

      it('waits for a future revision', async () => {
        const { store } = open();
        await put(store, 'a');
        const { events, established } = watched(store, 2);
        await established;
        await put(store, 'b');
        await put(store, 'c');
        expect(events).toEqual(['ADDED c 3']);
      });

      it('delivers nothing after the abort', async () => {
        const { store } = open();
        const { events, stop, established } = watched(store, undefined);
        await established;
        stop.abort();
        await put(store, 'a');
        expect(events).toEqual(['INITIAL 0']);
      });

      it('misses no event under concurrent writes', async () => {
        const { store } = open();
        const writing = Promise.all(Array.from({ length: 200 }, (_, index) => put(store, `n${index}`)));
        const { events, established } = watched(store, undefined);
        await Promise.all([writing, established]);
        const added = events.filter((event) => event.startsWith('ADDED')).map((event) => event.split(' ')[1]);
        expect(new Set(added).size).toBe(200);
        expect(added).toHaveLength(200);
      });

      it('ends when storage fails, and the store starts a new cache', async () => {
        const { store, storage } = open();
        await put(store, 'a');
        const { events, established } = watched(store, undefined);
        await established;
        await storage.close();
        expect(events.at(-1)).toMatch(/^ERROR /);
        await expect(store.get(`${prefix}a`)).rejects.toMatchObject({ code: 'Closed' });
      });

      it('is refused from before the kept history', async () => {
        const { store, storage } = open();
        for (const name of ['a', 'b', 'c']) await put(store, name);
        await storage.compact(3);
        await expect(watched(store, 2).established).rejects.toMatchObject({ code: 'RevisionCompacted' });
        await watched(store, 3).established;
      });
    });
  });
}
