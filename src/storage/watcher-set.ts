import { PrefixIndex } from './prefix-index.ts';
import type { MovedValues, StorageEvent, WatchOptions } from './storage.ts';

/**
 * The live watchers of a backend. Each receives every event passed to `deliver` that has its prefix and
 * a revision above its `after`. Order is preserved even when a watcher's callback makes a new commit.
 */
export class WatcherSet {
  // Watchers of the same prefix (all caches of one resource) share the work of filtering events.
  readonly #groups = new PrefixIndex<Group>();
  readonly #queue: (readonly StorageEvent[])[] = [];
  #delivering = false;

  get empty(): boolean {
    return this.#groups.size === 0;
  }

  /** Adds a watcher for all later deliveries. Aborting its signal removes it. */
  add(options: WatchOptions): void {
    if (options.signal.aborted) return;
    const watcher: Watcher = { options, stop: () => this.#remove(watcher), reached: options.after };
    const group = this.#groups.get(options.prefix);
    if (group) group.watchers.add(watcher);
    else this.#groups.set(options.prefix, { watchers: new Set([watcher]), picked: [] });
    options.signal.addEventListener('abort', watcher.stop, { once: true });
  }

  /** Events must be in revision order. Returns after all watchers have been called, except when called by a watcher. */
  deliver(events: readonly StorageEvent[]): void {
    if (events.length === 0 || this.empty) return;
    this.#queue.push(events);
    // A commit made inside a callback must wait. Otherwise later watchers would see its events before the current ones.
    if (this.#delivering) return;
    this.#delivering = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#deliverNow(next);
    this.#delivering = false;
  }

  /** Notifies all watchers that everything up to the revision has been delivered. */
  progress(revision: number): void {
    for (const watcher of this.#all()) {
      if (revision <= watcher.reached || watcher.options.signal.aborted) continue;
      watcher.reached = revision;
      try {
        watcher.options.onProgress?.(revision);
      } catch (error) {
        this.#end(watcher, error as Error);
      }
    }
  }

  /** Notifies all watchers that values have been moved. */
  move(moved: MovedValues): void {
    for (const { options } of this.#all()) options.onMoved?.(moved);
  }

  /** Ends all watches with the error. */
  fail(error: Error): void {
    for (const watcher of this.#all()) this.#end(watcher, error);
  }

  /** A copy, because callbacks add and remove watchers. */
  #all(): Watcher[] {
    return [...this.#groups.values()].flatMap((group) => [...group.watchers]);
  }

  #end(watcher: Watcher, error: Error): void {
    this.#remove(watcher);
    try {
      watcher.options.onError(error);
    } catch {
      // The watcher has already been removed, and there is no other handler for the error.
    }
  }

  #deliverNow(events: readonly StorageEvent[]): void {
    const groups: Group[] = [];
    for (const event of events) {
      this.#groups.forEachMatch(event.key, (group) => {
        if (group.picked.length === 0) groups.push(group);
        group.picked.push(event);
      });
    }
    for (const group of groups) {
      const picked = group.picked;
      group.picked = [];
      for (const watcher of group.watchers) {
        try {
          notify(watcher.options, picked);
        } catch (error) {
          // A faulty watcher must not break the store for others. It has missed events, so it cannot continue.
          this.#end(watcher, error as Error);
        }
      }
    }
  }

  #remove(watcher: Watcher): void {
    const { prefix, signal } = watcher.options;
    signal.removeEventListener('abort', watcher.stop);
    const group = this.#groups.get(prefix);
    if (group?.watchers.delete(watcher) && group.watchers.size === 0) this.#groups.delete(prefix);
  }
}

/** Calls one watcher with the events it has not received, unless it is aborted. All events must match its prefix. */
export function notify(options: WatchOptions, events: readonly StorageEvent[]): void {
  const first = events[0];
  if (!first || options.signal.aborted) return;
  const wanted = first.revision > options.after ? events : events.filter((event) => event.revision > options.after);
  if (wanted.length > 0) options.onEvents(wanted);
}

interface Watcher {
  readonly options: WatchOptions;
  readonly stop: () => void;
  /** The last revision that was reported to it. */
  reached: number;
}

interface Group {
  readonly watchers: Set<Watcher>;
  /** The events of the current delivery that match these watchers. */
  picked: StorageEvent[];
}
