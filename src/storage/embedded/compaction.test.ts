import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { put, remove } from '../conformance/fixture.conformance.ts';
import { openDatabase } from './database.ts';
import { MetaTable } from './meta-table.ts';
import { openTemporaryStorage, temporaryDirectory } from './temporary-directory.conformance.ts';

const all = { start: '/', end: '0' };

test('releases the disk space of compacted history', async () => {
  const directory = await temporaryDirectory();
  const storage = await openTemporaryStorage({ directory });
  const used = async (): Promise<number> => {
    const files = ['storage.sqlite', 'storage.sqlite-wal'].map((name) => stat(join(directory, name)));
    return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0);
  };
  const text = 'x'.repeat(20_000);
  const keys = Array.from({ length: 20 }, (_, index) => `/${index}`);
  let revisions = keys.map(() => 0);
  for (let round = 0; round < 20; round++) {
    revisions = await Promise.all(keys.map((key, index) => put(storage, key, { text, expected: revisions[index] })));
  }
  const full = await used();
  expect(full).toBeGreaterThan(8_000_000);

  await storage.compact(storage.latestRevision());
  expect(await used()).toBeLessThan(full / 10);
  const { entries } = await storage.range(all);
  expect(new Set(entries.map((entry) => entry.modRevision))).toEqual(new Set(revisions));

  await Promise.all(keys.map((key, index) => remove(storage, key, revisions[index] ?? 0)));
  await storage.compact(storage.latestRevision());
  expect(await used()).toBeLessThan(200_000);
});

test('keeps exactly the rows that are still visible', async () => {
  const directory = await temporaryDirectory();
  const storage = await openTemporaryStorage({ directory });
  const a1 = await put(storage, '/a', { text: '1' });
  const b1 = await put(storage, '/b', { text: '1' });
  const a2 = await put(storage, '/a', { text: '2', expected: a1 });
  await remove(storage, '/b', b1);
  const b2 = await put(storage, '/b', { text: '2' });
  const b3 = await remove(storage, '/b', b2);
  await storage.compact(b2);
  expect(rows(directory)).toEqual([a2, b2, b3]);
  await storage.compact(b3);
  expect(rows(directory)).toEqual([a2]);
});

test('reads and writes continue while a long history is compacted', async () => {
  const storage = await openTemporaryStorage();
  const keys = Array.from({ length: 500 }, (_, index) => `/k/${index}`);
  let revisions = keys.map(() => 0);
  for (let round = 0; round < 4; round++) {
    revisions = await Promise.all(
      keys.map((key, index) => put(storage, key, { text: `${round}`.repeat(8000), expected: revisions[index] })),
    );
  }
  const latest = storage.latestRevision();
  let compacted = false;
  // The range needs more chunks than the compaction needs steps to reach the rows that the range reads.
  const reading = storage.range({ ...all, revision: 500 });
  const compacting = storage.compact(latest).then(() => {
    compacted = true;
  });
  let during = 0;
  while (!compacted) {
    await put(storage, `/during/${during}`, { text: 'x' });
    if (!compacted) during += 1;
  }
  await compacting;
  // The count would be 1 if compaction were a single step.
  expect(during).toBeGreaterThan(5);
  // The range began before the compaction, so it must be complete although its history is now removed.
  const { entries } = await reading;
  expect(entries).toHaveLength(500);
  expect(new Set(entries.map((entry) => entry.value.toString('utf8', 0, 1)))).toEqual(new Set(['0']));
});

test('continues after a restart where the previous process stopped', async () => {
  const directory = await temporaryDirectory();
  const storage = await openTemporaryStorage({ directory });
  const first = await put(storage, '/a', { text: '1' });
  const second = await put(storage, '/a', { text: '2', expected: first });
  await storage.close();
  // The state after a crash between the mark and the sweep.
  const { database, close } = openDatabase(directory);
  new MetaTable(database).set({ compacted: second });
  close();
  const again = await openTemporaryStorage({ directory });
  expect(again.compactedRevision()).toBe(second);
  // Compactions run one at a time, so this one ends after the pending sweep of the previous process.
  await again.compact(second);
  expect(rows(directory)).toEqual([second]);
});

test('a store may be closed in the middle of a compaction', async () => {
  const directory = await temporaryDirectory();
  const storage = await openTemporaryStorage({ directory });
  const keys = Array.from({ length: 300 }, (_, index) => `/${index}`);
  const created = await Promise.all(keys.map((key) => put(storage, key, { text: 'old' })));
  await Promise.all(keys.map((key, index) => put(storage, key, { text: key, expected: created[index] })));
  const last = storage.latestRevision();
  const compacting = storage.compact(last);
  await storage.close();
  await compacting;
  const again = await openTemporaryStorage({ directory });
  const { entries } = await again.range(all);
  expect(new Set(entries.map(({ value }) => String(value)))).toEqual(new Set(keys));
  expect(again.latestRevision()).toBe(last);
});

describe('a damaged row', () => {
  interface DamagedRow {
    readonly what: string;
    readonly statement: string;
    readonly message: string;
  }
  // Revisions: /a 1, /b 2, /a 3, /c 4, deletion of /c 5, /a 6.
  const cases: readonly DamagedRow[] = [
    {
      what: 'names the only row of another key as the one that it replaces',
      statement: 'UPDATE history SET prev_rev = 2 WHERE rev = 3',
      message: 'damaged at revision 3: the row of /a does not match its checksum',
    },
    {
      what: 'names a row that does not exist',
      statement: 'UPDATE history SET prev_rev = 4099 WHERE rev = 3',
      message: 'damaged at revision 3: the row of /a does not match its checksum',
    },
    {
      what: 'names no row',
      statement: 'UPDATE history SET prev_rev = 0 WHERE rev = 3',
      message: 'damaged at revision 3: the row of /a does not match its checksum',
    },
    {
      what: 'names a row, although it creates its key',
      statement: 'UPDATE history SET prev_rev = 2 WHERE rev = 4',
      message: 'damaged at revision 4: the row of /c does not match its checksum',
    },
    {
      what: 'is a deletion of another key',
      statement: "UPDATE history SET key = '/b' WHERE rev = 5",
      message: 'damaged at revision 5: the row of /b does not match its checksum',
    },
    {
      what: 'has another key',
      statement: "UPDATE history SET key = '/b' WHERE rev = 1",
      message: 'damaged at revision 1: the row of /b does not match its checksum',
    },
    {
      what: 'is missing',
      statement: 'DELETE FROM history WHERE rev = 3',
      message: 'damaged at revision 3: the row is missing',
    },
  ];

  test.each(cases)('ends the compaction before anything of another key is deleted: it $what', async (damage) => {
    const directory = await temporaryDirectory();
    const storage = await openTemporaryStorage({ directory });
    const a1 = await put(storage, '/a', { text: '1' });
    await put(storage, '/b', { text: 'only' });
    const a2 = await put(storage, '/a', { text: '2', expected: a1 });
    const c1 = await put(storage, '/c', { text: '1' });
    await remove(storage, '/c', c1);
    await put(storage, '/a', { text: '3', expected: a2 });
    await storage.close();
    const before = await readFile(join(directory, 'storage.sqlite'));
    execute(directory, damage.statement);

    const damaged = await openTemporaryStorage({ directory });
    // The first row of /a is obsolete unless the damage is before the row that replaced it.
    const kept = rows(directory).filter((revision) => revision !== a1);
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(damaged.compact(6)).rejects.toMatchObject({
        code: 'Corrupt',
        message: expect.stringContaining(`${join(directory, 'storage.sqlite')} is ${damage.message}`),
      });
    }
    expect(rows(directory)).toEqual(expect.arrayContaining(kept));
    expect(damaged.compactedRevision()).toBe(6);
    await damaged.close();

    // Everything is there when the page is repaired, and then the compaction continues.
    await writeFile(join(directory, 'storage.sqlite'), before);
    const repaired = await openTemporaryStorage({ directory });
    const { entries } = await repaired.range(all);
    expect(entries.map(({ key, value }) => [key, String(value)])).toEqual([
      ['/a', '3'],
      ['/b', 'only'],
    ]);
    await repaired.compact(6);
    expect(rows(directory)).toEqual([2, 6]);
  });

  test('does not keep the rows before it', async () => {
    const directory = await temporaryDirectory();
    const storage = await openTemporaryStorage({ directory });
    const a1 = await put(storage, '/a', { text: '1' });
    const a2 = await put(storage, '/a', { text: '2', expected: a1 });
    const a3 = await put(storage, '/a', { text: '3', expected: a2 });
    await storage.close();
    execute(directory, 'UPDATE history SET prev_rev = 9 WHERE rev = 3');
    const damaged = await openTemporaryStorage({ directory });
    await expect(damaged.compact(a3)).rejects.toMatchObject({ code: 'Corrupt' });
    expect(rows(directory)).toEqual([a2, a3]);
  });
});

function execute(directory: string, statement: string): void {
  const database = new Database(join(directory, 'storage.sqlite'));
  database.exec(statement);
  database.close();
}

function rows(directory: string): number[] {
  const database = new Database(join(directory, 'storage.sqlite'), { readonly: true });
  const revisions = database.prepare<[], number>('SELECT rev FROM history ORDER BY rev').pluck().all();
  database.close();
  return revisions;
}
