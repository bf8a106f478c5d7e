import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import { checkNotCompacted, checkNotFuture } from '../storage/preconditions.ts';
import { storageOrCache } from './cache-lag.ts';
import { listCurrent } from './current-state.ts';
import { beforeCorrupt, listObjects, objectsIn, type Page } from './list-objects.ts';
import type { ListOptions, ListResult } from './object-store.ts';
import type { StoreDependencies } from './store-dependencies.ts';
import type { StoreMetrics } from './store-metrics.ts';
import type { WatchCache } from './watch-cache/watch-cache.ts';

/** Lists the objects of a type: from the cache, or from storage if the cache does not have the state. */
export class ObjectLists {
  readonly #dependencies: StoreDependencies;
  readonly #options: { readonly metrics?: StoreMetrics };

  constructor(dependencies: StoreDependencies, options: { readonly metrics?: StoreMetrics }) {
    this.#dependencies = dependencies;
    this.#options = options;
  }

  list(cache: WatchCache, options: ListOptions): MaybePromise<ListResult> {
    const { storage, lag } = this.#dependencies;
    if (storage.watchesLag) return this.#listLagging(cache, options);
    const latest = lag.reached(cache);
    const { revision = latest } = options;
    checkNotFuture(revision, latest);
    return this.#listAt(cache, options, revision);
  }

  #listLagging(cache: WatchCache, options: ListOptions): MaybePromise<ListResult> {
    const { lag, storageReads } = this.#dependencies;
    const { revision, atLeast } = options;
    if (revision !== undefined) {
      return revision <= cache.reached ? this.#listAt(cache, options, revision) : storageReads.list(options, revision);
    }
    return mapMaybe(lag.isCurrent(cache, atLeast), (isCurrent) => {
      const cached = (): MaybePromise<ListResult> => this.#listAt(cache, options, cache.reached);
      return isCurrent ? cached() : storageOrCache(storageReads.list(options), { cache, atLeast, cached });
    });
  }

  /** Lists at a revision that the cache has reached. */
  #listAt(cache: WatchCache, options: ListOptions, revision: number): MaybePromise<ListResult> {
    const { storage, resource, storageReads } = this.#dependencies;
    // The current state of a cache that lags may be older than the kept history.
    if (options.revision !== undefined) checkNotCompacted(revision, storage.compactedRevision());
    const objects = cache.objectsAt(revision);
    if (objects === undefined) return storageReads.list(options, revision);
    const counted = new CountedMatches(options.matches);
    const examined = options.matches === undefined ? options : { ...options, matches: counted.matches };
    const page = objects === cache.objects ? listCurrent(cache, examined) : listObjects(objects, examined);
    return mapMaybe(page, (listed) => {
      this.#count(listed, counted, options);
      const { corrupt } = objects;
      if (corrupt.length === 0 || options.skipCorrupt) return { revision, ...listed };
      return { revision, ...beforeCorrupt(listed, corrupt, { options, resource }) };
    });
  }

  #count(page: Page, counted: CountedMatches, { key, indexed, matches }: ListOptions): void {
    const { metrics } = this.#options;
    if (metrics === undefined) return;
    const returned = objectsIn(page);
    const index = indexed === undefined || key !== undefined ? '' : indexed.index.name;
    metrics.listed(index, { fetched: matches === undefined ? returned : counted.count, returned });
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
