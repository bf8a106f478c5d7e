import type { RecentBytes } from '../codec/recent-bytes.ts';
import type { Clock } from '../meta/clock.ts';
import type { GroupResource } from '../meta/group-version.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { Storage } from '../storage/storage.ts';
import { CacheLag, storageOrCache } from './cache-lag.ts';
import { type CorruptObject, CorruptObjectError } from './corrupt-object.ts';
import { ObjectLists } from './object-lists.ts';
import type {
  Decide,
  ListOptions,
  ListResult,
  ObjectStore,
  ObjectWatch,
  Outcome,
  ReadOptions,
  StoreLoad,
  UpdateOptions,
  WatchOptions,
} from './object-store.ts';
import { ObjectUpdates } from './object-updates.ts';
import { StorageReads } from './storage-reads.ts';
import type { StoreDependencies } from './store-dependencies.ts';
import type { StoreMetrics } from './store-metrics.ts';
import type { StoredObject } from './stored-object.ts';
import { CacheOnDemand } from './watch-cache/cache-on-demand.ts';
import type { EventWindowLimits } from './watch-cache/event-window.ts';
import type { WatchCache } from './watch-cache/watch-cache.ts';
import { WatchStarts } from './watch-starts.ts';

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
  /** Undefined when metrics are off. */
  readonly metrics?: StoreMetrics;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Abort it to shut down the store. */
  readonly signal: AbortSignal;
}

/**
 * The store of one type. Writes go to storage. Reads are served by the watch cache. Data no longer in the cache (a past
 * revision, the start of an old watch) is read from storage history. If watches lag, a read that must be current
 * requests the latest revision of storage and waits until the cache has reached it.
 */
export class CachedObjectStore implements ObjectStore {
  readonly #dependencies: StoreDependencies;
  readonly #lists: ObjectLists;
  readonly #watches: WatchStarts;
  readonly #updates: ObjectUpdates;

  constructor(options: CachedObjectStoreOptions) {
    const { storage, prefix, resource = { group: '', resource: prefix.split('/').at(-2)! } } = options;
    const cache = new CacheOnDemand(
      options,
      (objects) => new CorruptObjectError(objects, { resource, keyOrPrefix: prefix }),
    );
    const lag = new CacheLag(options);
    this.#dependencies = { storage, resource, cache, lag, storageReads: new StorageReads(options, { resource, lag }) };
    this.#lists = new ObjectLists(this.#dependencies, options);
    this.#watches = new WatchStarts(this.#dependencies);
    this.#updates = new ObjectUpdates(this.#dependencies);
  }

  get mayBeStale(): boolean | undefined {
    return this.#dependencies.storage.mayBeStale;
  }

  state(): object | undefined {
    return this.#dependencies.cache.filled?.state;
  }

  cachedSize(key: string): number | undefined {
    return this.#dependencies.cache.filled?.get(key)?.size;
  }

  revision(): MaybePromise<number> {
    return this.#dependencies.storage.latestRevision();
  }

  oldestRevision(): number {
    return this.#dependencies.storage.compactedRevision();
  }

  reached(): number {
    return this.#dependencies.lag.reached(this.#dependencies.cache.filled);
  }

  load(prefix: string): StoreLoad | undefined {
    const cache = this.#dependencies.cache.filled;
    return cache && { objects: cache.count(prefix), watches: cache.watches, meanBytes: cache.meanBytes };
  }

  /** The number of objects. Undefined before the first read. */
  get size(): number | undefined {
    return this.#dependencies.cache.filled?.size;
  }

  get(key: string, options?: ReadOptions): MaybePromise<StoredObject | undefined> {
    const cache = this.#dependencies.cache.filled;
    if (cache === undefined) return this.#getUncached(key, options);
    if (!this.#dependencies.storage.watchesLag) return this.#getCached(cache, key);
    return this.#getLagging(cache, key, options?.atLeast);
  }

  #getLagging(cache: WatchCache, key: string, atLeast: number | undefined): MaybePromise<StoredObject | undefined> {
    const { lag, storageReads } = this.#dependencies;
    return mapMaybe(lag.isCurrent(cache, atLeast), (isCurrent) => {
      const cached = (): StoredObject | undefined => this.#getCached(cache, key);
      return isCurrent ? cached() : storageOrCache(storageReads.get(key), { cache, atLeast, cached });
    });
  }

  #getCached(cache: WatchCache, key: string): StoredObject | undefined {
    const object = cache.get(key);
    const corrupt = object === undefined ? cache.corrupt(key) : undefined;
    if (corrupt !== undefined)
      throw new CorruptObjectError([corrupt], { resource: this.#dependencies.resource, keyOrPrefix: key });
    return object;
  }

  async #getUncached(key: string, options: ReadOptions | undefined): Promise<StoredObject | undefined> {
    const cache = await this.#dependencies.cache.forOne();
    return cache === undefined ? this.#dependencies.storageReads.get(key) : this.get(key, options);
  }

  list(options: ListOptions): MaybePromise<ListResult> {
    const cache = this.#dependencies.cache.filled;
    if (cache === undefined) return this.#dependencies.cache.forAll().then(() => this.list(options));
    return this.#lists.list(cache, options);
  }

  watch(options: WatchOptions): Promise<ObjectWatch> {
    return this.#watches.watch(options);
  }

  update(key: string, decide: Decide, options?: UpdateOptions): Promise<Outcome> {
    return this.#updates.update(key, decide, options);
  }
}
