import { describeStorage } from '../storage.conformance.ts';
import { openEmbeddedStorage } from './open-embedded-storage.ts';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory.conformance.ts';

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
