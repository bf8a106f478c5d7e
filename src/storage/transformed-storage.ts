import { DelegatingStorage } from './delegating-storage.ts';
import { RecentWrites } from './recent-writes.ts';
import type {
  Change,
  CommitResult,
  RangeOptions,
  RangeResult,
  Storage,
  StorageEvent,
  StoredEntry,
  ValueIntegrity,
  WatchOptions,
} from './storage.ts';

/** Converts values to another form for storage, such as an encrypted one, and back. */
export interface ValueTransformer {
  /**
   * Returns the form to write. A rejection fails the commit. `object` is what the value encodes, apart from a
   * resourceVersion, if it is at hand. It must not be modified.
   */
  toStored(value: Buffer, key: string, object?: object): Buffer | Promise<Buffer>;
  /**
   * Returns the original value. A value that cannot be read is `corrupt`. A rejection fails the read or the watch. It
   * is meant for values that may be readable later. Must be synchronous for values that this process has just written,
   * because backends with one writer deliver events before the commit resolves.
   */
  fromStored(stored: Buffer, key: string): TransformedValue | Promise<TransformedValue>;
}

export interface TransformedValue extends ValueIntegrity {
  readonly value: Buffer;
}

interface OpenWatch {
  readonly prefix: string;
  readonly fail: (error: Error) => void;
}

/** Converts values on their way to and from an underlying storage. */
export class TransformedStorage extends DelegatingStorage {
  readonly #transformer: ValueTransformer;
  readonly #watches = new Set<OpenWatch>();
  readonly #written = new RecentWrites();

  constructor(storage: Storage, transformer: ValueTransformer) {
    super(storage);
    this.#transformer = transformer;
  }

  override get mayBeStale(): true {
    return true;
  }

  override async get(key: string, options?: { revision?: number }): Promise<StoredEntry | undefined> {
    const entry = await this.storage.get(key, options);
    return entry && this.#read(entry);
  }

  override async range(options: RangeOptions): Promise<RangeResult> {
    // The underlying storage keeps the converted form.
    const result = await this.storage.range({ ...options, keep: undefined });
    return { ...result, entries: await inOrder(result.entries.map((entry) => this.#read(entry))) };
  }

  override async commit(change: Change): Promise<CommitResult> {
    const { key, value, object } = change;
    const transformed = value && this.#transformer.toStored(value, key, object);
    const stored = transformed instanceof Promise ? await transformed : transformed;
    if (stored !== undefined) this.#written.add({ key, stored, value: value! });
    const result = await this.storage.commit({ ...change, value: stored, object: undefined });
    if (result.committed || result.current === undefined) return result;
    return { committed: false, current: await this.#read(result.current) };
  }

  /**
   * Ends the watches that may have delivered keys with one of the prefixes, because their values can be read now.
   * Followers of these keys read them again after such an error.
   */
  endWatches(prefixes: readonly string[], error: Error): void {
    const concerns = ({ prefix }: OpenWatch): boolean =>
      prefixes.some((ended) => ended.startsWith(prefix) || prefix.startsWith(ended));
    for (const watch of [...this.#watches].filter(concerns)) watch.fail(error);
  }

  override async watch(options: WatchOptions): Promise<void> {
    const { prefix, onEvents, onProgress, onError, signal } = options;
    const stop = new AbortController();
    /** Settles when everything received so far has been delivered. Undefined when nothing waits. */
    let pending: Promise<void> | undefined;
    const inTurn = (deliver: () => void): void => {
      if (pending === undefined) deliver();
      else queue(pending.then(deliver));
    };
    const fail = (error: Error): void => {
      if (stop.signal.aborted) return;
      stop.abort(error);
      if (!signal.aborted) onError(error);
    };
    const open: OpenWatch = { prefix, fail };
    const ended = AbortSignal.any([signal, stop.signal]);
    ended.addEventListener('abort', () => this.#watches.delete(open), { once: true });
    const queue = (turn: Promise<void>): void => {
      pending = turn;
      const settled = (): void => {
        if (pending === turn) pending = undefined;
      };
      turn.then(settled, (error: Error) => {
        settled();
        fail(error);
      });
    };
    const deliver = (events: readonly StorageEvent[]): void => {
      if (!signal.aborted && !stop.signal.aborted) onEvents(events);
    };
    await this.storage.watch({
      ...options,
      signal: ended,
      onEvents: (events) => {
        const read = inOrder(events.map((event) => this.#readEvent(event, options)));
        const before = pending;
        if (!(read instanceof Promise)) inTurn(() => deliver(read));
        else
          queue(
            read.then(async (ready) => {
              await before;
              deliver(ready);
            }),
          );
      },
      onProgress: onProgress && ((revision) => inTurn(() => void (signal.aborted || onProgress(revision)))),
      onError: (error) => inTurn(() => fail(error)),
    });
    await pending;
    signal.throwIfAborted();
    if (!stop.signal.aborted) this.#watches.add(open);
  }

  #read(entry: StoredEntry): StoredEntry | Promise<StoredEntry> {
    if (entry.corrupt !== undefined) return entry;
    const read = this.#transformer.fromStored(entry.value, entry.key);
    return read instanceof Promise ? read.then((value) => ({ ...entry, ...value })) : { ...entry, ...read };
  }

  #readEvent(event: StorageEvent, { withoutPrevious = false }: WatchOptions): StorageEvent | Promise<StorageEvent> {
    const { key, value, previous } = event;
    const before = previous && !withoutPrevious ? this.#read(previous) : undefined;
    const isReadable = value !== undefined && event.corrupt === undefined;
    const after = isReadable ? this.#readValue(key, value) : undefined;
    if (!(before instanceof Promise) && !(after instanceof Promise)) return { ...event, ...after, previous: before };
    return Promise.all([before, after]).then(([entry, read]) => ({ ...event, ...read, previous: entry }));
  }

  #readValue(key: string, stored: Buffer): TransformedValue | Promise<TransformedValue> {
    const value = this.#written.take(key, stored);
    return value === undefined ? this.#transformer.fromStored(stored, key) : { value };
  }
}

function inOrder<T>(values: readonly (T | Promise<T>)[]): T[] | Promise<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[]);
}
