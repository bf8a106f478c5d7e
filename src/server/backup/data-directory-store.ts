import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StorageError } from '../../storage/index.ts';

/** The directory of the embedded store. */
export function storeDirectory(dataDir: string): string {
  return join(resolve(dataDir), 'store');
}

/** The file of the embedded store. Throws when the data directory has none. */
export function storeFile(dataDir: string): string {
  const file = join(storeDirectory(dataDir), 'storage.sqlite');
  if (existsSync(file)) return file;
  const elsewhere = 'objects in etcd are backed up with etcdctl snapshot save, or with keelson export';
  throw new StorageError('Unavailable', `${dataDir} is not a data directory with an embedded store (${elsewhere})`);
}
