import { describe, expect, test } from 'vitest';
import { put, Recorder, remove, type StorageTraits, type SuiteStores } from './fixture.conformance.ts';

export function describeWatches({ emptied, large }: SuiteStores, traits: StorageTraits): void {
  describe('watch', () => {
    test('delivers creations, updates and deletions with the previous entry', async () => {
      const storage = await emptied();
      const after = await storage.latestRevision();
      const recorder = await new Recorder().watch(storage, { prefix: '/k/', after });
      const created = await put(storage, '/k/a', { text: '1' });
      const updated = await put(storage, '/k/a', { text: '2', expected: created });
      const deleted = await remove(storage, '/k/a', updated);
      await recorder.until(3);
      const first = { key: '/k/a', value: Buffer.from('1'), modRevision: created, createRevision: created };
      const second = { key: '/k/a', value: Buffer.from('2'), modRevision: updated, createRevision: created };
      expect(recorder.events).toEqual([
        { revision: created, key: '/k/a', value: first.value, createRevision: created, previous: undefined },
        { revision: updated, key: '/k/a', value: second.value, createRevision: created, previous: first },
        { revision: deleted, key: '/k/a', value: undefined, createRevision: 0, previous: second },
      ]);
    });

    test('past events equal live events', async () => {
      const storage = await emptied();
      const base = await storage.latestRevision();
      const live = await new Recorder().watch(storage, { prefix: '/k/', after: base });
      const a = await put(storage, '/k/a', { text: '1' });
      await put(storage, '/other', { text: 'o' });
      const a2 = await put(storage, '/k/a', { text: '2', expected: a });
      await remove(storage, '/k/a', a2);
      await put(storage, '/k/a', { text: '' });
      await live.until(4);
      const past = await new Recorder().watch(storage, { prefix: '/k/', after: base });
      await past.until(4);
      expect(past.events).toEqual(live.events);
      const later = await new Recorder().watch(storage, { prefix: '/k/', after: a2 });
      await later.until(2);
      expect(later.events).toEqual(live.events.slice(2));
    });

    test('delivers only keys of its prefix', async () => {
      const storage = await emptied();
      const base = await storage.latestRevision();
      const prefixes = ['/k/', '/k/a', '/l/', ''];
      const start = (): Promise<Recorder[]> =>
        Promise.all(prefixes.map((prefix) => new Recorder().watch(storage, { prefix, after: base })));
      const live = await start();
      for (const key of ['/k/a', '/k/ab', '/k/b', '/k', '/k0', '/l/a']) await put(storage, key, { text: key });
      const past = await start();
      for (const recorders of [live, past]) {
        await recorders[3]?.until(6);
        expect(recorders.map((recorder) => recorder.events.map((event) => event.key))).toEqual([
          ['/k/a', '/k/ab', '/k/b'],
          ['/k/a', '/k/ab'],
          ['/l/a'],
          ['/k/a', '/k/ab', '/k/b', '/k', '/k0', '/l/a'],
        ]);
      }
    });

    test('delivers nothing at or before `after`, even if that is in the future', async () => {
      const storage = await emptied();
      const base = await storage.latestRevision();
      await put(storage, '/k/a', { text: '1' });
      const future = await new Recorder().watch(storage, { prefix: '/k/', after: base + 3 });
      const now = await new Recorder().watch(storage, { prefix: '/k/', after: base + 1 });
      for (const key of ['b', 'c', 'd']) await put(storage, `/k/${key}`, { text: key });
      await now.until(3);
      await future.until(1);
      expect(now.eventTexts(base)).toEqual(['2 /k/b=b', '3 /k/c=c', '4 /k/d=d']);
      expect(future.eventTexts(base)).toEqual(['4 /k/d=d']);
    });

    test('delivers nothing after an abort', async () => {
      const storage = await emptied();
      const after = await storage.latestRevision();
      const recorder = await new Recorder().watch(storage, { prefix: '/', after });
      const witness = await new Recorder().watch(storage, { prefix: '/', after });
      await put(storage, '/a', { text: '1' });
      await recorder.until(1);
      const pending = put(storage, '/b', { text: '2' });
      recorder.abort();
      const had = recorder.events.length;
      await pending;
      await put(storage, '/c', { text: '3' });
      await witness.until(3);
      expect(recorder.events).toHaveLength(had);
      expect(recorder.errors).toEqual([]);
    });

    test('a callback that aborts is not called again, not even during replay', async () => {
      const storage = await emptied();
      const after = await storage.latestRevision();
      for (const key of ['/a', '/b']) await put(storage, key, { text: key });
      const reason = new Error('enough');
      const controller = new AbortController();
      let calls = 0;
      const watching = storage.watch({
        prefix: '/',
        after,
        onEvents: () => {
          calls += 1;
          controller.abort(reason);
        },
        onError: () => {},
        signal: controller.signal,
      });
      // Whether the abort comes before or after the stream is established depends on the backend.
      await watching.catch((error: unknown) => expect(error).toBe(reason));
      await expect.poll(() => calls).toBe(1);
      const witness = await new Recorder().watch(storage, { prefix: '/', after });
      await put(storage, '/c', { text: 'c' });
      await witness.until(3);
      expect(calls).toBe(1);
    });

    test('an already aborted signal starts no watch', async () => {
      const storage = await emptied();
      const reason = new Error('too late');
      const options = {
        prefix: '/',
        after: 0,
        onEvents: () => {},
        onError: () => {},
        signal: AbortSignal.abort(reason),
      };
      await expect(storage.watch(options)).rejects.toBe(reason);
    });

    test('is refused from before the compacted revision and complete from there on', async () => {
      const storage = await emptied();
      const base = await storage.latestRevision();
      const a = await put(storage, '/k/a', { text: 'a1' });
      const b = await put(storage, '/k/b', { text: 'b1' });
      await put(storage, '/k/a', { text: 'a2', expected: a });
      await remove(storage, '/k/b', b);
      await storage.compact(base + 2);
      await expect(new Recorder().watch(storage, { prefix: '/k/', after: base + 1 })).rejects.toMatchObject({
        code: 'RevisionCompacted',
      });
      const recorder = await new Recorder().watch(storage, { prefix: '/k/', after: base + 2 });
      await recorder.until(2);
      expect(recorder.eventTexts(base)).toEqual(['3 /k/a=a2 was a1', '4 /k/b gone was b1']);
    });

    test('compaction does not disturb live watchers', async () => {
      const storage = await emptied();
      const base = await storage.latestRevision();
      const recorder = await new Recorder().watch(storage, { prefix: '/', after: base });
      const a = await put(storage, '/a', { text: '1' });
      await storage.compact(a);
      await put(storage, '/a', { text: '2', expected: a });
      await recorder.until(2);
      expect(recorder.eventTexts(base)).toEqual(['1 /a=1', '2 /a=2 was 1']);
      expect(recorder.errors).toEqual([]);
    });

    test('joins past and live events without gaps or duplicates under write load', async () => {
      const storage = await large();
      const base = await storage.latestRevision();
      const text = 'x'.repeat(500);
      const total = 1500;
      let started = 0;
      const recorders: Promise<Recorder>[] = [];
      const writer = async (): Promise<void> => {
        while (started < total) {
          started += 1;
          if (started % 150 === 0) recorders.push(new Recorder().watch(storage, { prefix: '/load/', after: base }));
          await put(storage, `/load/${started}`, { text });
        }
      };
      await Promise.all(Array.from({ length: 16 }, writer));
      const expected = Array.from({ length: total }, (_, index) => base + 1 + index);
      expect(recorders.length).toBeGreaterThanOrEqual(10);
      for (const recorder of await Promise.all(recorders)) {
        await recorder.until(total);
        expect(recorder.events.map((event) => event.revision)).toEqual(expected);
        recorder.abort();
      }
    });

    test('commits made by a callback are delivered to all watchers in order', async () => {
      const storage = await emptied();
      const base = await storage.latestRevision();
      const first = new Recorder();
      const pending: Promise<number>[] = [];
      await storage.watch({
        prefix: '/',
        after: base,
        onEvents: (events) => {
          first.events.push(...events);
          if (first.events.length < 3) pending.push(put(storage, `/${first.events.length}`, { text: 'x' }));
        },
        onError: () => {},
        signal: new AbortController().signal,
      });
      const second = await new Recorder().watch(storage, { prefix: '/', after: base });
      await put(storage, '/0', { text: 'x' });
      await second.until(3);
      await Promise.all(pending);
      expect(second.eventTexts(base)).toEqual(['1 /0=x', '2 /1=x', '3 /2=x']);
    });

    test.runIf(!traits.singleWriter)('reaches the latest revision, also without events of its own', async () => {
      const storage = await emptied();
      const base = await storage.latestRevision();
      const steps: (string | number)[] = [];
      const controller = new AbortController();
      const reached = Promise.withResolvers<void>();
      let wanted = Number.POSITIVE_INFINITY;
      const watch = (prefix: string): Promise<void> =>
        storage.watch({
          prefix,
          after: base,
          onEvents: (events) => steps.push(...events.map(({ key }) => key)),
          onProgress: (revision) => {
            steps.push(revision);
            if (revision >= wanted) reached.resolve();
          },
          onError: reached.reject,
          signal: controller.signal,
        });
      await watch('/quiet/');
      for (const key of ['/quiet/a', '/k/a', '/k/b']) await put(storage, key, { text: key });
      wanted = await storage.latestRevision();
      if (!steps.includes(wanted)) await reached.promise;
      controller.abort();
      expect(steps[0]).toBe('/quiet/a');
      const revisions = steps.filter((step) => typeof step === 'number');
      expect(revisions).toEqual([...new Set(revisions)].toSorted((left, right) => left - right));
      expect(revisions.at(-1)).toBe(wanted);
    });

    test.runIf(traits.singleWriter)('events are delivered before the commit resolves', async () => {
      const storage = await emptied();
      const after = await storage.latestRevision();
      const recorder = await new Recorder().watch(storage, { prefix: '/', after });
      let resolved = 0;
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const revision = await put(storage, `/${index}`, { text: 'x' });
          resolved += 1;
          expect(storage.latestRevision()).toBeGreaterThanOrEqual(revision);
          expect(recorder.events.some((event) => event.revision === revision)).toBe(true);
        }),
      );
      expect(resolved).toBe(50);
    });
  });
}
