import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillEmbeddedStorage, fillMemoryStorage, type Storage, StorageError } from '../storage/index.ts';
import type { CopyReport } from '../transfer/index.ts';
import { valueEncryption } from './encryption.ts';
import type { ResolvedOptions } from './options.ts';

/** The directory in which the server keeps its files. */
export interface ServerDirectory {
  readonly path: string | undefined;
  /** Called when the server has stopped. */
  remove(): Promise<void>;
}

export async function serverDirectory({ dataDir, storage, fromSnapshot }: ResolvedOptions): Promise<ServerDirectory> {
  if (dataDir !== undefined || storage === 'memory' || fromSnapshot === undefined) {
    return { path: dataDir, async remove() {} };
  }
  const path = await mkdtemp(join(tmpdir(), 'keelson-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Opens a store with the objects of the snapshot, which keep their resource versions. Objects that cannot be read are
 * skipped. Rejects when the snapshot is damaged and when the store is not empty.
 */
export async function openSnapshotCopy(options: ResolvedOptions, dataDir: string | undefined): Promise<Storage> {
  const { fromSnapshot: file, storage, log } = options;
  // Loaded only when there is a snapshot.
  const { copy, filledTarget, openSnapshotObjects, storageSource } = await import('./transfer/snapshot-objects.ts');
  const ended = new AbortController();
  const encryption = await valueEncryption(options, ended.signal);
  const objects = await openSnapshotObjects(file!, { encryption, log }).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    throw new RangeError(`from-snapshot: ${file}: ${error.message}`, { cause: error });
  });
  const source = await storageSource(objects);
  try {
    const { revision } = source;
    const filling =
      storage === 'memory'
        ? fillMemoryStorage({ revision })
        : await fillEmbeddedStorage({
            directory: join(dataDir!, 'store'),
            overwriteDeleted: encryption !== undefined,
            revision,
          });
    const target = filledTarget(filling, encryption);
    try {
      report(await copy({ source: await source.at(target.revision), target, skipUnreadable: true }), options);
      return target.storage;
    } catch (error) {
      await target.close();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof StorageError && error.code === 'NotEmpty')) throw error;
    const problem = `${dataDir} has objects already: start without --from-snapshot, or choose another --data-dir`;
    throw new Error(problem, { cause: error });
  } finally {
    await source.close();
    ended.abort();
  }
}

function report({ copied, leftOut, unreadable }: CopyReport, { fromSnapshot: file, log }: ResolvedOptions): void {
  log.info('objects copied from the snapshot', { file, copied, leftOut: Object.fromEntries(leftOut) });
  if (unreadable.count > 0)
    log.error('objects of the snapshot cannot be read and are skipped', { file, ...unreadable });
}
