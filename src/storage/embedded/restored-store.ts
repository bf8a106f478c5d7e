import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { syncDirectory } from './durable-directory.ts';

const storeName = 'storage.sqlite';

/** The path of a restored store. The next open replaces the current store with it. */
export function restoredFile(directory: string): string {
  return join(directory, `${storeName}.restored`);
}

/**
 * Replaces the current store with a restored one and keeps the old store under another name. Only the holder of the
 * lock may do this. After a crash at any moment, the next call continues: before the last step the old store is not
 * opened, and after it the replacement is complete.
 */
export function installRestoredStore(directory: string): void {
  const restored = restoredFile(directory);
  const found = statSync(restored, { throwIfNoEntry: false });
  if (found === undefined) return;
  const store = join(directory, storeName);
  const kept = replacedStoreFile(directory, found.mtime);
  // The logs belong to the old file. Programs that still read the old file keep their open files. The redo log is
  // removed first: while it exists, the old store is completed from it, which needs the other log.
  for (const log of ['-redo', '-wal']) {
    if (existsSync(store + log)) renameSync(store + log, kept + log);
  }
  rmSync(`${store}-shm`, { force: true });
  if (existsSync(store)) keep(store, kept);
  renameSync(restored, store);
  syncDirectory(directory);
}

/** The file name of a store that was replaced by a restore at that time. */
export function replacedStoreFile(directory: string, restoredAt: Date): string {
  const time = restoredAt.toISOString().replace(/[-:]/g, '').replace('.', '-');
  return join(directory, `${storeName}.before-${time}`);
}

function keep(store: string, kept: string): void {
  try {
    linkSync(store, kept);
  } catch (error) {
    // The file does not exist when the call is repeated after a crash.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
