import type { StorageMediaType } from '../kubernetes-layout/index.ts';

/** Options for objects that other servers have written or will read. */
export interface ExistingDataOptions {
  /** The encoding of built-in kinds in etcd. Default: protobuf. */
  readonly storageMediaType?: StorageMediaType;
  /**
   * A file of `etcdctl snapshot save`. Its objects are copied into the store, which must be empty. Without a data
   * directory, the embedded store is in a temporary one that is removed when the server stops.
   */
  readonly fromSnapshot?: string;
}

export const storageMediaTypes = [
  'application/vnd.kubernetes.protobuf',
  'application/json',
  'application/yaml',
] as const satisfies readonly StorageMediaType[];

/** Throws a RangeError for options that are invalid or contradict each other. */
export function checkExistingDataOptions(options: ExistingDataOptions, storage: 'embedded' | 'memory' | 'etcd'): void {
  const { storageMediaType: type, fromSnapshot } = options;
  if (fromSnapshot !== undefined && storage === 'etcd') {
    throw new RangeError('a snapshot is copied into the embedded store or into memory, not into etcd');
  }
  if (type === undefined) return;
  if (storage !== 'etcd') throw new RangeError('storage-media-type needs the storage etcd');
  if (storageMediaTypes.includes(type)) return;
  const allowed = [...storageMediaTypes].sort().join(', ');
  throw new RangeError(`storage-media-type ${JSON.stringify(type)} is invalid, allowed values: ${allowed}`);
}
