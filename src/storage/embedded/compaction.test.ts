import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { put, remove } from '../conformance/fixture.conformance.ts';
import { openDatabase } from './database.ts';
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
  database.prepare('UPDATE meta SET value = ? WHERE name = ?').run(second, 'compacted');
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

function rows(directory: string): number[] {
  const database = new Database(join(directory, 'storage.sqlite'), { readonly: true });
  const revisions = database.prepare<[], number>('SELECT rev FROM history ORDER BY rev').pluck().all();
  database.close();
  return revisions;
}
