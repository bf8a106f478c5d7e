import { type Storage, StorageError, type StoredEntry } from '../storage/index.ts';
import { TransferError } from './transfer-error.ts';

/** The content of the source. It can be read repeatedly and does not change. */
export interface Source {
  readonly revision: number;
  /** The number of keys. Undefined if it is not known before they have been read. */
  readonly count: number | undefined;
  /** The entries in key order, in groups: all, or those after a key. */
  entries(after?: string): AsyncIterable<readonly StoredEntry[]>;
  /** The same source at another revision. Fails with a `TransferError` when that history is not available. */
  at(revision: number): Promise<Source>;
  close(): Promise<void>;
}

const all = { start: '/registry/', end: '/registry0' };
const pageSize = 500;

/** The objects of a storage at one revision, by default the latest. Fails when its history has been removed. */
export async function storageSource(storage: Storage, { revision }: { revision?: number } = {}): Promise<Source> {
  const at = revision ?? (await storage.latestRevision());
  const { count } = await storage.range({ ...all, limit: 1, count: true, revision: at });
  return {
    revision: at,
    count,
    async *entries(after) {
      let start = after === undefined ? all.start : `${after}\0`;
      for (;;) {
        const { entries, more } = await storage.range({ ...all, start, limit: pageSize, revision: at });
        if (entries.length > 0) yield entries;
        if (!more) return;
        start = `${entries.at(-1)!.key}\0`;
      }
    },
    at: (other) => earlier(storage, other),
    close: () => storage.close(),
  };
}

async function earlier(storage: Storage, revision: number): Promise<Source> {
  try {
    return await storageSource(storage, { revision });
  } catch (error) {
    if (!(error instanceof StorageError) || !['RevisionCompacted', 'RevisionInFuture'].includes(error.code))
      throw error;
    throw wrongRevision(revision, error);
  }
}

export function wrongRevision(revision: number, cause?: Error): TransferError {
  const problem = `the target has an incomplete copy of revision ${revision}, which the source does not have (any more)`;
  return new TransferError(`${problem}: remove it and start again`, { cause });
}

export async function isEmpty(storage: Storage): Promise<boolean> {
  return (await storage.range({ ...all, limit: 1 })).entries.length === 0;
}
