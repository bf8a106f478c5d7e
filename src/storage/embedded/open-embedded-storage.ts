import { WatcherSet } from '../watcher-set.ts';
import { EmbeddedStorage } from './embedded-storage.ts';
import { WorkerConnection } from './worker-connection.ts';

export interface EmbeddedStorageOptions {
  /** Made when absent. It belongs to one open store at a time. */
  readonly directory: string;
  /** Values with more bytes are refused with `TooLarge`. Default 1.5 MiB, as etcd's. */
  readonly valueLimit?: number;
  /** The database file's largest size in bytes; beyond, commits fail with `Unavailable`. No limit by default. */
  readonly sizeLimit?: number;
}

const DEFAULT_VALUE_LIMIT = 1.5 * 1024 * 1024;

// In the published bundle the worker is a file of its own beside the chunk that holds this module.
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './embedded-worker.js', import.meta.url);

/**
 * Opens the durable store in the directory. Rejects at once with `InUse` when another process, or another store of this
 * one, has it open, with `Corrupt` when the files cannot be understood.
 */
export async function openEmbeddedStorage(options: EmbeddedStorageOptions): Promise<EmbeddedStorage> {
  const { directory, sizeLimit, valueLimit = DEFAULT_VALUE_LIMIT } = options;
  const watchers = new WatcherSet();
  const connection = new WorkerConnection(WORKER, (error) => watchers.fail(error));
  try {
    const state = await connection.call('open', { directory, sizeLimit });
    return new EmbeddedStorage({ connection, watchers, state, valueLimit });
  } catch (error) {
    await connection.close();
    throw error;
  }
}
