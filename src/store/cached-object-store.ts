import type { RecentBytes } from '../codec/recent-bytes.ts';
import type { Clock } from '../meta/clock.ts';
import type { GroupResource } from '../meta/group-version.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { type Change, type Storage, StorageError } from '../storage/storage.ts';
import { CorruptObject, CorruptObjectError } from './corrupt-object.ts';
import { eventsFromHistory, type HistoryReader, listFromHistory } from './history.ts';
import { beforeCorrupt, listObjects, type Page } from './list-objects.ts';
import type {
  Decide,
  ListOptions,
  ListResult,
  ObjectEvent,
  ObjectStore,
  ObjectWatch,
  Outcome,
  ReadOptions,
  StoreLoad,
  UpdateOptions,
  WatchOptions,
} from './object-store.ts';
import { concerns, initialEvents, listPresent, presentRuns } from './present-state.ts';
import { readEntry } from './read-value.ts';
import type { StoreMetrics } from './store-metrics.ts';
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
  /** How long requests wait for a cache whose storage lags, in milliseconds. */
  readonly reachTimeoutMs?: number;
  /** The resource named in errors; default: the prefix. */
  readonly resource?: GroupResource;
  /** The kind of the objects. Values that storage cannot verify must be of this kind. */
  readonly kind?: string;
  /** Called when the set of corrupt objects changes. */
  readonly onCorrupt?: (objects: readonly CorruptObject[]) => void;
  /** Absent when nobody measures the store. */
  readonly metrics?: StoreMetrics;
  /** By default that of the machine. */
  readonly clock?: Clock;
  /** Shuts down the store. */
  readonly signal: AbortSignal;
}

/**
 * How long a read or a write waits for a cache whose storage lags. Reads then go to storage itself. A write is answered
 * although this server does not show it yet.
 */
const defaultReachTimeoutMs = 1000;
/** So many single objects of a large type are read from storage. More of them fill the cache. */
const maxSingleReads = 64;

/**
 * The store of one type. Writes go to storage. Reads are served by the watch cache, which is filled on the first read; if
 * the type is large, on the first list or watch, because a server that starts reads single objects of such types. Data no
 * longer in the cache (a past revision, the start of an old watch) is read from storage history.
 *
 * Where watches lag, a read that must be current asks storage for its latest revision and waits until the cache has it. A
 * write waits until it is in the cache, so that its client finds it there, and everything in this server that follows
 * the type obeys it.
 */
export class CachedObjectStore implements ObjectStore {
  readonly #options: CachedObjectStoreOptions;
  readonly #storage: Storage;
  readonly #history: HistoryReader;
  #cache: WatchCache | undefined;
  /** Resolves with undefined if the type is large and nobody needs all its objects. */
  #starting: Promise<WatchCache | undefined> | undefined;
  /** Whether the cache is filled although the type is large. */
  #isNeeded = false;
  #isLarge = false;
  /** The number of single objects of a large type that were read from storage. */
  #singleReads = 0;
  #hasCorrupt = false;
  /** What responses from storage have shown at least, while the cache was behind them. */
  #shown = 0;

  constructor(options: CachedObjectStoreOptions) {
    this.#options = options;
    this.#storage = options.storage;
    const { storage, kind } = options;
    this.#history = { storage, kind, fail: (objects) => this.#fail(objects, options.prefix) };
  }

  get mayBeStale(): boolean | undefined {
    return this.#storage.mayBeStale;
  }

  state(): object | undefined {
    return this.#cache?.state;
  }

  revision(): MaybePromise<number> {
    return this.#storage.latestRevision();
  }

  oldestRevision(): number {
    return this.#storage.compactedRevision();
  }

  reached(): number {
    return this.#reachedBy(this.#cache);
  }

  #reachedBy(cache: WatchCache | undefined): number {
    const latest = this.#storage.watchesLag ? undefined : this.#storage.latestRevision();
    return typeof latest === 'number' ? latest : (cache?.reached ?? 0);
  }

  load(prefix: string): StoreLoad | undefined {
    if (this.#cache === undefined) return undefined;
    const { watches, meanBytes } = this.#cache;
    return { objects: this.#cache.count(prefix), watches, meanBytes };
  }

  get(key: string, options?: ReadOptions): MaybePromise<StoredObject | undefined> {
    const cache = this.#cache;
    if (cache === undefined) return this.#getUncached(key, options);
    if (!this.#storage.watchesLag) return this.#cached(cache, key);
    return mapMaybe(this.#isCurrent(cache, options?.atLeast), (isCurrent) => {
      const cached = (): StoredObject | undefined => this.#cached(cache, key);
      return isCurrent ? cached() : unlessUnavailable(this.#getStored(key), isNewEnough(cache, options) && cached);
    });
  }

  /**
   * Whether the cache, of a storage that lags, includes all changes up to the revision; undefined: all until now. False also
   * if this server has shown a later state: it does not go back.
   */
  #isCurrent(cache: WatchCache, atLeast: number | undefined): MaybePromise<boolean> {
    if (atLeast !== undefined) {
      return mapMaybe(this.#reach(cache, atLeast), (isReached) => isReached && this.#shown <= cache.reached);
    }
    const startedAt = performance.now();
    const current = mapMaybe(this.#storage.latestRevision(), (latest) => this.#reach(cache, latest));
    return mapMaybe(current, (isCurrent) => {
      this.#options.metrics?.waited(performance.now() - startedAt, isCurrent);
      return isCurrent;
    });
  }

  /** Whether the cache includes the revision in time. Otherwise the response comes from storage and shows it. */
  #reach(cache: WatchCache, revision: number): MaybePromise<boolean> {
    if (revision <= cache.reached) return true;
    const { reachTimeoutMs = defaultReachTimeoutMs } = this.#options;
    return cache.reach(revision, reachTimeoutMs).then((isReached) => {
      if (!isReached) this.#show(revision);
      return isReached;
    });
  }

  #show(revision: number): void {
    this.#shown = Math.max(this.#shown, revision);
  }

  /** A later read from the cache does not go back behind this state, which may be newer than what the reader asked for. */
  async #showStored(object: StoredObject | CorruptObject | undefined): Promise<void> {
    if (!this.#storage.watchesLag) return;
    // What deleted an object is not recorded with it.
    this.#show(object?.revision ?? (await this.#storage.latestRevision()));
  }

  /** The number of objects. Undefined before the first read. */
  get size(): number | undefined {
    return this.#cache?.size;
  }

  async #getUncached(key: string, options: ReadOptions | undefined): Promise<StoredObject | undefined> {
    if (!this.#isLarge && (await this.#start()) !== undefined) return this.get(key, options);
    if (++this.#singleReads >= maxSingleReads) {
      // Its failure is reported to those who wait for it.
      this.#started().catch(() => {});
    }
    return this.#getStored(key);
  }

  async #getStored(key: string): Promise<StoredObject | undefined> {
    const object = await this.#read(key);
    return object instanceof CorruptObject ? this.#fail([object], key) : object;
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
    if (this.#storage.watchesLag) return this.#listLagging(cache, options);
    const latest = this.reached();
    const { revision = latest } = options;
    if (revision > latest) throw new StorageError('RevisionInFuture', `revision ${revision} has not been reached`);
    return this.#listAt(cache, options, revision);
  }

  #listLagging(cache: WatchCache, options: ListOptions): MaybePromise<ListResult> {
    const { revision, atLeast } = options;
    if (revision !== undefined) {
      return revision <= cache.reached ? this.#listAt(cache, options, revision) : this.#listStored(options, revision);
    }
    return mapMaybe(this.#isCurrent(cache, atLeast), (isCurrent) => {
      const cached = (): MaybePromise<ListResult> => this.#listAt(cache, options, cache.reached);
      return isCurrent ? cached() : unlessUnavailable(this.#listStored(options), isNewEnough(cache, options) && cached);
    });
  }

  async #listStored(options: ListOptions, revision?: number): Promise<ListResult> {
    const at = revision ?? (await this.#storage.latestRevision());
    if (revision === undefined) this.#show(at);
    let fetched = 0;
    const onRead = (entries: number): void => {
      fetched += entries;
    };
    const listed = await listFromHistory({ ...this.#history, onRead }, { ...options, revision: at });
    this.#options.metrics?.listedFromStorage({ fetched, returned: objectsIn(listed) });
    return listed;
  }

  /** Lists at a revision that the cache has reached. */
  #listAt(cache: WatchCache, options: ListOptions, revision: number): MaybePromise<ListResult> {
    // The present state of a cache that lags may be older than the kept history.
    const isPast = options.revision !== undefined;
    if (isPast && revision < this.#storage.compactedRevision()) throw compacted(revision);
    const objects = cache.objectsAt(revision);
    if (objects === undefined) return this.#listStored(options, revision);
    const counted = new CountedMatches(options.matches);
    const examined = options.matches === undefined ? options : { ...options, matches: counted.matches };
    const page = objects === cache.objects ? listPresent(cache, examined) : listObjects(objects, examined);
    return mapMaybe(page, (listed) => {
      this.#countList(listed, counted, options);
      return { revision, ...this.#checked(listed, objects.corrupt, options) };
    });
  }

  #countList({ runs }: Page, counted: CountedMatches, { key, indexed, matches }: ListOptions): void {
    const { metrics } = this.#options;
    if (metrics === undefined) return;
    const returned = objectsIn({ runs });
    const index = indexed === undefined || key !== undefined ? '' : indexed.index.name;
    metrics.listed(index, { fetched: matches === undefined ? returned : counted.count, returned });
  }

  #checked(page: Page, corrupt: readonly CorruptObject[], options: ListOptions): Page {
    if (corrupt.length === 0 || options.skipCorrupt) return page;
    const place = options.key ?? options.prefix;
    return beforeCorrupt(page, corrupt, { options, found: (objects) => this.#fail(objects, place) });
  }

  async watch(options: WatchOptions): Promise<ObjectWatch> {
    const cache = await this.#started();
    const { after, atLeast, signal } = options;
    const isCurrent = after !== undefined || !this.#storage.watchesLag ? true : await this.#isCurrent(cache, atLeast);
    if (!isCurrent) return this.#watchStored(cache, options);
    signal.throwIfAborted();
    // There is no await from here to the subscription, so no event is missed in between.
    const reached = this.#reachedBy(cache);
    const progress = (): number => {
      cache.deliver();
      return this.#reachedBy(cache);
    };
    if (after === undefined) {
      const initialRevision = Math.max(reached, cache.lastChange);
      this.#checked({ runs: [] }, cache.allCorrupt, { ...options, limit: 0 });
      const backlog = initialEvents(presentRuns(cache, options));
      cache.subscribe({ scope: options, ...options }, options);
      return { backlog, initialRevision, progress };
    }
    if (after < this.#storage.compactedRevision()) throw compacted(after);
    const { windowFloor } = cache;
    const recent = cache.eventsAfter(Math.max(after, windowFloor)).filter((event) => concerns(options, event));
    this.#subscribe(cache, options, { after, reached });
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

  #subscribe(
    cache: WatchCache,
    options: WatchOptions,
    { after, reached }: { readonly after: number; readonly reached: number },
  ): void {
    // The watch starts at a revision that the cache has not reached, so earlier events are skipped.
    const onEvent = (event: ObjectEvent): void => {
      if (event.object.revision > after) options.onEvent(event);
    };
    const isAhead = after > reached;
    cache.subscribe(
      { scope: options, onEvent: isAhead ? onEvent : options.onEvent, onError: options.onError },
      options,
    );
  }

  /** Begins with the state in storage, because the cache does not reach it in time. */
  async #watchStored(cache: WatchCache, options: WatchOptions): Promise<ObjectWatch> {
    const revision = await this.#storage.latestRevision();
    this.#show(revision);
    options.signal.throwIfAborted();
    const { reached } = cache;
    // The cache has reached it after all.
    if (reached >= revision) return this.watch(options);
    this.#subscribe(cache, options, { after: revision, reached });
    const state = this.#listStored({ ...options, matches: undefined, limit: 0 }, revision);
    return {
      backlog: initialEvents((await state).runs),
      initialRevision: revision,
      progress: () => {
        cache.deliver();
        return Math.max(revision, cache.reached);
      },
    };
  }

  async update(key: string, decide: Decide, options: UpdateOptions = {}): Promise<Outcome> {
    const isRead = this.#cache === undefined && !options.expectAbsent;
    let current = isRead ? await this.#read(key) : this.#newest(key);
    // A state that another server may have changed since.
    let mayBeOld = this.#storage.watchesLag && !isRead;
    for (;;) {
      let change: Change | undefined;
      let refusal: unknown;
      try {
        change = await this.#decided(key, current, { decide, ...options });
      } catch (error) {
        if (!mayBeOld) throw error;
        refusal = error;
      }
      if (change !== undefined) {
        const result = await this.#storage.commit(change);
        if (result.committed) {
          const { revision } = result;
          if (this.#storage.watchesLag && this.#cache !== undefined) await this.#reach(this.#cache, revision);
          return { object: this.#committed(change, { revision, previous: current }), changed: true };
        }
        current = result.current && readEntry(result.current, this.#options.kind);
        await this.#showStored(current);
      } else {
        const stored = mayBeOld ? await this.#read(key) : current;
        if (stored?.revision === current?.revision) {
          if (refusal !== undefined) throw refusal;
          return { object: current instanceof CorruptObject ? undefined : current, changed: false };
        }
        current = stored;
      }
      mayBeOld = false;
    }
  }

  /** The change to make; undefined if there is none. */
  async #decided(
    key: string,
    current: StoredObject | CorruptObject | undefined,
    { decide, onCorrupt }: UpdateOptions & { readonly decide: Decide },
  ): Promise<Change | undefined> {
    if (current instanceof CorruptObject) {
      const { action } = onCorrupt?.(current) ?? this.#fail([current], key);
      return action === 'keep' ? undefined : { key, expected: current.revision, value: undefined };
    }
    const decided = decide(current);
    const decision = decided instanceof Promise ? await decided : decided;
    if (decision.action === 'keep') return undefined;
    const value = decision.action === 'put' ? decision.value : undefined;
    if (value === undefined ? current === undefined : current?.isEncodedAs(value)) {
      if (current === undefined || !(await this.#isOutdated(current))) return undefined;
    }
    return { key, expected: current?.revision ?? 0, value };
  }

  /** Whether the stored value is not that of the object, or is in a form that a write would replace. */
  async #isOutdated({ key, revision }: StoredObject): Promise<boolean> {
    if (!this.#storage.mayBeStale) return false;
    const entry = await this.#storage.get(key);
    return entry?.modRevision !== revision || entry.stale === true;
  }

  #newest(key: string): StoredObject | CorruptObject | undefined {
    return this.#cache?.get(key) ?? this.#cache?.corrupt(key);
  }

  #committed(
    { key, value }: Change,
    { revision, previous }: { revision: number; previous: StoredObject | CorruptObject | undefined },
  ): StoredObject | undefined {
    if (previous instanceof CorruptObject) return undefined;
    if (value === undefined) return previous!.withRevision(revision);
    // The cache has already created the object from the event, unless a later commit has replaced it.
    const cached = this.#cache?.get(key);
    return cached?.revision === revision ? cached : StoredObject.fromValue({ key, value, revision });
  }

  async #read(key: string): Promise<StoredObject | CorruptObject | undefined> {
    const entry = await this.#storage.get(key);
    const object = entry && readEntry(entry, this.#options.kind);
    await this.#showStored(object);
    return object;
  }

  /** The cache with all objects. */
  async #started(): Promise<WatchCache> {
    this.#isNeeded = true;
    for (;;) {
      // A start that was abandoned may have decided so before.
      const cache = this.#cache ?? (await this.#start());
      if (cache !== undefined) return cache;
    }
  }

  #start(): Promise<WatchCache | undefined> {
    this.#starting ??= this.#startCache();
    return this.#starting;
  }

  /** Also when a new cache can read what the one before could not. */
  #reportCorrupt(objects: readonly CorruptObject[]): void {
    if (objects.length === 0 && !this.#hasCorrupt) return;
    this.#hasCorrupt = objects.length > 0;
    this.#options.onCorrupt?.(objects);
  }

  async #startCache(): Promise<WatchCache | undefined> {
    try {
      // After a failure, the next reader starts a new cache.
      this.#cache = await WatchCache.start({
        ...this.#options,
        isNeeded: () => {
          this.#isLarge = true;
          return this.#isNeeded;
        },
        onCorrupt: (objects) => this.#reportCorrupt(objects),
        corruptError: (objects) => this.#corruptError(objects, this.#options.prefix),
        onFailure: () => (this.#cache = undefined),
      });
      return this.#cache;
    } finally {
      this.#starting = undefined;
    }
  }
}

/** Whether the reader takes the state of the cache, although this server has shown a later one. */
function isNewEnough({ reached }: WatchCache, options: ReadOptions | undefined): boolean {
  return options?.atLeast !== undefined && options.atLeast <= reached;
}

/** What storage answers, or what there is otherwise if it does not answer. */
async function unlessUnavailable<T>(stored: Promise<T>, otherwise: false | (() => MaybePromise<T>)): Promise<T> {
  try {
    return await stored;
  } catch (error) {
    const isUnavailable = error instanceof StorageError && error.code === 'Unavailable';
    if (!isUnavailable || otherwise === false) throw error;
    return otherwise();
  }
}

/** Counts the objects that a list examines. */
class CountedMatches {
  count = 0;
  readonly matches: NonNullable<ListOptions['matches']>;

  constructor(matches: ListOptions['matches']) {
    this.matches = (object) => {
      this.count++;
      return matches!(object);
    };
  }
}

function compacted(revision: number): StorageError {
  return new StorageError('RevisionCompacted', `revision ${revision} has been compacted`);
}

function objectsIn({ runs }: Pick<Page, 'runs'>): number {
  let count = 0;
  for (const { objects } of runs) count += objects.length;
  return count;
}
