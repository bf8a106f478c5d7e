import type { CorruptObject } from '../corrupt-object.ts';
import { WatchCache, type WatchCacheOptions } from './watch-cache.ts';

/** So many single objects of a large type are read from storage. More of them fill the cache. */
const maxSingleReads = 64;

type OfCache = 'isNeeded' | 'onFailure' | 'onCorrupt' | 'corruptError';

export interface CacheOnDemandOptions extends Omit<WatchCacheOptions, OfCache> {
  /** Called when the set of corrupt objects changes. */
  readonly onCorrupt?: ((objects: readonly CorruptObject[]) => void) | undefined;
}

/**
 * The watch cache of a type, which is filled on the first read; if the type is large, on the first list or watch, because
 * a server that starts reads single objects of such types. After a failure of storage, the next reader fills a new one.
 */
export class CacheOnDemand {
  readonly #options: CacheOnDemandOptions;
  readonly #corruptError: WatchCacheOptions['corruptError'];
  #filled: WatchCache | undefined;
  /** Resolves with undefined if the type is large and nobody needs all its objects, or if storage has failed since. */
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

  /** The cache, filled whatever the size of the type. */
  async whole(): Promise<WatchCache> {
    this.#isNeeded = true;
    for (;;) {
      // One that is being filled may have decided before that it is not needed.
      const cache = this.#filled ?? (await this.#fill());
      if (cache !== undefined) return cache;
    }
  }

  /** For the read of a single object. Undefined if that is to be read from storage. */
  async forOne(): Promise<WatchCache | undefined> {
    const cache = this.#isLarge ? undefined : await this.#fill();
    if (cache === undefined && ++this.#singleReads >= maxSingleReads) {
      // Its failure is reported to those who wait for it.
      this.whole().catch(() => {});
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
      // One that has failed already is as good as none.
      this.#filled = cache?.hasFailed ? undefined : cache;
      return this.#filled;
    } finally {
      this.#filling = undefined;
    }
  }

  /** Also when a new cache can read what the one before could not. */
  #reportCorrupt(objects: readonly CorruptObject[]): void {
    if (objects.length === 0 && !this.#hasCorrupt) return;
    this.#hasCorrupt = objects.length > 0;
    this.#options.onCorrupt?.(objects);
  }
}
