import { describe, expect, test } from 'vitest';
import { openForTest, put, Recorder, type SuiteStores } from './fixture.conformance.ts';

export function describeIntegrity({ emptied, open }: SuiteStores): void {
  describe('integrity', () => {
    test('values written by the backend itself are verified', async () => {
      const storage = await emptied();
      const revision = await put(storage, '/a', { text: 'x' });
      const entry = await storage.get('/a');
      expect([entry?.corrupt, entry?.unverified]).toEqual([undefined, undefined]);
      const recorder = await new Recorder().watch(storage, { prefix: '/', after: revision - 1 });
      await recorder.until(1);
      expect(recorder.events.map(({ corrupt, unverified }) => [corrupt, unverified])).toEqual([[undefined, undefined]]);
      recorder.abort();
    });

    test('a corrupt value affects only its own key and can be deleted', async ({ skip }) => {
      const { storage, damage } = await openForTest(open);
      if (damage === undefined) skip();
      for (const key of ['/a', '/b', '/c']) await put(storage, key, { text: key });
      await storage.close();
      const damaged = await damage!('/b');
      const bad = expect.objectContaining({ key: '/b', corrupt: expect.any(String) });
      const { entries } = await damaged.range({ start: '/', end: '0' });
      expect(entries).toEqual([expect.objectContaining({ key: '/a' }), bad, expect.objectContaining({ key: '/c' })]);
      expect(entries.map(({ corrupt }) => corrupt !== undefined)).toEqual([false, true, false]);
      const found = (await damaged.get('/b'))!;
      expect(found).toEqual(bad);
      expect(await damaged.commit({ key: '/b', expected: 0, value: Buffer.from('x') })).toEqual({
        committed: false,
        current: bad,
      });
      const recorder = await new Recorder().watch(damaged, { prefix: '/', after: found.modRevision - 1 });
      const removed = await damaged.commit({ key: '/b', expected: found.modRevision, value: undefined });
      expect(removed).toMatchObject({ committed: true });
      await recorder.until(3);
      expect(recorder.events.map(({ key, corrupt }) => [key, corrupt !== undefined])).toEqual([
        ['/b', true],
        ['/c', false],
        ['/b', false],
      ]);
      recorder.abort();
      expect(await damaged.get('/b')).toBeUndefined();
    });

    test.each([0, 1])('a watcher that throws ends only its own watch (%i past events)', async (waiting) => {
      const storage = await emptied();
      const after = await put(storage, '/a', { text: 'x' });
      const received: string[] = [];
      const failed = Promise.withResolvers<string>();
      const watching = storage.watch({
        prefix: '/',
        after: after - waiting,
        onEvents: ([first]) => {
          received.push(first!.key);
          throw new Error('a fault of the watcher');
        },
        onError: ({ message }) => failed.resolve(message),
        signal: new AbortController().signal,
      });
      watching.catch(({ message }: Error) => failed.resolve(message));
      const other = await new Recorder().watch(storage, { prefix: '/', after });
      await watching.catch(() => {});
      await put(storage, '/b', { text: 'x' });
      expect(await failed.promise).toBe('a fault of the watcher');
      await put(storage, '/c', { text: 'x' });
      await other.until(2);
      expect(received).toEqual([waiting === 0 ? '/b' : '/a']);
      expect(other.events.map(({ key }) => key)).toEqual(['/b', '/c']);
      other.abort();
    });
  });
}
