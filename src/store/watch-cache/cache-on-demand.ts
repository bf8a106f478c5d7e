import type { CorruptObject } from '../corrupt-object.ts';
import { WatchCache, type WatchCacheOptions } from './watch-cache.ts';

/** The maximum number of single objects of a large type that are read from storage before the cache is filled. */
const maxSingleReads = 64;

type OfCache = 'isNeeded' | 'onFailure' | 'onCorrupt' | 'corruptError';

export interface CacheOnDemandOptions extends Omit<WatchCacheOptions, OfCache> {
  /** Called when the set of corrupt objects changes. */
  readonly onCorrupt?: ((objects: readonly CorruptObject[]) => void) | undefined;
}

/**
 * The watch cache of a type, which is filled on the first read. For a large type it is filled on the first list or
 * watch, because a starting server reads single objects of such types. After a failure of storage, the next reader
 * fills a new one.
 */
export class CacheOnDemand {
  readonly #options: CacheOnDemandOptions;
  readonly #corruptError: WatchCacheOptions['corruptError'];
  #filled: WatchCache | undefined;
  /**
   * Resolves with undefined if the type is large and not all of its objects are needed, or if storage has failed since.
   */
  #filling: Promise<WatchCache | undefined> | undefined;
  /** Whether the cache is filled although the type is large. */
  #isNeeded = false;
  #isLarge = false;
  /** The number of single objects of a large type that were read from storage. */
  #singleReads = 0;
  #hasCorrupt = false;

  constructor(options: CacheOnDemandOptions, corruptError: WatchCacheOptions['corruptError']) {
    this.#options = options;
    this.#corruptError = corruptError;
  }

  /** Undefined while there is none. */
  get filled(): WatchCache | undefined {
    return this.#filled;
  }

  /** Returns the cache, filled regardless of the size of the type. */
  async forAll(): Promise<WatchCache> {
    this.#isNeeded = true;
    for (;;) {
      // A fill that is in progress may already have decided that the cache is not needed.
      const cache = this.#filled ?? (await this.#fill());
      if (cache !== undefined) return cache;
    }
  }

  /** Returns the cache for the read of a single object. Undefined if the object should be read from storage. */
  async forOne(): Promise<WatchCache | undefined> {
    const cache = this.#isLarge ? undefined : await this.#fill();
    if (cache === undefined && ++this.#singleReads >= maxSingleReads) {
      // Callers that wait for the cache get the failure.
      this.forAll().catch(() => {});
    }
    return cache;
  }

  #fill(): Promise<WatchCache | undefined> {
    this.#filling ??= this.#start();
    return this.#filling;
  }

  async #start(): Promise<WatchCache | undefined> {
    try {
      const cache = await WatchCache.start({
        ...this.#options,
        isNeeded: () => {
          this.#isLarge = true;
          return this.#isNeeded;
        },
        onCorrupt: (objects) => this.#reportCorrupt(objects),
        corruptError: this.#corruptError,
        onFailure: () => {
          this.#filled = undefined;
        },
      });
      // A cache that has already failed is not used.
      this.#filled = cache?.hasFailed ? undefined : cache;
      return this.#filled;
    } finally {
      this.#filling = undefined;
    }
  }

  /** Also reports when a new cache can read objects that the previous one could not read. */
  #reportCorrupt(objects: readonly CorruptObject[]): void {
    if (objects.length === 0 && !this.#hasCorrupt) return;
    this.#hasCorrupt = objects.length > 0;
    this.#options.onCorrupt?.(objects);
  }
}
