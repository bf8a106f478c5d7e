import { PrefixIndex } from './prefix-index.ts';
import type { StorageEvent, WatchOptions } from './storage.ts';

/**
 * The live watchers of a backend with one writer. Each gets every event handed to `deliver` that has its prefix and a
 * revision above its `after`, in the order of the calls, also when a watcher's callback makes a new commit.
 */
export class WatcherSet {
  // Watchers of one prefix (all caches of one resource) share the work of picking events.
  readonly #groups = new PrefixIndex<Group>();
  readonly #queue: (readonly StorageEvent[])[] = [];
  #delivering = false;

  get empty(): boolean {
    return this.#groups.size === 0;
  }

  /** From now on the watcher gets what is delivered; the abort of its signal removes it. */
  add(options: WatchOptions): void {
    if (options.signal.aborted) return;
    const watcher: Watcher = { options, stop: () => this.#remove(watcher) };
    const group = this.#groups.get(options.prefix);
    if (group) group.watchers.add(watcher);
    else this.#groups.set(options.prefix, { watchers: new Set([watcher]), picked: [] });
    options.signal.addEventListener('abort', watcher.stop, { once: true });
  }

  /** Events must come in revision order. Returns when all watchers have been called, except in a call from a watcher. */
  deliver(events: readonly StorageEvent[]): void {
    if (events.length === 0 || this.empty) return;
    this.#queue.push(events);
    // A commit made inside a callback must wait, or later watchers would see its events before the present ones.
    if (this.#delivering) return;
    this.#delivering = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#deliverNow(next);
    this.#delivering = false;
  }

  /** Ends all watches with the error. */
  fail(error: Error): void {
    const watchers = [...this.#groups.values()].flatMap((group) => [...group.watchers]);
    for (const watcher of watchers) this.#end(watcher, error);
  }

  #end(watcher: Watcher, error: Error): void {
    this.#remove(watcher);
    try {
      watcher.options.onError(error);
    } catch {
      // It has been removed, and there is nobody else to tell.
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
          // A fault of its own must not break the store for others, and with a gap in its events it cannot go on.
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

/** Calls one watcher with those of the events that it has not had, unless it is aborted. The events have its prefix. */
export function notify(options: WatchOptions, events: readonly StorageEvent[]): void {
  const first = events[0];
  if (!first || options.signal.aborted) return;
  const wanted = first.revision > options.after ? events : events.filter((event) => event.revision > options.after);
  if (wanted.length > 0) options.onEvents(wanted);
}

interface Watcher {
  readonly options: WatchOptions;
  readonly stop: () => void;
}

interface Group {
  readonly watchers: Set<Watcher>;
  /** What the delivery under way has for these watchers. */
  picked: StorageEvent[];
}
