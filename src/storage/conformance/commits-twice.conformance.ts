import { describe, expect, test } from 'vitest';
import type { Change, Storage, TwoCommitsResult } from '../storage.ts';
import { openForTest, put, Recorder, remove, type SuiteStores } from './fixture.conformance.ts';

const create = (key: string, text = 'first'): Change => ({ key, expected: 0, value: Buffer.from(text) });
const twice = (storage: Storage, change: Change, next = 'second'): Promise<TwoCommitsResult> =>
  storage.commitTwice!(change, Buffer.from(next));

/** Tests backends that can commit two values of a key together. */
export function describeCommitsTwice({ emptied, large, open }: SuiteStores): void {
  describe('commitTwice', () => {
    test('commits both values with revisions that follow each other, and watchers get both', async () => {
      const storage = await emptied();
      const base = await storage.latestRevision();
      const recorder = await new Recorder().watch(storage, { prefix: '/k', after: base });
      expect(await twice(storage, create('/k'))).toEqual({
        first: { committed: true, revision: base + 1 },
        isReplaced: true,
      });
      await recorder.until(2);
      recorder.abort();
      expect(recorder.eventTexts(base)).toEqual(['1 /k=first', '2 /k=second was first']);
      expect(await storage.get('/k')).toMatchObject({
        value: Buffer.from('second'),
        createRevision: base + 1,
        modRevision: base + 2,
      });
      expect((await storage.get('/k', { revision: base + 1 }))?.value).toEqual(Buffer.from('first'));
      expect(await storage.latestRevision()).toBe(base + 2);
    });

    test.each([
      { name: 'a key that exists', exists: true, change: create('/x') },
      { name: 'another revision', exists: true, change: { ...create('/x'), expected: 1_000_000 } },
      { name: 'an absent key', exists: false, change: { ...create('/x'), expected: 1_000_000 } },
    ])('changes nothing if the comparison fails: $name', async ({ exists, change }) => {
      const storage = await emptied();
      if (exists) await put(storage, '/x', { text: 'old' });
      const before = await storage.get('/x');
      const latest = await storage.latestRevision();
      expect(await twice(storage, change)).toEqual({
        first: { committed: false, current: before },
        isReplaced: false,
      });
      expect(await storage.get('/x')).toEqual(before);
      expect(await storage.latestRevision()).toBe(latest);
    });

    test('updates', async () => {
      const storage = await emptied();
      const expected = await put(storage, '/u', { text: 'old' });
      const { first, isReplaced } = await twice(storage, { ...create('/u'), expected });
      expect([first, isReplaced]).toEqual([{ committed: true, revision: expected + 1 }, true]);
      expect((await storage.get('/u'))?.value).toEqual(Buffer.from('second'));
    });

    test('lets only one of many concurrent calls for one key succeed', async () => {
      const storage = await emptied();
      const texts = Array.from({ length: 20 }, (_, index) => String(index));
      const results = await Promise.all(texts.map((text) => twice(storage, create('/one', text), `${text} again`)));
      const winners = texts.filter((_, index) => results[index]!.isReplaced);
      expect(winners).toHaveLength(1);
      expect(results.filter(({ first }) => first.committed)).toHaveLength(1);
      const entry = await storage.get('/one');
      expect(entry?.value).toEqual(Buffer.from(`${winners[0]} again`));
      await remove(storage, '/one', entry!.modRevision);
    });

    test('no other change comes between the two, however many there are', async () => {
      const storage = await large();
      const keys = Array.from({ length: 1500 }, (_, index) => `/twice/${index}`);
      const results = await Promise.all(
        keys.flatMap((key) => [twice(storage, create(key)), put(storage, `${key}/other`, { text: 'x' })]),
      );
      for (const [index, key] of keys.entries()) {
        const { first, isReplaced } = results[2 * index] as TwoCommitsResult;
        expect(isReplaced).toBe(true);
        expect(await storage.get(key)).toMatchObject({
          modRevision: (first as { revision: number }).revision + 1,
          value: Buffer.from('second'),
        });
      }
    });

    test('both are there after the store was opened again', async () => {
      const { storage, reopen } = await openForTest(open);
      if (reopen === undefined) return;
      await twice(storage, create('/r'));
      await storage.close();
      const again = await reopen();
      expect((await again.get('/r'))?.value).toEqual(Buffer.from('second'));
      expect((await again.get('/r', { revision: 1 }))?.value).toEqual(Buffer.from('first'));
    });
  });
}
