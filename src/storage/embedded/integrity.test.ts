import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { put, Recorder, remove } from '../conformance/fixture.conformance.ts';
import { prefixEnd } from '../storage.ts';
import type { EmbeddedStorage } from './embedded-storage.ts';
import { openEmbeddedStorage } from './open-embedded-storage.ts';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory.conformance.ts';

/** A statement that modifies the row of the revision. */
type Modify = (revision: number) => string;

interface Case {
  readonly what: string;
  readonly modify: Modify;
  readonly reported: { readonly value: string; readonly corrupt?: string; readonly unverified?: boolean };
}

const set =
  (assignment: string): Modify =>
  (revision) =>
    `UPDATE history SET ${assignment} WHERE rev = ${revision}`;
const changed = 'the checksum does not match the value';
const notBytes = 'the value is not stored as bytes';
const rowCases: readonly Case[] = [
  { what: 'nothing', modify: set('value = value'), reported: { value: 'three' } },
  { what: 'a bit', modify: set("value = CAST('thref' AS BLOB)"), reported: { value: 'thref', corrupt: changed } },
  { what: 'everything', modify: set("value = x''"), reported: { value: '', corrupt: changed } },
  { what: 'the checksum', modify: set('checksum = 1'), reported: { value: 'three', corrupt: changed } },
  { what: 'the type', modify: set("value = 'three'"), reported: { value: 'three', corrupt: notBytes } },
  { what: 'the type to a number', modify: set('value = 3'), reported: { value: '3', corrupt: notBytes } },
  {
    what: 'the value to nothing',
    modify: set('value = NULL'),
    reported: { value: '', corrupt: 'the value is missing' },
  },
];
const columnCases: readonly Case[] = [
  {
    what: 'the column',
    modify: () => 'ALTER TABLE history DROP COLUMN checksum',
    reported: { value: 'three', unverified: true },
  },
];

const prefixOf = (index: number): string => `/${index}/`;
const modifiedAt = (index: number): number => 3 * (index + 1);

/** For each modification, writes two keys, the second of them twice. Then modifies the file while the store is closed. */
function openModified(modifications: readonly Modify[]): () => EmbeddedStorage {
  let directory: string;
  let storage: EmbeddedStorage;
  beforeAll(async () => {
    directory = await makeTemporaryDirectory();
    const written = await openEmbeddedStorage({ directory });
    for (const index of modifications.keys()) {
      await put(written, `${prefixOf(index)}a`, { text: 'one' });
      const expected = await put(written, `${prefixOf(index)}b`, { text: 'two' });
      expect(await put(written, `${prefixOf(index)}b`, { text: 'three', expected })).toBe(modifiedAt(index));
    }
    await written.close();
    const database = new Database(join(directory, 'storage.sqlite'));
    modifications.forEach((modify, index) => {
      database.exec(modify(modifiedAt(index)));
    });
    database.close();
    storage = await openEmbeddedStorage({ directory });
  });
  afterAll(async () => {
    await storage.close();
    await removeDirectory(directory);
  });
  return () => storage;
}

describe.each([{ cases: rowCases }, { cases: columnCases }])(
  'all reads and watches report a change of',
  ({ cases }) => {
    const modified = openModified(cases.map(({ modify }) => modify));

    test.each(cases.map((each, index) => ({ ...each, index })))('$what', async ({ index, reported }) => {
      const storage = modified();
      const { value, ...integrity } = reported;
      const prefix = prefixOf(index);
      const key = `${prefix}b`;
      const all = { start: prefix, end: prefixEnd(prefix) };
      const modRevision = modifiedAt(index);
      const createRevision = modRevision - 1;
      const expected = { key, value: Buffer.from(value), modRevision, createRevision, ...integrity };
      expect(await storage.get(key)).toEqual(expected);
      const { entries } = await storage.range(all);
      expect(entries[1]).toEqual(expected);
      expect(await storage.range({ ...all, limit: 1, count: true })).toMatchObject({ count: 2 });
      const recorder = await new Recorder().watch(storage, { prefix, after: createRevision });
      expect(recorder.events).toMatchObject([{ revision: modRevision, key, createRevision, ...integrity }]);
      recorder.abort();
      expect(await storage.commit({ key, expected: createRevision, value: undefined })).toEqual({
        committed: false,
        current: expected,
      });
      const removed = await remove(storage, key, modRevision);
      const later = await new Recorder().watch(storage, { prefix, after: modRevision });
      expect(later.events).toEqual([
        { revision: removed, key, value: undefined, createRevision: 0, previous: expected },
      ]);
      later.abort();
      expect(await storage.get(key)).toBeUndefined();
      // A value that an older release has written gets a checksum with its next write.
      const again = await put(storage, key, { text: 'four' });
      expect(await storage.get(key)).toEqual({
        key,
        value: Buffer.from('four'),
        modRevision: again,
        createRevision: again,
      });
    });
  },
);

describe('a missing value', () => {
  const modified = openModified([set('value = NULL')]);

  test('keeps its entry in a compaction', async () => {
    const storage = modified();
    await storage.compact(modifiedAt(0));
    expect(await storage.get(`${prefixOf(0)}b`)).toMatchObject({ corrupt: 'the value is missing' });
  });
});
