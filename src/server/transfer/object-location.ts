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
import { isSnapshotFile } from '../../storage/snapshot/index.ts';
import {
  committedTarget,
  fileSource,
  fileTarget,
  filledTarget,
  type ReadBack,
  type Source,
  storageSource,
  type Target,
  TransferError,
} from '../../transfer/index.ts';
import { checkNewFile } from '../files/check-new-file.ts';
import { prepareDataDirectory } from '../files/data-directory.ts';
import { openEtcd } from '../open-etcd.ts';
import { resolveOptions, type ServerOptions } from '../options.ts';
import { openSnapshotObjects, withTransformer } from './snapshot-objects.ts';

/** A location of objects: a data directory, a file or an etcd. */
export interface ObjectLocation {
  /** The name for messages. */
  readonly name: string;
  /** Rejects when the store does not exist or is in use. */
  open(): Promise<Source>;
  /** Begins or continues a copy. Rejects with `NotEmpty` when there are objects and they are not to be merged. */
  begin(options: BeginOptions): Promise<Target>;
  readonly readBack: ReadBack;
}

export interface BeginOptions {
  readonly revision: number;
  readonly merge: boolean;
}

/** Options for connecting to the stores, and the encryption of their values. */
export interface LocationOptions
  extends Pick<
    ServerOptions,
    'etcdServers' | 'etcdCafile' | 'etcdCertfile' | 'etcdKeyfile' | 'etcdPrefix' | 'eventTtlMs' | 'storageMediaType'
  > {
  readonly encryption?: ValueTransformer | undefined;
  /** The encryption of values in etcd. They are bound to other keys if etcd has another prefix. */
  readonly encryptionInEtcd?: ValueTransformer | undefined;
}

/** The place that a user names: the URLs of an etcd, a data directory, a file of objects or a snapshot of etcd. */
export async function locationOf(name: string, options: LocationOptions): Promise<ObjectLocation> {
  if (/^https?:\/\//.test(name)) return etcdLocation({ ...options, etcdServers: name.split(',') });
  const found = await ifPresent(name);
  return found?.isDirectory() ? directoryLocation(name, options) : fileLocation(name, options);
}

/** The embedded store in a data directory. */
export function directoryLocation(dataDir: string, { encryption }: LocationOptions): ObjectLocation {
  const directory = join(resolve(dataDir), 'store');
  const opened = async (): Promise<Storage> => withTransformer(await openEmbeddedStorage({ directory }), encryption);
  return {
    name: dataDir,
    async open() {
      // Opening the store would create the directory.
      if ((await ifPresent(join(directory, 'storage.sqlite'))) === undefined) {
        throw new TransferError(`${dataDir} is not a data directory with objects`);
      }
      return storageSource(await opened());
    },
    async begin({ revision, merge }) {
      await prepareDataDirectory(resolve(dataDir));
      if (!merge) return filledTarget(await fillEmbeddedStorage({ directory, revision }), encryption);
      return committedTarget(await opened(), { revision, merge, readBack: unchanged });
    },
    readBack: unchanged,
  };
}

/** An etcd, with objects in the format of kube-apiserver. */
export function etcdLocation({ encryption: _, encryptionInEtcd, ...options }: LocationOptions): ObjectLocation {
  const { storageMediaType: mediaType } = options;
  const layout = kubernetesLayout(mediaType);
  const readBack: ReadBack = async (value, key) =>
    (await layout.fromStored(await layout.toStored(value, key), key)).value;
  // Throws for invalid options. The servers do the compaction.
  const resolved = resolveOptions({ ...options, storage: 'etcd', etcdCompactionIntervalMs: 0 });
  const opened = async (): Promise<Storage> =>
    new TransformedStorage(withTransformer(await openEtcd(resolved), encryptionInEtcd), layout);
  return {
    name: (options.etcdServers ?? []).join(','),
    open: async () => storageSource(await opened()),
    async begin({ revision, merge }) {
      const storage = await opened();
      try {
        return await committedTarget(storage, { revision, merge, readBack });
      } catch (error) {
        await storage.close();
        throw error;
      }
    },
    readBack,
  };
}

/** A file. Its objects are not encrypted, unless it is a snapshot. */
function fileLocation(path: string, { encryption }: LocationOptions): ObjectLocation {
  return {
    name: path,
    async open() {
      if ((await ifPresent(path)) === undefined) throw new TransferError(`${path} does not exist`);
      if (!(await isSnapshotFile(path))) return fileSource(path);
      return storageSource(await openSnapshotObjects(path, { encryption }));
    },
    async begin({ revision, merge }) {
      if (merge) throw new TransferError('objects cannot be added to a file');
      checkNewFile('--to', path);
      return fileTarget(path, { revision });
    },
    readBack: unchanged,
  };
}

const unchanged: ReadBack = (value) => value;

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
