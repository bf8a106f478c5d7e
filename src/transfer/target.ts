import { type Filling, type Storage, StorageError, type StoredEntry, type ValueTransformer } from '../storage/index.ts';
import { isEmpty } from './source.ts';
import { TransferError } from './transfer-error.ts';

/** The destination of a copy. */
export interface Target {
  /** The revision to copy: the given one, or that of an interrupted copy, which is continued. */
  readonly revision: number;
  /** The last key of an interrupted copy. */
  readonly after: string | undefined;
  /** Adds entries in key order. */
  add(entries: readonly StoredEntry[]): Promise<void>;
  /** Completes the copy. */
  finish(): Promise<void>;
  /** Releases the target. An incomplete copy can be continued. */
  close(): Promise<void>;
}

export interface FilledTarget extends Target {
  /** The store with the complete copy. Its values have the form in which they were added. */
  readonly storage: Storage;
}

/** Creates a new store, in which entries keep their revisions. The transformer converts their values. */
export function filledTarget(filling: Filling, transformer?: ValueTransformer): FilledTarget {
  let storage: Storage | undefined;
  return {
    revision: filling.revision,
    after: filling.after,
    async add(entries) {
      await filling.add(
        transformer === undefined
          ? entries
          : await Promise.all(entries.map((entry) => transformed(entry, transformer))),
      );
    },
    async finish() {
      storage = await filling.finish();
    },
    get storage() {
      if (storage === undefined) throw new TypeError('the copy is not complete');
      return storage;
    },
    close: () => (storage ?? filling).close(),
  };
}

async function transformed(entry: StoredEntry, transformer: ValueTransformer): Promise<StoredEntry> {
  return { ...entry, value: await transformer.toStored(entry.value, entry.key) };
}

/** The number of concurrent writes. */
const concurrency = 64;
/** This is not the key of an object: it marks an incomplete copy. */
const markKey = '/registry/keelson-import';
const mark = Buffer.from('{"apiVersion":"keelson/v1","kind":"Import","metadata":{"uid":""}}');

export interface CommittedOptions {
  readonly revision: number;
  /** Whether the store may have objects already. */
  readonly merge: boolean;
  readonly readBack: ReadBack;
}

/** The value that a store returns after this one has been written to it: a layout need not preserve every byte. */
export type ReadBack = (value: Buffer, key: string) => Buffer | Promise<Buffer>;

/**
 * A store that assigns revisions itself. Existing objects must be equal to those that are added. Rejects with
 * `NotEmpty` when it has objects, unless they come from an interrupted copy or `merge` is set.
 */
export async function committedTarget(storage: Storage, options: CommittedOptions): Promise<Target> {
  const { revision, merge, readBack } = options;
  const found = await storage.get(markKey);
  if (found === undefined && !merge) {
    if (!(await isEmpty(storage))) throw new StorageError('NotEmpty', 'the store is not empty');
    await storage.commit({ key: markKey, expected: 0, value: mark });
  }
  const addOne = async ({ key, value }: StoredEntry): Promise<void> => {
    const result = await storage.commit({ key, value, expected: 0 });
    if (result.committed) return;
    const { current } = result;
    if (current?.corrupt === undefined && current?.value.equals(await readBack(value, key))) return;
    throw new TransferError(`the target has another object under ${key}`);
  };
  return {
    revision,
    after: undefined,
    async add(entries) {
      for (let at = 0; at < entries.length; at += concurrency) {
        await Promise.all(entries.slice(at, at + concurrency).map(addOne));
      }
    },
    async finish() {
      const current = await storage.get(markKey);
      if (current !== undefined) {
        await storage.commit({ key: markKey, expected: current.modRevision, value: undefined });
      }
    },
    close: () => storage.close(),
  };
}
