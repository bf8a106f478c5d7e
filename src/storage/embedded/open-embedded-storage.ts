import { checkSize } from '../preconditions.ts';
import type { Filling } from '../storage.ts';
import { WatcherSet } from '../watcher-set.ts';
import { EmbeddedStorage } from './embedded-storage.ts';
import { storeThread } from './store-thread.ts';
import { WorkerConnection } from './worker-connection.ts';

export interface EmbeddedStorageOptions {
  /** Created if absent. Only one store may have it open at a time. */
  readonly directory: string;
  /** Larger values, in bytes, are refused with `TooLarge`. Default 1.5 MiB, like etcd. */
  readonly valueLimit?: number;
  /** Maximum size of the database file in bytes. Commits beyond it fail with `Unavailable`. No limit by default. */
  readonly sizeLimit?: number;
  /** Whether data that compactions remove is overwritten in the file, so that it cannot be recovered. */
  readonly overwriteDeleted?: boolean;
}

export const defaultValueLimit = 1.5 * 1024 * 1024;

/**
 * Opens the durable store in the directory. Rejects immediately with `InUse` when another process, or another store in
 * this process, has it open. Rejects with `Corrupt` when the files cannot be read as a store, or when it has been
 * filled only in part.
 */
export async function openEmbeddedStorage(options: EmbeddedStorageOptions): Promise<EmbeddedStorage> {
  const { directory, sizeLimit, overwriteDeleted = false, valueLimit = defaultValueLimit } = options;
  const { connection, watchers } = connect();
  try {
    const state = await connection.call('open', { directory, sizeLimit, overwriteDeleted });
    return new EmbeddedStorage({ connection, watchers, state, valueLimit });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * Fills the store in the directory with entries up to the revision. Rejects with `NotEmpty` when the store has
 * objects, unless they come from an interrupted filling.
 */
export async function fillEmbeddedStorage(options: EmbeddedStorageOptions & { revision: number }): Promise<Filling> {
  const { directory, sizeLimit, overwriteDeleted = false, valueLimit = defaultValueLimit, revision } = options;
  const { connection, watchers } = connect();
  try {
    const { filling } = await connection.call('open', { directory, sizeLimit, overwriteDeleted, filling: revision });
    return {
      ...filling!,
      async add(entries) {
        for (const entry of entries) checkSize(entry, valueLimit);
        await connection.call('fill', { entries });
      },
      async finish() {
        const state = await connection.call('filled', undefined);
        return new EmbeddedStorage({ connection, watchers, state, valueLimit });
      },
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function connect(): { readonly connection: WorkerConnection; readonly watchers: WatcherSet } {
  const watchers = new WatcherSet();
  return { connection: new WorkerConnection(storeThread(), (error) => watchers.fail(error)), watchers };
}
