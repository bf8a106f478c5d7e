import type { StorageFixture } from '../conformance/fixture.conformance.ts';
import type { Storage } from '../storage.ts';
import { connectStorage, SharedStore } from './shared-store.ts';
import { makeTemporaryDirectory, removeDirectory } from './temporary-directory.conformance.ts';

/** A shared store in memory, for the conformance suites. Another thread is connected and does nothing. */
export async function openSharedFixture(): Promise<StorageFixture> {
  const store = await SharedStore.open({ directory: undefined });
  const [storage, other] = [connectStorage(await store.connect()), connectStorage(await store.connect())];
  return {
    storage,
    async dispose() {
      await Promise.all([storage.close(), other.close()]);
      await store.close();
    },
  };
}

/** Like `openSharedFixture`, in a directory. */
export async function openSharedDirectoryFixture(): Promise<StorageFixture> {
  const directory = await makeTemporaryDirectory();
  const opened: Storage[] = [];
  const reopen = async (): Promise<Storage> => {
    const store = await SharedStore.open({ directory });
    const storage = connectStorage(await store.connect());
    const other = connectStorage(await store.connect());
    const closeThread = storage.close.bind(storage);
    let closed: Promise<void> | undefined;
    storage.close = () => {
      closed ??= Promise.all([closeThread(), other.close()]).then(() => store.close());
      return closed;
    };
    opened.push(storage);
    return storage;
  };
  return {
    storage: await reopen(),
    reopen,
    async dispose() {
      await Promise.all(opened.map((storage) => storage.close()));
      await removeDirectory(directory);
    },
  };
}
