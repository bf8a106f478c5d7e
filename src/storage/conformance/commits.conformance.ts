import { describe, expect, test } from 'vitest';
import { put, remove, type SuiteStores } from './fixture.conformance.ts';

export function describeCommits({ emptied, large }: SuiteStores): void {
  describe('commit', () => {
    test('each commit gets a greater revision, which becomes the latest', async () => {
      const storage = await emptied();
      let last = await storage.latestRevision();
      for (const key of ['/a', '/b', '/c']) {
        const revision = await put(storage, key, { text: key });
        expect(revision).toBeGreaterThan(last);
        expect(await storage.latestRevision()).toBe(revision);
        last = revision;
      }
    });

    const cases = [
      { name: 'create an absent key', exists: false, expects: 'absent', value: 'new', committed: true },
      { name: 'create an existing key', exists: true, expects: 'absent', value: 'new', committed: false },
      { name: 'update at the right revision', exists: true, expects: 'current', value: 'new', committed: true },
      { name: 'update at another revision', exists: true, expects: 'other', value: 'new', committed: false },
      { name: 'update an absent key', exists: false, expects: 'other', value: 'new', committed: false },
      { name: 'delete at the right revision', exists: true, expects: 'current', value: undefined, committed: true },
      { name: 'delete at another revision', exists: true, expects: 'other', value: undefined, committed: false },
      {
        name: 'delete an existing key expected absent',
        exists: true,
        expects: 'absent',
        value: undefined,
        committed: false,
      },
      { name: 'delete an absent key', exists: false, expects: 'absent', value: undefined, committed: false },
      { name: 'write an empty value', exists: false, expects: 'absent', value: '', committed: true },
    ];
    test.each(cases)('$name: committed $committed', async ({ name, exists, expects, value, committed }) => {
      const storage = await large();
      const key = `/${name}`;
      await put(storage, `${key} (another)`, { text: 'o' });
      const current = exists ? await put(storage, key, { text: 'old' }) : 0;
      const before = await storage.get(key);
      const latest = await storage.latestRevision();
      const expected = { absent: 0, current, other: latest + 7 }[expects] ?? 0;

      const bytes = value === undefined ? undefined : Buffer.from(value);
      const result = await storage.commit({ key, expected, value: bytes });

      if (committed) {
        expect(result).toEqual({ committed: true, revision: await storage.latestRevision() });
        expect((await storage.get(key))?.value).toEqual(bytes);
      } else {
        expect(result).toEqual({ committed: false, current: before });
        expect(await storage.latestRevision()).toBe(latest);
        expect(await storage.get(key)).toEqual(before);
      }
    });

    test('createRevision is kept by updates and new after a deletion', async () => {
      const storage = await emptied();
      const created = await put(storage, '/k', { text: '1' });
      const updated = await put(storage, '/k', { text: '2', expected: created });
      expect(await storage.get('/k')).toMatchObject({ createRevision: created, modRevision: updated });
      await remove(storage, '/k', updated);
      expect(await storage.get('/k')).toBeUndefined();
      const recreated = await put(storage, '/k', { text: '3' });
      expect(await storage.get('/k')).toMatchObject({ createRevision: recreated, modRevision: recreated });
    });

    test('lets exactly one of many writers win that expect the same revision', async () => {
      const storage = await emptied();
      let expected = 0;
      for (let round = 0; round < 10; round++) {
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, writer) =>
            storage.commit({ key: '/k', expected, value: Buffer.from(`${round}-${writer}`) }),
          ),
        );
        const winners = results.flatMap((result, writer) => (result.committed ? [{ writer, ...result }] : []));
        expect(winners).toHaveLength(1);
        const entry = await storage.get('/k');
        expect(entry).toMatchObject({ modRevision: winners[0]?.revision });
        expect(String(entry?.value)).toBe(`${round}-${winners[0]?.writer}`);
        for (const result of results) if (!result.committed) expect(result.current).toEqual(entry);
        expected = entry?.modRevision ?? 0;
      }
    });

    test('concurrent writers of different keys all succeed with different revisions', async () => {
      const storage = await large();
      const keys = Array.from({ length: 700 }, (_, index) => `/concurrent/${index}`);
      const revisions = await Promise.all(keys.map((key) => put(storage, key, { text: key })));
      expect(new Set(revisions).size).toBe(keys.length);
      expect(await storage.latestRevision()).toBe(Math.max(...revisions));
      const { entries } = await storage.range({ start: '/concurrent/', end: '/concurrent0' });
      expect(new Map(entries.map((entry) => [String(entry.value), entry.modRevision]))).toEqual(
        new Map(keys.map((key, index) => [key, revisions[index]])),
      );
    });

    test('values of any bytes and size are returned unchanged', async () => {
      const storage = await emptied();
      const pooled = Buffer.from('a small buffer shares its memory with others');
      const values = [
        Buffer.alloc(0),
        Buffer.from([0, 255, 10, 0]),
        pooled.subarray(3, 9),
        Buffer.alloc(1_000_000, 'x'),
      ];
      for (const [index, value] of values.entries()) {
        await storage.commit({ key: `/v/${index}`, expected: 0, value });
        expect((await storage.get(`/v/${index}`))?.value.equals(value)).toBe(true);
      }
    });
  });
}
