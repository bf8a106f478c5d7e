import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import type { Storage } from '../storage.ts';
import { openTemporaryStorage, temporaryDirectory } from './temporary-directory.conformance.ts';

/** Writes two keys, the second of them twice, then modifies the database file while the store is closed. */
async function changedBehind(statement: string): Promise<Storage> {
  const directory = await temporaryDirectory();
  const storage = await openTemporaryStorage({ directory });
  await put(storage, '/a', { text: 'one' });
  await put(storage, '/b', { text: 'two' });
  await put(storage, '/b', { text: 'three', expected: 2 });
  await storage.close();
  const database = new Database(join(directory, 'storage.sqlite'));
  database.exec(statement);
  database.close();
  return openTemporaryStorage({ directory });
}

const changed = 'the checksum does not match the value';

test.each([
  ['nothing', 'UPDATE history SET value = value WHERE rev = 3', { value: 'three' }],
  ['a bit', "UPDATE history SET value = CAST('thref' AS BLOB) WHERE rev = 3", { value: 'thref', corrupt: changed }],
  ['everything', "UPDATE history SET value = x'' WHERE rev = 3", { value: '', corrupt: changed }],
  ['the checksum', 'UPDATE history SET checksum = 1 WHERE rev = 3', { value: 'three', corrupt: changed }],
  [
    'the type',
    "UPDATE history SET value = 'three' WHERE rev = 3",
    { value: 'three', corrupt: 'the value is not stored as bytes' },
  ],
  [
    'the type to a number',
    'UPDATE history SET value = 3 WHERE rev = 3',
    { value: '3', corrupt: 'the value is not stored as bytes' },
  ],
  [
    'the value to nothing',
    'UPDATE history SET value = NULL WHERE rev = 3',
    { value: '', corrupt: 'the value is missing' },
  ],
  ['the column', 'ALTER TABLE history DROP COLUMN checksum', { value: 'three', unverified: true }],
])('all reads and watches report a change of %s', async (_what, statement, { value, ...integrity }) => {
  const storage = await changedBehind(statement);
  const expected = { key: '/b', value: Buffer.from(value), modRevision: 3, createRevision: 2, ...integrity };
  expect(await storage.get('/b')).toEqual(expected);
  const { entries } = await storage.range({ start: '/', end: '0' });
  expect(entries[1]).toEqual(expected);
  expect(await storage.range({ start: '/', end: '0', limit: 1, count: true })).toMatchObject({ count: 2 });
  const recorder = await new Recorder().watch(storage, { prefix: '/', after: 2 });
  expect(recorder.events).toMatchObject([{ revision: 3, key: '/b', createRevision: 2, ...integrity }]);
  recorder.abort();
  expect(await storage.commit({ key: '/b', expected: 1, value: undefined })).toEqual({
    committed: false,
    current: expected,
  });
  expect(await storage.commit({ key: '/b', expected: 3, value: undefined })).toEqual({ committed: true, revision: 4 });
  const later = await new Recorder().watch(storage, { prefix: '/', after: 3 });
  expect(later.events).toEqual([{ revision: 4, key: '/b', value: undefined, createRevision: 0, previous: expected }]);
  later.abort();
  expect(await storage.get('/b')).toBeUndefined();
  // A value that an older release has written gets a checksum with its next write.
  const again = await put(storage, '/b', { text: 'four' });
  expect(await storage.get('/b')).toEqual({
    key: '/b',
    value: Buffer.from('four'),
    modRevision: again,
    createRevision: again,
  });
});

test('the entry of a missing value survives a compaction', async () => {
  const storage = await changedBehind('UPDATE history SET value = NULL WHERE rev = 3');
  await storage.compact(3);
  expect(await storage.get('/b')).toMatchObject({ corrupt: 'the value is missing' });
});
