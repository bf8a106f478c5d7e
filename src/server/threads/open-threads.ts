import { join } from 'node:path';
import { connectStorage, SharedStore } from '../../storage/embedded/shared-store.ts';
import type { Storage } from '../../storage/index.ts';
import type { ResolvedOptions, ServerOptions } from '../options.ts';
import { ApiThreads } from './api-threads.ts';
import { PublishedFiles } from './published-files.ts';
import { checkPortIsFree } from './usable-threads.ts';

export interface OpenThreadsOptions {
  readonly given: ServerOptions;
  readonly options: ResolvedOptions;
  readonly dataDir: string | undefined;
  /** Opens a storage to which each thread has its own connection. */
  readonly open: (options: ResolvedOptions, dataDir: string | undefined) => Promise<Storage>;
}

export interface OpenThreads {
  readonly threads: ApiThreads;
  /** The storage of the first thread. Closing it closes the store for all threads. */
  readonly storage: Storage;
  /** Resolves when the storage thread has ended unexpectedly. Then no thread can continue. */
  readonly failed: Promise<Error>;
}

/** Opens the store of a server with several threads. Rejects like `openEmbeddedStorage`, or if the port is in use. */
export function openThreads(options: OpenThreadsOptions): {
  /** The option files. The first thread reads them for all. */
  readonly files: PublishedFiles;
  readonly opening: Promise<OpenThreads>;
} {
  const files = new PublishedFiles();
  return { files, opening: openWith(files, options) };
}

async function openWith(
  files: PublishedFiles,
  { given, options, dataDir, open }: OpenThreadsOptions,
): Promise<OpenThreads> {
  const { bindAddress, securePort } = options;
  if (securePort !== 0) await checkPortIsFree(bindAddress, securePort);
  const { promise: failed, resolve: onEnd } = Promise.withResolvers<Error>();
  const store = options.storage === 'etcd' ? undefined : await openShared(options, dataDir, onEnd);
  const storage = store === undefined ? await open(options, dataDir) : await firstThreadStorage(store);
  return { storage, threads: new ApiThreads({ given, options, dataDir, store, files }), failed };
}

function openShared(
  options: ResolvedOptions,
  dataDir: string | undefined,
  onEnd: (error: Error) => void,
): Promise<SharedStore> {
  // Values from before they were encrypted must not stay in the file.
  const overwriteDeleted = options.encryptionProviderConfig !== undefined;
  const directory = options.storage === 'embedded' ? join(dataDir!, 'store') : undefined;
  return SharedStore.open({ directory, overwriteDeleted, onEnd });
}

async function firstThreadStorage(store: SharedStore): Promise<Storage> {
  const storage = connectStorage(await store.connect());
  const closeConnection = storage.close.bind(storage);
  let closed: Promise<void> | undefined;
  storage.close = () => {
    closed ??= closeConnection().then(() => store.close());
    return closed;
  };
  return storage;
}
