import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { kubernetesLayout } from '../../kubernetes-layout/index.ts';
import {
  fillEmbeddedStorage,
  openEmbeddedStorage,
  type Storage,
  StorageError,
  TransformedStorage,
  type ValueTransformer,
} from '../../storage/index.ts';
import { isSnapshotFile, openSnapshot } from '../../storage/snapshot/index.ts';
import {
  committedTarget,
  fileSource,
  fileTarget,
  filledTarget,
  type ReadsAs,
  type Source,
  storageSource,
  type Target,
  TransferError,
} from '../../transfer/index.ts';
import { prepareDataDirectory } from '../files/data-directory.ts';

/** Where objects are: a data directory, a file or an etcd. */
export interface Place {
  /** For messages. */
  readonly name: string;
  /** Rejects when there are no objects, or when they are in use. */
  open(): Promise<Source>;
  /** Begins or continues a copy. Rejects with `NotEmpty` when there are objects and they are not to be merged. */
  begin(options: BeginOptions): Promise<Target>;
  readonly readsAs: ReadsAs;
}

export interface BeginOptions {
  readonly revision: number;
  readonly merge: boolean;
}

/** How the values of a store are encrypted. */
export interface StoreOptions {
  readonly encryption?: ValueTransformer | undefined;
}

/** The place that a user names: a data directory, a file of objects or a snapshot of etcd. */
export async function placeOf(name: string, options: StoreOptions): Promise<Place> {
  const found = await ifPresent(name);
  return found?.isDirectory() ? storePlace(name, options) : filePlace(name, options);
}

/** The embedded store in a data directory. */
export function storePlace(dataDir: string, { encryption }: StoreOptions): Place {
  const directory = join(resolve(dataDir), 'store');
  const opened = async (): Promise<Storage> => transformed(await openEmbeddedStorage({ directory }), encryption);
  return {
    name: dataDir,
    async open() {
      // Opening would create it.
      if ((await ifPresent(join(directory, 'storage.sqlite'))) === undefined) {
        throw new TransferError(`${dataDir} is not a data directory with objects`);
      }
      return storageSource(await opened());
    },
    async begin({ revision, merge }) {
      await prepareDataDirectory(resolve(dataDir));
      if (!merge) return filledTarget(await fillEmbeddedStorage({ directory, revision }), encryption);
      return committedTarget(await opened(), { revision, merge, readsAs });
    },
    readsAs,
  };
}

function filePlace(path: string, { encryption }: StoreOptions): Place {
  return {
    name: path,
    async open() {
      if ((await ifPresent(path)) === undefined) throw new TransferError(`${path} does not exist`);
      if (!(await isSnapshotFile(path))) return fileSource(path);
      return storageSource(await openSnapshotObjects(path, encryption));
    },
    async begin({ revision, merge }) {
      if (merge) throw new TransferError('objects cannot be added to a file');
      return fileTarget(path, { revision });
    },
    readsAs,
  };
}

/** The objects of a snapshot as the registry has them. */
export async function openSnapshotObjects(path: string, encryption: ValueTransformer | undefined): Promise<Storage> {
  return new TransformedStorage(transformed(await openSnapshot(path), encryption), kubernetesLayout());
}

function transformed(storage: Storage, transformer: ValueTransformer | undefined): Storage {
  return transformer === undefined ? storage : new TransformedStorage(storage, transformer);
}

const readsAs: ReadsAs = (value) => value;

async function ifPresent(path: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export function isNotEmpty(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'NotEmpty';
}
