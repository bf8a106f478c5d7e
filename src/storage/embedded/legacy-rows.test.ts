import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { put } from '../conformance/fixture.conformance.ts';
import { openTemporaryStorage, temporaryDirectory } from './temporary-directory.conformance.ts';

/** Removes what format 3 has added. */
const toFormat2 = `
  DROP INDEX history_versions;
  ALTER TABLE history DROP COLUMN row_checksum;
  DELETE FROM meta WHERE name NOT IN ('compacted', 'swept');
  PRAGMA user_version = 2;
`;

test('rows of an earlier release get their checksums, are read meanwhile, and are checked afterwards', async () => {
  const directory = await temporaryDirectory();
  const execute = (statement: string): void => {
    const database = new Database(join(directory, 'storage.sqlite'));
    database.exec(statement);
    database.close();
  };
  const written = await openTemporaryStorage({ directory });
  const names = Array.from({ length: 200 }, (_, index) => `/k/${index}`);
  await Promise.all(names.map((name) => put(written, name, { text: name })));
  await written.close();
  execute(toFormat2);

  const upgraded = await openTemporaryStorage({ directory });
  const all = { start: '/', end: '0' };
  expect((await upgraded.range(all)).entries.map(({ key, value }) => [key, String(value)])).toEqual(
    names.toSorted().map((name) => [name, name]),
  );
  // Ends after the steps that give rows their checksums, which the open has begun.
  await upgraded.compact(upgraded.latestRevision());
  await upgraded.close();
  const database = new Database(join(directory, 'storage.sqlite'), { readonly: true });
  expect(database.prepare('SELECT count(*) FROM history WHERE row_checksum IS NULL').pluck().get()).toBe(0);
  expect(database.prepare("SELECT count(*) FROM meta WHERE name = 'legacy'").pluck().get()).toBe(0);
  database.close();

  execute(
    "UPDATE history SET row_checksum = NULL WHERE key = '/k/7'; UPDATE history SET create_rev = 3 WHERE key = '/k/9'",
  );
  const damaged = await openTemporaryStorage({ directory });
  for (const name of ['/k/7', '/k/9']) expect(await damaged.get(name)).toMatchObject({ corrupt: expect.any(String) });
  expect(await damaged.get('/k/8')).not.toHaveProperty('corrupt');
});
