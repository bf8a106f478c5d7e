import type { RecentBytes } from '../codec/recent-bytes.ts';
import type { GroupResource } from '../meta/group-version.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { prefixEnd, type Storage, StorageError } from '../storage/storage.ts';
import { CorruptObject, CorruptObjectError } from './corrupt-object.ts';
import { eventsFromHistory, type HistoryReader, listFromHistory } from './history.ts';
import { beforeCorrupt, listObjects, type Page, selectFrom, startKey } from './list-objects.ts';
import { ObjectRun, runsOf } from './object-run.ts';
import type { ObjectScope } from './object-scope.ts';
import type {
  Decide,
  ListOptions,
  ListResult,
  ObjectEvent,
  ObjectStore,
  ObjectWatch,
  Outcome,
  UpdateOptions,
  WatchOptions,
} from './object-store.ts';
import { readEntry } from './read-value.ts';
import { StoredObject } from './stored-object.ts';
import type { EventWindowLimits } from './watch-cache/event-window.ts';
import { WatchCache } from './watch-cache/watch-cache.ts';

export interface CachedObjectStoreOptions {
  readonly storage: Storage;
  /** Ends with a slash. */
  readonly prefix: string;
  /** Shared by all stores of a server. */
  readonly encoded: RecentBytes;
  /** Limits of the events kept in memory. */
  readonly limits?: EventWindowLimits;
  /** The resource named in errors; default: the prefix. */
  readonly resource?: GroupResource;
  /** The kind of the objects. Values that storage cannot verify must be of this kind. */
  readonly kind?: string;
  /** Called when the set of corrupt objects changes. */
  readonly onCorrupt?: (objects: readonly CorruptObject[]) => void;
  /** Shuts down the store. */
  readonly signal: AbortSignal;
}

/**
 * The store of one type. Writes go to storage. Reads are served by the watch cache, which is filled on the first read.
 * Data no longer in the cache (a past revision, the start of an old watch) is read from storage history.
 */
export class CachedObjectStore implements ObjectStore {
  readonly #options: CachedObjectStoreOptions;
  readonly #storage: Storage;
  readonly #history: HistoryReader;
  #cache: WatchCache | undefined;
  #starting: Promise<WatchCache> | undefined;

  constructor(options: CachedObjectStoreOptions) {
    this.#options = options;
    this.#storage = options.storage;
    const { storage, kind } = options;
    this.#history = { storage, kind, fail: (objects) => this.#fail(objects, options.prefix) };
  }

  revision(): MaybePromise<number> {
    return this.#storage.latestRevision();
  }

  oldestRevision(): number {
    return this.#storage.compactedRevision();
  }

  get(key: string): MaybePromise<StoredObject | undefined> {
    if (this.#cache !== undefined) return this.#cached(this.#cache, key);
    return this.#started().then((cache) => this.#cached(cache, key));
  }

  #cached(cache: WatchCache, key: string): StoredObject | undefined {
    const object = cache.get(key);
    const corrupt = object === undefined ? cache.corrupt(key) : undefined;
    if (corrupt !== undefined) this.#fail([corrupt], key);
    return object;
  }

  #fail(objects: readonly CorruptObject[], place: string): never {
    throw this.#corruptError(objects, place);
  }

  #corruptError(objects: readonly CorruptObject[], place: string): CorruptObjectError {
    const { resource = { group: '', resource: this.#options.prefix.split('/').at(-2)! } } = this.#options;
    return new CorruptObjectError(objects, { resource, place });
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
    if (revision < this.#storage.compactedRevision()) throw compacted(revision);
    const objects = cache.objectsAt(revision);
    if (objects === undefined) return listFromHistory(this.#history, { ...options, revision });
    const page = objects === cache.objects ? listPresent(cache, options) : listObjects(objects, options);
    return mapMaybe(page, (listed) => ({ revision, ...this.#checked(listed, objects.corrupt, options) }));
  }

  #checked(page: Page, corrupt: readonly CorruptObject[], options: ListOptions): Page {
    if (corrupt.length === 0 || options.skipCorrupt) return page;
    const place = options.key ?? options.prefix;
    return beforeCorrupt(page, corrupt, { options, found: (objects) => this.#fail(objects, place) });
  }

  async watch(options: WatchOptions): Promise<ObjectWatch> {
    const cache = await this.#started();
    const { after, signal } = options;
    // Read before subscribing, because the state must be at least as new as the request.
    const revision = await this.revision();
    signal.throwIfAborted();
    // There is no await from here to the subscription, so no event is missed in between.
    const progress = (): number => this.#progress(cache);
    if (after === undefined) {
      const initialRevision = Math.max(revision, cache.lastChange);
      this.#checked({ runs: [] }, cache.objects.corrupt, { ...options, limit: 0 });
      const backlog = initialEvents(presentRuns(cache, options));
      cache.subscribe({ scope: options, ...options }, signal);
      return { backlog, initialRevision, progress };
    }
    if (after < this.#storage.compactedRevision()) throw compacted(after);
    const { windowFloor } = cache;
    const recent = cache.eventsAfter(Math.max(after, windowFloor)).filter((event) => concerns(options, event));
    // The watch starts at a future revision, so earlier events are skipped.
    const onEvent = (event: ObjectEvent): void => {
      if (event.object.revision > after) options.onEvent(event);
    };
    cache.subscribe(
      { scope: options, onEvent: after > revision ? onEvent : options.onEvent, onError: options.onError },
      signal,
    );
    const backlog = after < windowFloor ? this.#past(options, { after, through: windowFloor, recent }) : [recent];
    return { backlog, initialRevision: undefined, progress };
  }

  /** Events from before the window are read from history. */
  async *#past(
    options: WatchOptions,
    { after, through, recent }: { after: number; through: number; recent: readonly ObjectEvent[] },
  ): AsyncGenerator<readonly ObjectEvent[]> {
    const { signal } = options;
    for await (const events of eventsFromHistory(this.#history, { scope: options, after, through, signal })) {
      yield events.filter((event) => concerns(options, event));
    }
    yield recent;
  }

  /** If storage returns its revision synchronously, it has delivered all events up to that revision. */
  #progress(cache: WatchCache): number {
    const latest = this.#storage.latestRevision();
    return typeof latest === 'number' ? latest : cache.lastChange;
  }

  async update(key: string, decide: Decide, options: UpdateOptions = {}): Promise<Outcome> {
    const { expectAbsent = false, onCorrupt } = options;
    let current = this.#cache === undefined && !expectAbsent ? await this.#read(key) : this.#newest(key);
    for (;;) {
      if (current instanceof CorruptObject) {
        const { action } = onCorrupt?.(current) ?? this.#fail([current], key);
        if (action === 'keep') return { object: undefined, changed: false };
        const removal = await this.#storage.commit({ key, expected: current.revision, value: undefined });
        if (removal.committed) return { object: undefined, changed: true };
        current = removal.current && readEntry(removal.current, this.#options.kind);
        continue;
      }
      const decided = decide(current);
      const decision = decided instanceof Promise ? await decided : decided;
      if (decision.action === 'keep') return { object: current, changed: false };
      const value = decision.action === 'put' ? decision.value : undefined;
      if (current === undefined && value === undefined) return { object: undefined, changed: false };
      if (value !== undefined && current?.isEncodedAs(value)) return { object: current, changed: false };
      const result = await this.#storage.commit({ key, expected: current?.revision ?? 0, value });
      if (result.committed)
        return { object: this.#committed({ key, value, revision: result.revision }, current), changed: true };
      current = result.current && readEntry(result.current, this.#options.kind);
    }
  }

  #newest(key: string): StoredObject | CorruptObject | undefined {
    return this.#cache?.get(key) ?? this.#cache?.corrupt(key);
  }

  #committed(
    { key, value, revision }: { key: string; value: Buffer | undefined; revision: number },
    previous: StoredObject | undefined,
  ): StoredObject {
    if (value === undefined) return previous!.withRevision(revision);
    // The cache has already created the object from the event, unless a later commit has replaced it.
    const cached = this.#cache?.get(key);
    return cached?.revision === revision ? cached : StoredObject.fromValue({ key, value, revision });
  }

  async #read(key: string): Promise<StoredObject | CorruptObject | undefined> {
    const entry = await this.#storage.get(key);
    return entry && readEntry(entry, this.#options.kind);
  }

  #started(): Promise<WatchCache> {
    if (this.#cache !== undefined) return Promise.resolve(this.#cache);
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<WatchCache> {
    try {
      // After a failure, the next reader starts a new cache.
      this.#cache = await WatchCache.start({
        ...this.#options,
        onCorrupt: (objects) => this.#options.onCorrupt?.(objects),
        corruptError: (objects) => this.#corruptError(objects, this.#options.prefix),
        onFailure: () => (this.#cache = undefined),
      });
      return this.#cache;
    } finally {
      this.#starting = undefined;
    }
  }
}

function compacted(revision: number): StorageError {
  return new StorageError('RevisionCompacted', `revision ${revision} has been compacted`);
}

/** Lists the current state, for which indexes are available. */
function listPresent(cache: WatchCache, options: ListOptions): MaybePromise<Page> {
  const { prefix, key, indexed } = options;
  if (indexed === undefined || key !== undefined) return listObjects(cache.objects, options);
  return selectFrom(runsOf(cache.indexed(indexed, { prefix, startKey: startKey(options) })), options);
}

/** The current objects of a scope, not filtered by `matches`. */
function presentRuns(cache: WatchCache, { prefix, key, indexed }: ObjectScope): Iterable<ObjectRun> {
  if (key !== undefined) {
    const object = cache.get(key);
    return object === undefined ? [] : [new ObjectRun([object])];
  }
  if (indexed !== undefined) return runsOf(cache.indexed(indexed, { prefix, startKey: prefix }));
  return cache.objects.runs(prefix, prefixEnd(prefix));
}

/** Converts the objects of a state to ADDED events, on demand. */
function* initialEvents(runs: Iterable<ObjectRun>): Generator<readonly ObjectEvent[], undefined> {
  for (const { objects } of runs) {
    yield objects.map((object) => ({ type: 'ADDED' as const, object, previous: undefined }));
  }
}

/**
 * Whether a watcher of the scope needs the event. Ignores `matches`: watchers must learn when an object no longer
 * matches.
 */
function concerns({ prefix, key, indexed }: ObjectScope, { object, previous }: ObjectEvent): boolean {
  if (key !== undefined) return object.key === key;
  if (!object.key.startsWith(prefix)) return false;
  if (indexed === undefined) return true;
  const has = (state: typeof object): boolean => indexed.index.valueOf(state) === indexed.value;
  return has(object) || (previous !== undefined && has(previous));
}
