import type { MaybePromise } from '../meta/maybe-promise.ts';
import { prefixEnd, type Storage, StorageError } from '../storage/storage.ts';
import { type ObjectRun, runsOf } from './object-run.ts';
import type {
  Decide,
  ListOptions,
  ListResult,
  ObjectEvent,
  ObjectStore,
  Outcome,
  UpdateOptions,
  WatchOptions,
} from './object-store.ts';
import { StoredObject } from './stored-object.ts';
import type { RecentBytes } from './watch-cache/recent-bytes.ts';
import { WatchCache } from './watch-cache/watch-cache.ts';

const historyPage = 500;

export interface CachedObjectStoreOptions {
  readonly storage: Storage;
  /** Ends with a slash. */
  readonly prefix: string;
  /** Shared by the stores of a server. */
  readonly encoded: RecentBytes;
  /** Ends the store. */
  readonly signal: AbortSignal;
}

/**
 * The store of one type: writes go to storage, reads come from the watch cache, which is filled on the first read. What the
 * cache no longer holds (a past revision, the start of an old watch) is read from storage's history.
 */
export class CachedObjectStore implements ObjectStore {
  readonly #storage: Storage;
  readonly #prefix: string;
  readonly #encoded: RecentBytes;
  readonly #signal: AbortSignal;
  #cache: WatchCache | undefined;
  #starting: Promise<WatchCache> | undefined;

  constructor({ storage, prefix, encoded, signal }: CachedObjectStoreOptions) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#encoded = encoded;
    this.#signal = signal;
  }

  revision(): MaybePromise<number> {
    return this.#storage.latestRevision();
  }

  get(key: string): MaybePromise<StoredObject | undefined> {
    if (this.#cache !== undefined) return this.#cache.get(key);
    return this.#started().then((cache) => cache.get(key));
  }

  list(options: ListOptions): MaybePromise<ListResult> {
    const cache = this.#cache;
    if (cache === undefined) return this.#started().then(() => this.list(options));
    const latest = this.#storage.latestRevision();
    if (typeof latest !== 'number') return latest.then((revision) => this.#listAt(cache, options, revision));
    return this.#listAt(cache, options, latest);
  }

  #listAt(cache: WatchCache, options: ListOptions, latest: number): MaybePromise<ListResult> {
    const revision = options.revision ?? latest;
    if (revision > latest) throw new StorageError('RevisionInFuture', `revision ${revision} has not been reached`);
    if (revision < this.#storage.compactedRevision() || revision < cache.lastChange) {
      return this.#listFromHistory(options, revision);
    }
    return listFromCache(cache, options, revision);
  }

  async #listFromHistory(options: ListOptions, revision: number): Promise<ListResult> {
    const { prefix, limit, matches } = options;
    const objects: StoredObject[] = [];
    const end = prefixEnd(prefix);
    let start = options.startAfter === undefined ? prefix : `${options.startAfter}\0`;
    for (;;) {
      const page = await this.#storage.range({ start, end, limit: historyPage, revision });
      for (const [index, { key, value, modRevision }] of page.entries.entries()) {
        const object = StoredObject.fromValue({ key, value, revision: modRevision });
        if (matches !== undefined && !matches(object)) continue;
        objects.push(object);
        if (objects.length !== limit) continue;
        const more = page.more || index < page.entries.length - 1;
        return { revision, runs: runsOf(objects), ...(more && { continueAfter: key }) };
      }
      if (!page.more) return { revision, runs: runsOf(objects) };
      start = `${page.entries.at(-1)!.key}\0`;
    }
  }

  async watch(options: WatchOptions): Promise<void> {
    const cache = await this.#started();
    const { prefix, after, signal } = options;
    if (signal.aborted) return;
    if (after === undefined) {
      const revision = await this.revision();
      if (signal.aborted) return;
      // From here to the subscription nothing awaits, so no event can slip through between the two.
      for (const { objects } of cache.ordered.runs(prefix, prefixEnd(prefix))) {
        for (const object of objects) options.onEvent({ type: 'ADDED', object, previous: undefined });
      }
      options.onInitialEnd?.(Math.max(revision, cache.lastChange));
    } else if (after < this.#storage.compactedRevision()) {
      throw new StorageError('RevisionCompacted', `revision ${after} has been compacted`);
    } else if (after < cache.windowFloor) {
      await this.#watchHistory(options, after);
      return;
    } else {
      for (const event of cache.eventsAfter(after, prefix)) {
        if (signal.aborted) return;
        options.onEvent(event);
      }
    }
    const { onEvent, onError } = options;
    // A version of the future: what comes before it is not wanted.
    const wanted =
      after === undefined ? onEvent : (event: ObjectEvent) => event.object.revision > after && onEvent(event);
    cache.subscribe({ prefix, onEvent: wanted, onError }, signal);
  }

  /** A watch that starts before the window follows storage itself. */
  async #watchHistory({ prefix, onEvent, onError, signal }: WatchOptions, after: number): Promise<void> {
    await this.#storage.watch({
      prefix,
      after,
      signal,
      onError,
      onEvents: (events) => {
        for (const { key, value, revision, previous } of events) {
          if (signal.aborted) return;
          const before =
            previous && StoredObject.fromValue({ key, value: previous.value, revision: previous.modRevision });
          if (value !== undefined) {
            const object = StoredObject.fromValue({ key, value, revision });
            onEvent({ type: before === undefined ? 'ADDED' : 'MODIFIED', object, previous: before });
          } else if (before !== undefined) {
            onEvent({ type: 'DELETED', object: before.withRevision(revision), previous: before });
          }
        }
      },
    });
  }

  async update(key: string, decide: Decide, { expectAbsent = false }: UpdateOptions = {}): Promise<Outcome> {
    let current = this.#cache === undefined && !expectAbsent ? await this.#read(key) : this.#cache?.get(key);
    for (;;) {
      const decided = decide(current);
      const decision = decided instanceof Promise ? await decided : decided;
      if (decision.action === 'keep') return { object: current, changed: false };
      const value = decision.action === 'put' ? decision.value : undefined;
      if (current === undefined && value === undefined) return { object: undefined, changed: false };
      if (value !== undefined && current?.isEncodedAs(value)) return { object: current, changed: false };
      const result = await this.#storage.commit({ key, expected: current?.revision ?? 0, value });
      if (result.committed)
        return { object: this.#committed({ key, value, revision: result.revision }, current), changed: true };
      current = result.current && fromEntry(result.current);
    }
  }

  #committed(
    { key, value, revision }: { key: string; value: Buffer | undefined; revision: number },
    previous: StoredObject | undefined,
  ): StoredObject {
    if (value === undefined) return previous!.withRevision(revision);
    // The cache has already made the object out of the event, unless a later commit was faster.
    const cached = this.#cache?.get(key);
    return cached?.revision === revision ? cached : StoredObject.fromValue({ key, value, revision });
  }

  async #read(key: string): Promise<StoredObject | undefined> {
    const entry = await this.#storage.get(key);
    return entry && fromEntry(entry);
  }

  #started(): Promise<WatchCache> {
    if (this.#cache !== undefined) return Promise.resolve(this.#cache);
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<WatchCache> {
    try {
      const options = { storage: this.#storage, prefix: this.#prefix, encoded: this.#encoded, signal: this.#signal };
      // After a failure the next reader starts a new cache.
      this.#cache = await WatchCache.start({ ...options, onFailure: () => (this.#cache = undefined) });
      return this.#cache;
    } finally {
      this.#starting = undefined;
    }
  }
}

function fromEntry({ key, value, modRevision }: { key: string; value: Buffer; modRevision: number }): StoredObject {
  return StoredObject.fromValue({ key, value, revision: modRevision });
}

function listFromCache({ ordered }: WatchCache, options: ListOptions, revision: number): ListResult {
  const { prefix, startAfter, limit, matches } = options;
  const start = startAfter === undefined ? prefix : `${startAfter}\0`;
  const end = prefixEnd(prefix);
  const all = ordered.runs(start, end);
  if (matches !== undefined) return { revision, ...selected(all, { limit, matches }) };
  if (limit === 0) return { revision, runs: [...all] };
  const { runs, more } = firstOf(all, limit);
  const continueAfter = runs.at(-1)?.objects.at(-1)?.key;
  if (!more || continueAfter === undefined) return { revision, runs };
  return { revision, runs, continueAfter, remaining: ordered.count(`${continueAfter}\0`, end) };
}

/** The first `limit` objects, and whether there are others behind them. */
function firstOf(all: Iterable<ObjectRun>, limit: number): { runs: ObjectRun[]; more: boolean } {
  const runs: ObjectRun[] = [];
  let left = limit;
  for (const run of all) {
    if (left === 0) return { runs, more: true };
    const { length } = run.objects;
    runs.push(length <= left ? run : run.first(left));
    if (length > left) return { runs, more: true };
    left -= length;
  }
  return { runs, more: false };
}

interface SelectedOptions {
  readonly limit: number;
  readonly matches: (object: StoredObject) => boolean;
}

/** The first `limit` matching objects, and where to go on when there are any others behind them. */
function selected(
  all: Iterable<ObjectRun>,
  { limit, matches }: SelectedOptions,
): Pick<ListResult, 'runs' | 'continueAfter'> {
  const found: StoredObject[] = [];
  for (const { objects } of all) {
    for (const object of objects) {
      if (limit > 0 && found.length === limit) return { runs: runsOf(found), continueAfter: found.at(-1)!.key };
      if (matches(object)) found.push(object);
    }
  }
  return { runs: runsOf(found) };
}
