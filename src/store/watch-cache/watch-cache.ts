import type { RecentBytes } from '../../codec/recent-bytes.ts';
import { type Clock, systemClock } from '../../meta/clock.ts';
import { inTurns } from '../../meta/turns.ts';
import { type MovedValues, prefixEnd, type Storage, type StorageEvent } from '../../storage/storage.ts';
import { CorruptObject } from '../corrupt-object.ts';
import type { IndexedValue, ObjectIndex } from '../object-scope.ts';
import type { ObjectEvent, WatchOptions } from '../object-store.ts';
import { readEntry, readValue } from '../read-value.ts';
import type { StoreMetrics } from '../store-metrics.ts';
import type { StoredObject } from '../stored-object.ts';
import { CurrentObjects } from './current-objects.ts';
import { EventWindow, type EventWindowLimits } from './event-window.ts';
import { IndexedObjects } from './indexed-objects.ts';
import { ObjectSlabs } from './object-slabs.ts';
import { OrderedObjects } from './ordered-objects.ts';
import { ReachedRevision } from './reached-revision.ts';
import { Snapshots } from './snapshots.ts';
import { type Subscriber, Subscribers } from './subscribers.ts';
import { SubscribersInTurns } from './subscribers-in-turns.ts';

const loadPage = 2000;
/** A type with more objects than this is large. */
const firstPage = 500;
/** Milliseconds for which a past state can still be listed from memory. */
const snapshotAge = 75_000;
const defaultLimits: EventWindowLimits = {
  minCapacity: 1024,
  maxCapacity: 102_400,
  span: snapshotAge,
  bytes: 32 * 1024 * 1024,
};

export interface WatchCacheOptions {
  readonly storage: Storage;
  readonly prefix: string;
  /** Caches the encoded bytes of frequently read lists. */
  readonly encoded: RecentBytes;
  readonly limits?: EventWindowLimits;
  /** The kind of the objects. Values that storage cannot verify must be of this kind. */
  readonly kind?: string | undefined;
  /** Called while the objects of a large type are read; returns whether to continue. */
  readonly isNeeded: () => boolean;
  /** Called with the corrupt objects at the start, and when their set changes. */
  readonly onCorrupt: (objects: readonly CorruptObject[]) => void;
  /** Creates the error for requests for corrupt objects. */
  readonly corruptError: (objects: readonly CorruptObject[]) => Error;
  readonly signal: AbortSignal;
  readonly onFailure: (error: Error) => void;
  readonly metrics?: StoreMetrics | undefined;
  /** The clock for the age of past states. Default: that of the machine. */
  readonly clock?: Clock | undefined;
}

/** All objects of one type in memory, kept current by one storage watch, and the fan-out of its events. */
export class WatchCache {
  readonly #options: WatchCacheOptions;
  readonly #clock: Clock;
  readonly #byKey = new Map<string, StoredObject>();
  readonly #indexes = new Map<ObjectIndex, IndexedObjects>();
  readonly #subscribers: Subscribers;
  readonly #streams: SubscribersInTurns;
  readonly #snapshots = new Snapshots();
  readonly #window: EventWindow;
  readonly #reached: ReachedRevision;
  readonly #slabs: ObjectSlabs;
  #isCompacting = false;
  #compactsAgain = false;
  readonly #present: CurrentObjects;
  /** The current state is valid from this revision on. */
  #presentSince: number;
  #lastChange: number;
  #sweep: (() => void) | undefined;

  private constructor(options: WatchCacheOptions, { objects, corrupt, revision, slabs }: Loaded) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#slabs = slabs;
    this.#subscribers = new Subscribers(options.prefix);
    this.#streams = new SubscribersInTurns(options.prefix);
    this.#window = new EventWindow({ ...defaultLimits, ...options.limits, after: revision });
    this.#lastChange = revision;
    this.#reached = new ReachedRevision(revision);
    this.#present = new CurrentObjects(OrderedObjects.of(objects, options.encoded, corrupt));
    this.#presentSince = revision;
    for (const object of objects) this.#byKey.set(object.key, object);
    options.signal.addEventListener('abort', () => this.#sweep?.(), { once: true });
  }

  /**
   * Reads all objects under the prefix and follows changes until the signal aborts or storage fails (`onFailure`).
   * Returns undefined if the type is large and its cache is not needed.
   */
  static async start(options: WatchCacheOptions): Promise<WatchCache | undefined> {
    const { storage, prefix, signal, onFailure } = options;
    const loaded = await load(options);
    if (loaded === undefined) return undefined;
    const cache = new WatchCache(options, loaded);
    options.onCorrupt(loaded.corrupt);
    options.metrics?.initialized(loaded.objects.length);
    options.metrics?.changed(loaded.revision, cache.#window.capacity);
    await storage.watch({
      prefix,
      after: loaded.revision,
      withoutPrevious: true,
      onEvents: (events) => cache.#apply(events),
      onProgress: (reached) => cache.#reached.advance(reached),
      onMoved: (moved) => cache.#move(moved),
      onError: (error) => {
        // Must be first, because a subscriber may start again immediately.
        cache.#reached.fail();
        onFailure(error);
        cache.#subscribers.fail(error);
        cache.#streams.fail(error);
      },
      signal,
    });
    return cache;
  }

  #apply(events: readonly StorageEvent[]): void {
    const now = this.#clock.monotonic();
    const { metrics } = this.#options;
    metrics?.received(events.length);
    for (const event of events) {
      const change = this.#applied(event, now);
      this.#lastChange = event.revision;
      if (change === undefined) continue;
      this.#window.push(change, now);
      this.#subscribers.publish(change);
      this.#streams.publish(change);
      metrics?.dispatched();
    }
    this.#reached.advance(this.#lastChange);
    metrics?.changed(this.#lastChange, this.#window.capacity);
    this.#forget(now);
    if (this.#slabs.isWasteful && !this.#isCompacting) void this.#compact();
  }

  /** Compacts objects in turns. Objects that are replaced meanwhile are skipped or moved needlessly. */
  async #compact(): Promise<void> {
    this.#isCompacting = true;
    try {
      do {
        this.#compactsAgain = false;
        await inTurns(this.#slabs.compact({ current: this.#byKey.values(), past: this.#past() }));
      } while (this.#compactsAgain);
    } finally {
      this.#isCompacting = false;
    }
  }

  /** Applies that storage has moved values that other threads share. */
  #move({ values, released }: MovedValues): void {
    for (const { key, revision, value } of values) {
      const object = this.#byKey.get(key);
      if (object?.revision !== revision || !object.slab.isShared) continue;
      this.#slabs.release(object);
      object.valueMoved(value, this.#slabs);
    }
    // Objects of past states would keep the whole memory alive.
    if (released === undefined || !this.#slabs.releaseShared(released)) return;
    if (this.#isCompacting) this.#compactsAgain = true;
    else void this.#compact();
  }

  *#past(): Generator<StoredObject, undefined> {
    for (const object of this.#window.objects()) if (this.#byKey.get(object.key) !== object) yield object;
  }

  #applied(event: StorageEvent, now: number): ObjectEvent | undefined {
    const { key, value, isKept, revision, corrupt, unverified } = event;
    const previous = this.#byKey.get(key);
    const before = previous === undefined ? this.corrupt(key) : undefined;
    if (value === undefined && previous === undefined && before === undefined) return undefined;
    const object =
      value && readValue({ key, value, isKept, revision, corrupt, unverified }, this.#options.kind, this.#slabs);
    this.#endState(revision, now);
    if (before !== undefined || object instanceof CorruptObject) {
      this.#replaceCorrupt({ key, revision, before, object });
      return undefined;
    }
    for (const index of this.#indexes.values()) index.replace(previous, object);
    if (previous !== undefined) this.#slabs.release(previous);
    if (object === undefined) {
      this.#byKey.delete(key);
      this.#present.delete(key);
      return { type: 'DELETED', object: previous!.withRevision(revision), previous };
    }
    this.#byKey.set(key, object);
    this.#present.put(object);
    return { type: previous === undefined ? 'ADDED' : 'MODIFIED', object, previous };
  }

  /** Keeps the state that the change at the revision replaces, if it was listed. */
  #endState(revision: number, now: number): void {
    const present = this.#present;
    if (present.isTaken)
      this.#snapshots.add({ revision: this.#presentSince, end: revision, objects: present.take() }, now);
    this.#presentSince = revision;
  }

  /**
   * Handles a change from or to a corrupt object. Such a change cannot be sent: the streams whose scope may include the
   * object end, and their clients list again. Watches that start before this revision read history, which fails in the
   * same way.
   */
  #replaceCorrupt({
    key,
    revision,
    before,
    object,
  }: {
    readonly key: string;
    readonly revision: number;
    readonly before: CorruptObject | undefined;
    readonly object: StoredObject | CorruptObject | undefined;
  }): void {
    const previous = this.#byKey.get(key);
    const next = object instanceof CorruptObject ? undefined : object;
    for (const index of this.#indexes.values()) index.replace(previous, next);
    if (previous !== undefined) this.#slabs.release(previous);
    if (next === undefined) this.#byKey.delete(key);
    else this.#byKey.set(key, next);
    if (object instanceof CorruptObject) this.#present.putCorrupt(object);
    else if (object === undefined) this.#present.delete(key);
    else this.#present.put(object);
    this.#window.reset(revision);
    const corrupt = object instanceof CorruptObject ? object : before!;
    this.#options.onCorrupt(this.#present.corrupt);
    const error = this.#options.corruptError([corrupt]);
    this.#subscribers.failFor(corrupt, error);
    this.#streams.failFor(corrupt, error);
  }

  /** Drops snapshots that can no longer be requested, and schedules itself for those that are not old enough yet. */
  #forget(now: number): void {
    const snapshots = this.#snapshots;
    snapshots.dropBefore(Math.max(this.#window.floor, this.#options.storage.compactedRevision()));
    snapshots.dropOverBy(now - snapshotAge);
    if (snapshots.size === 0 || this.#sweep !== undefined) return;
    this.#sweep = this.#clock.schedule(() => {
      this.#sweep = undefined;
      this.#forget(this.#clock.monotonic());
    }, snapshotAge);
  }

  get(key: string): StoredObject | undefined {
    return this.#byKey.get(key);
  }

  get size(): number {
    return this.#byKey.size;
  }

  get allCorrupt(): readonly CorruptObject[] {
    return this.#present.corrupt;
  }

  /** The corrupt object stored under the key, if any. */
  corrupt(key: string): CorruptObject | undefined {
    const { corrupt } = this.#present;
    return corrupt.length === 0 ? undefined : corrupt.find((object) => object.key === key);
  }

  /** The revision of the latest change. The state has not changed since. */
  get lastChange(): number {
    return this.#lastChange;
  }

  /**
   * The revision up to which the state includes all changes. If the watches of storage do not lag, it is at least this
   * one.
   */
  get reached(): number {
    return this.#reached.revision;
  }

  /** Whether storage has failed. The state then no longer changes, and new subscribers get no events. */
  get hasFailed(): boolean {
    return this.#reached.isFinal;
  }

  /** Resolves with whether the state includes all changes up to the revision before the timeout. */
  reach(revision: number, timeoutMs: number): Promise<boolean> {
    return this.#reached.wait(revision, timeoutMs);
  }

  /** The approximate size of an object, in bytes. */
  get meanBytes(): number {
    return this.size === 0 ? 0 : this.#slabs.capacity / this.size;
  }

  get watches(): number {
    return this.#subscribers.size + this.#streams.size;
  }

  /** The current objects in key order. Later changes do not affect them. */
  get objects(): OrderedObjects {
    return this.#present.take();
  }

  /** Identifies the current state. */
  get state(): object {
    return this.#present.identity;
  }

  /** The number of current objects with the prefix. */
  count(prefix: string): number {
    return prefix === this.#options.prefix ? this.#present.size : this.#present.count(prefix, prefixEnd(prefix));
  }

  /** The objects as of a revision that has been reached; undefined when only storage history has them. */
  objectsAt(revision: number): OrderedObjects | undefined {
    return revision >= this.#presentSince ? this.#present.take() : this.#snapshots.at(revision);
  }

  /** The current objects with this index value. The index is built on first use. */
  indexed({ index, value }: IndexedValue, range: { prefix: string; startKey: string }): StoredObject[] {
    let indexed = this.#indexes.get(index);
    if (indexed === undefined) {
      indexed = new IndexedObjects(index, this.#byKey.values());
      this.#indexes.set(index, indexed);
    }
    return indexed.having(value, range);
  }

  /** The lowest revision from which watches can be served from memory. */
  get windowFloor(): number {
    return this.#window.floor;
  }

  eventsAfter(revision: number): ObjectEvent[] {
    return this.#window.after(revision);
  }

  /** With `inTurns`, changes may reach the subscriber after they are visible here, see `deliver`. */
  subscribe(subscriber: Subscriber, { signal, inTurns }: Pick<WatchOptions, 'signal' | 'inTurns'>): void {
    if (signal.aborted) return;
    const subscribers = inTurns ? this.#streams : this.#subscribers;
    subscribers.add(subscriber);
    signal.addEventListener('abort', () => subscribers.delete(subscriber), { once: true });
  }

  /** Delivers all changes so far. */
  deliver(): void {
    this.#streams.deliver();
  }
}

interface Loaded {
  readonly slabs: ObjectSlabs;
  readonly objects: readonly StoredObject[];
  readonly corrupt: readonly CorruptObject[];
  readonly revision: number;
}

async function load({ storage, prefix, kind, isNeeded, signal }: WatchCacheOptions): Promise<Loaded | undefined> {
  const end = prefixEnd(prefix);
  const slabs = new ObjectSlabs();
  const objects: StoredObject[] = [];
  const corrupt: CorruptObject[] = [];
  let start = prefix;
  let revision: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    const page = await storage.range(
      revision === undefined
        ? { start, end, limit: firstPage, keep: prefix }
        : { start, end, limit: loadPage, revision, keep: prefix },
    );
    revision ??= page.revision;
    for (const entry of page.entries) {
      const object = readEntry(entry, kind, slabs);
      if (object instanceof CorruptObject) corrupt.push(object);
      else objects.push(object);
    }
    if (!page.more) return { slabs, objects, corrupt, revision };
    if (!isNeeded()) return undefined;
    start = `${page.entries.at(-1)!.key}\0`;
  }
}
