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
    return {
      storage: opened[0]!,
      async reopen() {
        const storage = await openEmbeddedStorage({ directory });
        opened.push(storage);
        return storage;
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
