import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import type { StoreMetrics } from './store-metrics.ts';
import type { WatchCache } from './watch-cache/watch-cache.ts';

/**
 * How long a read or a write waits for a cache whose storage lags. Reads then go to storage itself. A write is answered
 * although this server does not show it yet.
 */
const defaultReachTimeoutMs = 1000;

export interface CacheLagOptions {
  readonly storage: Storage;
  readonly reachTimeoutMs?: number | undefined;
  readonly metrics?: StoreMetrics | undefined;
}

/**
 * Tells whether the cache of a storage that lags is current, and waits for it. A response from storage may show a state
 * that the cache has not reached. Later responses do not go back behind it.
 */
export class CacheLag {
  readonly #options: CacheLagOptions;
  /** What responses from storage have shown at least, while the cache was behind them. */
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

  /** Whether the cache includes the revision in time. Otherwise the response comes from storage and shows it. */
  reach(cache: WatchCache, revision: number): MaybePromise<boolean> {
    if (revision <= cache.reached) return true;
    const { reachTimeoutMs = defaultReachTimeoutMs } = this.#options;
    return cache.reach(revision, reachTimeoutMs).then((isReached) => {
      if (!isReached) this.show(revision);
      return isReached;
    });
  }

  /** A response shows the state at this revision. It may be newer than what the reader asked for. */
  show(revision: number): void {
    this.#shown = Math.max(this.#shown, revision);
  }
}

/** What storage answers. If it does not, what the cache has, provided that this is new enough for the reader. */
export async function unlessUnavailable<T>(
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
