import { checkNotCompacted } from '../storage/preconditions.ts';
import { concerns, currentRuns, initialEvents } from './current-state.ts';
import { beforeCorrupt } from './list-objects.ts';
import type { ObjectEvent, ObjectWatch, WatchOptions } from './object-store.ts';
import type { StoreDependencies } from './store-dependencies.ts';
import type { WatchCache } from './watch-cache/watch-cache.ts';

/**
 * Starts the watches of a type: joins the first events of a watcher, from the cache or from the history in storage,
 * with the later events of the cache.
 */
export class WatchStarts {
  readonly #dependencies: StoreDependencies;

  constructor(dependencies: StoreDependencies) {
    this.#dependencies = dependencies;
  }

  async watch(options: WatchOptions): Promise<ObjectWatch> {
    const { storage, lag } = this.#dependencies;
    const cache = await this.#dependencies.cache.forAll();
    const { after, atLeast, signal } = options;
    const isLate = after === undefined && storage.watchesLag && !(await lag.isCurrent(cache, atLeast));
    signal.throwIfAborted();
    // The cache may have failed during the awaits above. A subscriber would then never get any events.
    if (cache.hasFailed) return this.watch(options);
    if (isLate) return this.#watchStored(cache, options);
    return after === undefined ? this.#watchPresent(cache, options) : this.#watchAfter(cache, options, after);
  }

  // In these two methods, no event is missed between reading the cache and the subscription. There is no await, and the
  // reached revision is read first, because that may add events of other threads to the cache.

  #watchPresent(cache: WatchCache, options: WatchOptions): ObjectWatch {
    const initialRevision = Math.max(this.#dependencies.lag.reached(cache), cache.lastChange);
    this.#checkReadable(cache, options);
    const backlog = initialEvents(currentRuns(cache, options));
    cache.subscribe({ scope: options, ...options }, options);
    return { backlog, initialRevision, progress: () => this.#delivered(cache) };
  }

  #watchAfter(cache: WatchCache, options: WatchOptions, after: number): ObjectWatch {
    checkNotCompacted(after, this.#dependencies.storage.compactedRevision());
    const reached = this.#dependencies.lag.reached(cache);
    const { windowFloor } = cache;
    const recent = cache.eventsAfter(Math.max(after, windowFloor)).filter((event) => concerns(options, event));
    subscribe(cache, options, { after, reached });
    const backlog = after < windowFloor ? this.#past(options, { after, through: windowFloor, recent }) : [recent];
    return { backlog, initialRevision: undefined, progress: () => this.#delivered(cache) };
  }

  /** Everything up to this revision has been delivered to the subscribers. */
  #delivered(cache: WatchCache): number {
    const reached = this.#dependencies.lag.reached(cache);
    cache.deliver();
    return reached;
  }

  /** Rejects a watch that begins with a corrupt object. */
  #checkReadable({ allCorrupt }: WatchCache, options: WatchOptions): void {
    if (allCorrupt.length === 0 || options.skipCorrupt) return;
    beforeCorrupt({ runs: [] }, allCorrupt, {
      options: { ...options, limit: 0 },
      resource: this.#dependencies.resource,
    });
  }

  /** Events from before the window are read from history. */
  async *#past(
    options: WatchOptions,
    { after, through, recent }: { after: number; through: number; recent: readonly ObjectEvent[] },
  ): AsyncGenerator<readonly ObjectEvent[]> {
    const { signal } = options;
    for await (const events of this.#dependencies.storageReads.pastEvents.read({
      scope: options,
      after,
      through,
      signal,
    })) {
      yield events.filter((event) => concerns(options, event));
    }
    yield recent;
  }

  /** Begins with the state in storage, because the cache does not reach that state in time. */
  async #watchStored(cache: WatchCache, options: WatchOptions): Promise<ObjectWatch> {
    const { storage, lag, storageReads } = this.#dependencies;
    const { signal } = options;
    const revision = await storage.latestRevision();
    lag.show(revision);
    signal.throwIfAborted();
    const isBehind = cache.reached < revision;
    const state = isBehind
      ? await storageReads.list({ ...options, matches: undefined, limit: 0 }, revision)
      : undefined;
    signal.throwIfAborted();
    if (cache.hasFailed) return this.watch(options);
    // The cache has caught up after all. If it is beyond that state, it has published the events in between.
    if (state === undefined || cache.reached > revision) return this.#watchPresent(cache, options);
    subscribe(cache, options, { after: revision, reached: cache.reached });
    return {
      backlog: initialEvents(state.runs),
      initialRevision: revision,
      progress: () => Math.max(revision, this.#delivered(cache)),
    };
  }
}

function subscribe(
  cache: WatchCache,
  options: WatchOptions,
  { after, reached }: { readonly after: number; readonly reached: number },
): void {
  // The watch starts at a revision that the cache has not reached, so earlier events are skipped.
  const onEvent = (event: ObjectEvent): void => {
    if (event.object.revision > after) options.onEvent(event);
  };
  const isAhead = after > reached;
  cache.subscribe({ scope: options, onEvent: isAhead ? onEvent : options.onEvent, onError: options.onError }, options);
}
