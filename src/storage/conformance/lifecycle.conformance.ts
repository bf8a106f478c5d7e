import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Storage } from '../storage.ts';
import { openForTest, put, Recorder, remove, type StorageFixture, type SuiteStores } from './fixture.conformance.ts';

export function describeLifecycle({ large, open }: SuiteStores): void {
  describe('probe', () => {
    test('resolves while the store answers', async () => {
      const storage = await large();
      const { signal } = new AbortController();
      await expect(storage.probe(signal)).resolves.toBeUndefined();
      await expect(storage.probeWrites(signal)).resolves.toBeUndefined();
    });

    test('rejects with the reason of an aborted signal', async () => {
      const storage = await large();
      const reason = new Error('too slow');
      await expect(storage.probe(AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });

  describe('close', () => {
    const calls: { name: string; call: (storage: Storage) => Promise<unknown> }[] = [
      { name: 'get', call: (storage) => storage.get('/a') },
      { name: 'range', call: (storage) => storage.range({ start: '/', end: '0' }) },
      { name: 'commit', call: (storage) => storage.commit({ key: '/a', expected: 0, value: Buffer.from('1') }) },
      { name: 'watch', call: (storage) => new Recorder().watch(storage, { prefix: '/', after: 0 }) },
      { name: 'compact', call: (storage) => storage.compact(0) },
      { name: 'probe', call: (storage) => storage.probe(new AbortController().signal) },
    ];
    let fixture: StorageFixture;
    beforeAll(async () => {
      fixture = await open();
      await fixture.storage.close();
    });
    afterAll(() => fixture.dispose());
    test.each(calls)('$name fails afterwards with Closed', async ({ call }) => {
      await expect(call(fixture.storage)).rejects.toMatchObject({ name: 'StorageError', code: 'Closed' });
    });

    test('finishes the calls in flight, ends the watches and is idempotent', async () => {
      const { storage } = await openForTest(open);
      const after = await storage.latestRevision();
      const recorder = await new Recorder().watch(storage, { prefix: '/', after });
      const commits = Array.from({ length: 100 }, (_, index) => put(storage, `/${index}`, { text: 'x' }));
      const reading = storage.get('/none');
      const closing = [storage.close(), storage.close()];
      await Promise.all([...commits, reading, ...closing]);
      await storage.close();
      expect(recorder.events).toHaveLength(100);
      expect(recorder.errors).toMatchObject([{ code: 'Closed' }]);
    });
  });

  describe('restart', () => {
    test('restores entries, history and revisions', async ({ skip }) => {
      const { storage, reopen } = await openForTest(open);
      if (!reopen) return skip('not durable');
      const a = await put(storage, '/a', { text: '1' });
      const b = await put(storage, '/b', { text: '2' });
      await put(storage, '/a', { text: '3', expected: a });
      await remove(storage, '/b', b);
      const latest = await storage.latestRevision();
      await storage.close();

      const again = await reopen();
      expect(await again.latestRevision()).toBe(latest);
      expect((await again.range({ start: '/', end: '0' })).entries).toMatchObject([{ key: '/a', createRevision: a }]);
      expect((await again.range({ start: '/', end: '0', revision: b })).entries).toHaveLength(2);
      const recorder = await new Recorder().watch(again, { prefix: '/', after: a });
      await recorder.until(3);
      expect(recorder.eventTexts(a)).toEqual(['1 /b=2', '2 /a=3 was 1', '3 /b gone was 2']);
      expect(await put(again, '/c', { text: 'x' })).toBeGreaterThan(latest);
    });

    test('the revision does not decrease when the newest changes were compacted deletions', async ({ skip }) => {
      const { storage, reopen } = await openForTest(open);
      if (!reopen) return skip('not durable');
      const created = await put(storage, '/a', { text: '1' });
      const deleted = await remove(storage, '/a', created);
      await storage.compact(deleted);
      await storage.close();

      const again = await reopen();
      expect(await again.latestRevision()).toBe(deleted);
      expect(again.compactedRevision()).toBe(deleted);
      await expect(again.get('/a', { revision: created })).rejects.toMatchObject({ code: 'RevisionCompacted' });
      expect(await put(again, '/a', { text: '2' })).toBeGreaterThan(deleted);
    });
  });
}
