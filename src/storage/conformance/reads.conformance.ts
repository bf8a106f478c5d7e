import { beforeAll, describe, expect, test } from 'vitest';
import { prefixEnd, type RangeOptions, type Storage } from '../storage.ts';
import { put, remove, type SuiteStores } from './fixture.conformance.ts';

export function describeReads({ emptied, large }: SuiteStores): void {
  describe('range', () => {
    let storage: Storage;
    let base: number;

    // base+1: a, +2: b, +3: c, +4: b changes, +5: a is deleted, +6: d, +7: a is created again
    beforeAll(async () => {
      storage = await emptied();
      base = await storage.latestRevision();
      const a = await put(storage, '/r/a', { text: 'a1' });
      const b = await put(storage, '/r/b', { text: 'b1' });
      await put(storage, '/r/c', { text: 'c1' });
      await put(storage, '/r/b', { text: 'b2', expected: b });
      await remove(storage, '/r/a', a);
      await put(storage, '/r/d', { text: 'd1' });
      await put(storage, '/r/a', { text: 'a2' });
    });

    const all = { start: '/r/', end: '/r0' };
    // `beyond` is the number of keys after the returned entries.
    const cases: { name: string; options: RangeOptions; at?: number; entries: string[]; beyond?: number }[] = [
      { name: 'all', options: all, entries: ['a2', 'b2', 'c1', 'd1'] },
      { name: 'the start is included', options: { start: '/r/b', end: '/r/d' }, entries: ['b2', 'c1'] },
      { name: 'just after a key', options: { start: '/r/b\0', end: '/r0' }, entries: ['c1', 'd1'] },
      { name: 'one key', options: { start: '/r/b', end: '/r/b\0' }, entries: ['b2'] },
      { name: 'an empty range', options: { start: '/r/b', end: '/r/b' }, entries: [] },
      { name: 'an end before the start', options: { start: '/r/c', end: '/r/a' }, entries: [] },
      { name: 'no such keys', options: { start: '/s/', end: '/s0' }, entries: [] },
      { name: 'a limit', options: { ...all, limit: 2 }, entries: ['a2', 'b2'], beyond: 2 },
      { name: 'a limit of just so many', options: { ...all, limit: 4 }, entries: ['a2', 'b2', 'c1', 'd1'] },
      { name: 'a large limit', options: { ...all, limit: 9 }, entries: ['a2', 'b2', 'c1', 'd1'] },
      { name: 'a limit of none', options: { ...all, limit: 0 }, entries: [], beyond: 4 },
      { name: 'before everything', options: all, at: 0, entries: [] },
      { name: 'the first change', options: all, at: 1, entries: ['a1'] },
      { name: 'before an update', options: all, at: 3, entries: ['a1', 'b1', 'c1'] },
      { name: 'after an update', options: all, at: 4, entries: ['a1', 'b2', 'c1'] },
      { name: 'after a deletion', options: all, at: 5, entries: ['b2', 'c1'] },
      { name: 'a limit in the past', options: { ...all, limit: 1 }, at: 5, entries: ['b2'], beyond: 1 },
      { name: 'a limit of none in the past', options: { ...all, limit: 0 }, at: 5, entries: [], beyond: 2 },
      {
        name: 'a limit that only deleted keys follow',
        options: { start: '/r/', end: '/r/b', limit: 1 },
        at: 1,
        entries: ['a1'],
      },
      { name: 'the newest by its number', options: all, at: 7, entries: ['a2', 'b2', 'c1', 'd1'] },
    ];
    test.each(cases)('$name', async ({ options, at, entries, beyond = 0 }) => {
      const revision = at === undefined ? undefined : base + at;
      const result = await storage.range({ ...options, revision });
      expect(result.entries.map((entry) => String(entry.value))).toEqual(entries);
      expect(result.more).toBe(beyond > 0);
      expect(result.revision).toBe(base + (at ?? 7));
      expect(result.count).toBeUndefined();
      const counted = await storage.range({ ...options, revision, count: true });
      expect(counted).toEqual({ ...result, count: entries.length + beyond });
    });

    test('entries carry their revisions', async () => {
      const { entries } = await storage.range({ ...all, limit: 2 });
      expect(entries).toEqual([
        { key: '/r/a', value: Buffer.from('a2'), modRevision: base + 7, createRevision: base + 7 },
        { key: '/r/b', value: Buffer.from('b2'), modRevision: base + 4, createRevision: base + 2 },
      ]);
    });

    test('get reads one key at a revision', async () => {
      expect(String((await storage.get('/r/a', { revision: base + 4 }))?.value)).toBe('a1');
      expect(await storage.get('/r/a', { revision: base + 5 })).toBeUndefined();
      expect(await storage.get('/r/d', { revision: base + 5 })).toBeUndefined();
      expect(String((await storage.get('/r/a'))?.value)).toBe('a2');
      expect(await storage.get('/r/')).toBeUndefined();
    });

    test('a revision that has not been reached is refused', async () => {
      const revision = base + 8;
      await expect(storage.range({ ...all, revision })).rejects.toMatchObject({ code: 'RevisionInFuture' });
      await expect(storage.get('/r/a', { revision })).rejects.toMatchObject({ code: 'RevisionInFuture' });
      await expect(storage.compact(revision)).rejects.toMatchObject({ code: 'RevisionInFuture' });
    });

    // From here on, the history that the cases above read is removed.
    test('reads before the compacted revision are refused, later ones succeed', async () => {
      await storage.compact(base + 5);
      expect(storage.compactedRevision()).toBe(base + 5);
      const before = { revision: base + 4 };
      await expect(storage.range({ ...all, ...before })).rejects.toMatchObject({ code: 'RevisionCompacted' });
      await expect(storage.get('/r/b', before)).rejects.toMatchObject({ code: 'RevisionCompacted' });
      const values = async (revision?: number): Promise<string[]> =>
        (await storage.range({ ...all, revision })).entries.map((entry) => String(entry.value));
      expect(await values(base + 5)).toEqual(['b2', 'c1']);
      expect(await values(base + 6)).toEqual(['b2', 'c1', 'd1']);
      expect(await values()).toEqual(['a2', 'b2', 'c1', 'd1']);
      const count = async (revision?: number): Promise<number | undefined> =>
        (await storage.range({ ...all, limit: 1, revision, count: true })).count;
      expect([await count(base + 5), await count(base + 6), await count()]).toEqual([2, 3, 4]);
      await expect(storage.range({ ...all, ...before, count: true })).rejects.toMatchObject({
        code: 'RevisionCompacted',
      });
    });
  });

  test('the compacted revision never decreases and compaction is idempotent', async () => {
    const storage = await emptied();
    const a = await put(storage, '/a', { text: '1' });
    const b = await put(storage, '/b', { text: '1' });
    const a2 = await put(storage, '/a', { text: '2', expected: a });
    for (const revision of [b, b, a]) {
      await storage.compact(revision);
      expect(storage.compactedRevision()).toBe(b);
    }
    await storage.compact(a2);
    expect(storage.compactedRevision()).toBe(a2);
    expect((await storage.range({ start: '/', end: '0' })).entries).toHaveLength(2);
    expect(await put(storage, '/c', { text: '1' })).toBeGreaterThan(a2);
  });

  test('keys are ordered by their UTF-8 bytes', async () => {
    const storage = await emptied();
    const keys = ['/', '/a', '/a\0', '/a-', '/a/', '/aa', '/B', '/é', '/\u{ffff}', '/\u{10000}', '/\u{1f600}'];
    const inOrder = keys.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    for (const key of keys) await put(storage, key, { text: key });
    const { entries } = await storage.range({ start: '/', end: prefixEnd('/') });
    expect(entries.map((entry) => entry.key)).toEqual(inOrder);
    expect(entries.map((entry) => String(entry.value))).toEqual(inOrder);
  });

  test('a large range is consistent, even under write load', async () => {
    const storage = await large();
    const keys = Array.from({ length: 1500 }, (_, index) => `/range/${String(index).padStart(4, '0')}`);
    const pad = 'x'.repeat(1000);
    const revisions = await Promise.all(keys.map((key) => put(storage, key, { text: `${key} 1 ${pad}` })));
    const updates = Promise.all(
      keys.map((key, index) => put(storage, key, { text: `${key} 2 ${pad}`, expected: revisions[index] })),
    );
    const { revision, entries, more } = await storage.range({ start: '/range/', end: '/range0' });
    await updates;
    expect(more).toBe(false);
    expect(entries.map((entry) => entry.key)).toEqual(keys);
    expect(entries.every((entry) => entry.modRevision <= revision)).toBe(true);
    expect(entries).toEqual((await storage.range({ start: '/range/', end: '/range0', revision })).entries);
    expect((await storage.range({ start: '/range/', end: '/range0', limit: 1200 })).entries).toHaveLength(1200);
  });

  test('a count excludes deleted keys, includes recreated ones and depends on the revision', async () => {
    const storage = await large();
    const keys = Array.from({ length: 1200 }, (_, index) => `/count/${String(index).padStart(4, '0')}`);
    const created = await Promise.all(keys.map((key) => put(storage, key, { text: key })));
    const full = await storage.latestRevision();
    await Promise.all(
      keys.flatMap((key, index) => (index % 3 === 0 ? [remove(storage, key, created[index] ?? 0)] : [])),
    );
    const thinned = await storage.latestRevision();
    await Promise.all(keys.filter((_, index) => index % 6 === 0).map((key) => put(storage, key, { text: 'again' })));
    const count = async (options: Partial<RangeOptions> = {}): Promise<number | undefined> =>
      (await storage.range({ start: '/count/', end: '/count0', limit: 7, count: true, ...options })).count;
    expect(await count({ revision: full })).toBe(1200);
    expect(await count({ revision: thinned })).toBe(800);
    expect(await count()).toBe(1000);
    // The request for the second of two pages counts everything from there on.
    expect(await count({ start: '/count/0600' })).toBe(500);
    await storage.compact(thinned);
    expect(await count({ revision: thinned })).toBe(800);
    expect(await count()).toBe(1000);
  });

  test('a count has the same revision as the entries, even under write load', async () => {
    const storage = await large();
    const all = { start: '/counts/', end: '/counts0' };
    const keys = Array.from({ length: 1500 }, (_, index) => `/counts/${String(index).padStart(4, '0')}`);
    const revisions = await Promise.all(keys.map((key) => put(storage, key, { text: key })));
    const changes = Promise.all(
      keys.map((key, index) =>
        index % 2 === 0 ? remove(storage, key, revisions[index] ?? 0) : put(storage, `${key}/new`, { text: key }),
      ),
    );
    const pages = await Promise.all([10, 100, 1000].map((limit) => storage.range({ ...all, limit, count: true })));
    await changes;
    for (const { revision, entries, count } of pages) {
      const then = await storage.range({ ...all, revision });
      expect(count).toBe(then.entries.length);
      expect(entries).toEqual(then.entries.slice(0, entries.length));
    }
  });
}
