import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { StorageFixture } from '../conformance/fixture.conformance.ts';
import { openEmbeddedStorage } from './open-embedded-storage.ts';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory.conformance.ts';

/** A store in a separate directory, for the conformance suites. */
export async function openEmbeddedFixture(): Promise<StorageFixture> {
  const directory = await makeTemporaryDirectory();
  const opened = [await openEmbeddedStorage({ directory })];
  const reopen = async () => {
    const storage = await openEmbeddedStorage({ directory });
    opened.push(storage);
    return storage;
  };
  return {
    storage: opened[0]!,
    reopen,
    damage(key) {
      const database = new Database(join(directory, 'storage.sqlite'));
      const newest = 'SELECT max(rev) FROM history WHERE key = ?';
      database.prepare(`UPDATE history SET value = CAST('damaged' AS BLOB) WHERE rev = (${newest})`).run(key);
      database.close();
      return reopen();
    },
    async dispose() {
      await Promise.all(opened.map((storage) => storage.close()));
      await removeDirectory(directory);
    },
  };
}
