import { cpSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { put, remove } from '../conformance/fixture.conformance.ts';
import { openEmbeddedStorage } from '../embedded/open-embedded-storage.ts';
import {
  makeTemporaryDirectory,
  removeDirectory,
  temporaryDirectory,
} from '../embedded/temporary-directory.conformance.ts';
import { examineStructure, StoreReader, type StructuralDamage } from './index.ts';

let sound: string;
let file: string;
/** Revisions 1 to 8 have been removed, except 3 (`/a`) and 8 (`/b`). `/a` was changed at 9, `/c` deleted at 11. */
beforeAll(async () => {
  sound = await makeTemporaryDirectory();
  const storage = await openEmbeddedStorage({ directory: sound });
  for (let expected = 0; expected < 3; expected++) await put(storage, '/a', { text: 'a', expected });
  await put(storage, '/b', { text: 'b' });
  await remove(storage, '/b', 4);
  await put(storage, '/b', { text: 'b' });
  await remove(storage, '/b', 6);
  await put(storage, '/b', { text: 'b' });
  await storage.compact(8);
  await put(storage, '/a', { text: 'a', expected: 3 });
  await put(storage, '/c', { text: 'c' });
  await remove(storage, '/c', 10);
  await put(storage, '/c', { text: 'c' });
  await storage.close();
});
afterAll(() => removeDirectory(sound));

beforeEach(async () => {
  const directory = await temporaryDirectory();
  cpSync(sound, directory, { recursive: true });
  file = join(directory, 'storage.sqlite');
});

function examined(): StructuralDamage[] {
  const store = new StoreReader(file);
  try {
    return [...examineStructure(store)];
  } finally {
    store.close();
  }
}

it('finds nothing in a sound store', () => {
  expect(examined()).toEqual([]);
});

it.each<[sql: string, damage: RegExp]>([
  ["UPDATE history SET key = '' WHERE rev = 8", /^history: revision 8 \(\): it has no key$/],
  ["UPDATE history SET key = x'61' WHERE rev = 8", /^history: revision 8 \(a\): it has no key$/],
  [
    'UPDATE history SET create_rev = 13 WHERE rev = 12',
    /^history: revision 12 \(\/c\): its revisions are out of order$/,
  ],
  ['UPDATE history SET prev_rev = 10 WHERE rev = 9', /^history: revision 9 \(\/a\): it replaces a later value$/],
  ['DELETE FROM history WHERE rev = 3', /^history: revision 9 \(\/a\): the value that it replaces is missing$/],
  [
    'UPDATE history SET prev_rev = 2 WHERE rev = 9',
    /^history: revision 9 \(\/a\): it does not replace the value before/,
  ],
  ['UPDATE history SET prev_rev = 10 WHERE rev = 12', /^history: revision 12 \(\/c\): it follows a deletion/],
  ['UPDATE history SET create_rev = 2 WHERE rev = 9', /^history: revision 9 \(\/a\): its key was created at another/],
  ["UPDATE meta SET value = 11 WHERE name = 'swept'", /^history: history is removed up to 11 of 8/],
  ["INSERT INTO meta VALUES ('filling', 5)", /^history: an import is not finished/],
  [
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '(key)', '(rev)') WHERE name = 'history_by_key'",
    /^index: /,
  ],
])('finds the damage of %s', (sql, damage) => {
  const database = new Database(file);
  database.unsafeMode();
  database.exec(sql);
  database.close();
  expect(examined().map(({ area, text }) => `${area}: ${text}`)).toContainEqual(expect.stringMatching(damage));
});
