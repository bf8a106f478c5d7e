import { prefixEnd, type Storage, type StorageEvent } from '../../storage/storage.ts';
import type { ObjectEvent } from '../object-store.ts';
import { StoredObject } from '../stored-object.ts';
import { EventWindow } from './event-window.ts';
import { OrderedObjects } from './ordered-objects.ts';
import type { RecentBytes } from './recent-bytes.ts';

const loadPage = 2000;
const windowSize = { capacity: 1024, bytes: 32 * 1024 * 1024 };

export interface Subscriber {
  readonly prefix: string;
  readonly onEvent: (event: ObjectEvent) => void;
  readonly onError: (error: Error) => void;
}

export interface WatchCacheOptions {
  readonly storage: Storage;
  readonly prefix: string;
  /** Keeps the bytes of lists that are read often. */
  readonly encoded: RecentBytes;
  readonly signal: AbortSignal;
  readonly onFailure: (error: Error) => void;
}

/** All objects of one type in memory, kept current by one storage watch, and the fan-out of its events. */
export class WatchCache {
  readonly #storage: Storage;
  readonly #prefix: string;
  readonly #signal: AbortSignal;
  readonly #byKey = new Map<string, StoredObject>();
  readonly #ordered: OrderedObjects;
  readonly #subscribers = new Set<Subscriber>();
  #window = new EventWindow({ ...windowSize, after: 0 });
  #lastChange = 0;

  private constructor({ storage, prefix, signal, encoded }: WatchCacheOptions) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#signal = signal;
    this.#ordered = OrderedObjects.empty(encoded);
  }

  /** Reads everything under the prefix and follows it until the signal aborts or storage fails (`onFailure`). */
  static async start(options: WatchCacheOptions): Promise<WatchCache> {
    const cache = new WatchCache(options);
    const revision = await cache.#load();
    cache.#lastChange = revision;
    cache.#window = new EventWindow({ ...windowSize, after: revision });
    await options.storage.watch({
      prefix: options.prefix,
      after: revision,
      onEvents: (events) => cache.#apply(events),
      onError: (error) => {
        for (const subscriber of cache.#subscribers) subscriber.onError(error);
        cache.#subscribers.clear();
        options.onFailure(error);
      },
      signal: options.signal,
    });
    return cache;
  }

  async #load(): Promise<number> {
    const end = prefixEnd(this.#prefix);
    let start = this.#prefix;
    let revision: number | undefined;
    for (;;) {
      this.#signal.throwIfAborted();
      const page = await this.#storage.range({
        start,
        end,
        limit: loadPage,
        ...(revision !== undefined && { revision }),
      });
      revision ??= page.revision;
      for (const { key, value, modRevision } of page.entries) {
        this.#put(StoredObject.fromValue({ key, value, revision: modRevision }));
      }
      if (!page.more) return revision;
      start = `${page.entries.at(-1)!.key}\0`;
    }
  }

  #put(object: StoredObject): void {
    this.#byKey.set(object.key, object);
    this.#ordered.put(object);
  }

  #apply(events: readonly StorageEvent[]): void {
    for (const event of events) {
      const change = this.#applied(event);
      this.#lastChange = event.revision;
      if (change === undefined) continue;
      this.#window.push(change);
      for (const subscriber of this.#subscribers) {
        if (event.key.startsWith(subscriber.prefix)) subscriber.onEvent(change);
      }
    }
  }

  #applied({ key, value, revision }: StorageEvent): ObjectEvent | undefined {
    const previous = this.#byKey.get(key);
    if (value === undefined) {
      if (previous === undefined) return undefined;
      this.#byKey.delete(key);
      this.#ordered.delete(key);
      return { type: 'DELETED', object: previous.withRevision(revision), previous };
    }
    const object = StoredObject.fromValue({ key, value, revision });
    this.#put(object);
    return { type: previous === undefined ? 'ADDED' : 'MODIFIED', object, previous };
  }

  get(key: string): StoredObject | undefined {
    return this.#byKey.get(key);
  }

  /** The revision of the newest change: the state has been the same since. */
  get lastChange(): number {
    return this.#lastChange;
  }

  /** The objects in the order of their keys. Changes with every write. */
  get ordered(): OrderedObjects {
    return this.#ordered;
  }

  /** Watches from this revision on are served from memory. */
  get windowFloor(): number {
    return this.#window.floor;
  }

  eventsAfter(revision: number, prefix: string): readonly ObjectEvent[] {
    return this.#window.after(revision).filter((event) => event.object.key.startsWith(prefix));
  }

  subscribe(subscriber: Subscriber, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#subscribers.add(subscriber);
    signal.addEventListener('abort', () => this.#subscribers.delete(subscriber), { once: true });
  }
}
