import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { put, Recorder } from '../conformance/fixture.conformance.ts';
import { describeStorage } from '../storage.conformance.ts';
import { openEmbeddedStorage } from './open-embedded-storage.ts';
import { makeTemporaryDirectory, openTemporaryStorage, removeDirectory } from './temporary-directory.conformance.ts';

describeStorage(
  'embedded storage',
  async () => {
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
  },
  { singleWriter: true, randomRuns: 25 },
);

test('an abort before a watch is established rejects it, also when it had nothing to wait for', async () => {
  const storage = await openTemporaryStorage();
  const latest = await put(storage, '/a', { text: 'x' });
  for (const after of [latest - 1, latest]) {
    const recorder = new Recorder();
    const watching = recorder.watch(storage, { prefix: '/', after });
    recorder.abort();
    await expect(watching).rejects.toMatchObject({ name: 'AbortError' });
    expect(recorder.events).toEqual([]);
  }
});
