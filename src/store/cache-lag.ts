import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import type { StoreMetrics } from './store-metrics.ts';
import type { WatchCache } from './watch-cache/watch-cache.ts';

/**
 * How long a read or a write waits for a cache whose storage lags. After that, reads go to storage itself, and a write
 * responds although reads from this server do not show it yet.
 */
const defaultReachTimeoutMs = 1000;

export interface CacheLagOptions {
  readonly storage: Storage;
  readonly reachTimeoutMs?: number | undefined;
  readonly metrics?: StoreMetrics | undefined;
}

/**
 * Determines whether the cache of a storage that lags is current, and waits for it. A response from storage may show a
 * state that the cache has not reached. Later responses never show an older state.
 */
export class CacheLag {
  readonly #options: CacheLagOptions;
  /** The highest revision that responses from storage have shown while the cache was behind. */
  #shown = 0;

  constructor(options: CacheLagOptions) {
    this.#options = options;
  }

  /** The revision up to which a read from the cache includes all changes, without asking storage. */
  reached(cache: WatchCache | undefined): number {
    const { storage } = this.#options;
    const latest = storage.watchesLag ? undefined : storage.latestRevision();
    return typeof latest === 'number' ? latest : (cache?.reached ?? 0);
  }

  /**
   * Whether the cache, of a storage that lags, includes all changes up to the revision; undefined: all until now. False also
   * if this server has shown a later state.
   */
  isCurrent(cache: WatchCache, atLeast: number | undefined): MaybePromise<boolean> {
    if (atLeast !== undefined) {
      return mapMaybe(this.reach(cache, atLeast), (isReached) => isReached && this.#shown <= cache.reached);
    }
    const startedAt = performance.now();
    const current = mapMaybe(this.#options.storage.latestRevision(), (latest) => this.reach(cache, latest));
    return mapMaybe(current, (isCurrent) => {
      this.#options.metrics?.waited(performance.now() - startedAt, isCurrent ? 'current' : 'behind');
      return isCurrent;
    });
  }

  /** Whether the cache reaches the revision in time. Otherwise the response comes from storage and shows it. */
  reach(cache: WatchCache, revision: number): MaybePromise<boolean> {
    if (revision <= cache.reached) return true;
    const { reachTimeoutMs = defaultReachTimeoutMs } = this.#options;
    return cache.reach(revision, reachTimeoutMs).then((isReached) => {
      if (!isReached) this.show(revision);
      return isReached;
    });
  }

  /** Records that a response shows the state at this revision. It may be newer than the reader requested. */
  show(revision: number): void {
    this.#shown = Math.max(this.#shown, revision);
  }
}

/**
 * Returns the result of storage. If storage is unavailable, returns the result of the cache if it is new enough for the
 * reader.
 */
export async function storageOrCache<T>(
  fromStorage: Promise<T>,
  { cache, atLeast, cached }: { cache: WatchCache; atLeast: number | undefined; cached: () => MaybePromise<T> },
): Promise<T> {
  try {
    return await fromStorage;
  } catch (error) {
    const isUnavailable = error instanceof StorageError && error.code === 'Unavailable';
    const isNewEnough = atLeast !== undefined && atLeast <= cache.reached;
    if (!isUnavailable || !isNewEnough) throw error;
    return cached();
  }
}
