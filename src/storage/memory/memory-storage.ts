import { keyOrder } from '../key-order.ts';
import { checkNotCompacted, checkNotFuture, checkSize, closedError } from '../preconditions.ts';
import type {
  Change,
  CommitResult,
  Filling,
  RangeOptions,
  RangeResult,
  Storage,
  StorageEvent,
  StoredEntry,
  TwoCommitsResult,
  WatchOptions,
} from '../storage.ts';
import { notify, WatcherSet } from '../watcher-set.ts';
import { createOrderedMap } from './ordered-map.ts';

// Maximum number of past events passed to a watcher in one call.
const maxReplayEvents = 512;

export interface MemoryStorageOptions {
  /** Larger values are refused with `TooLarge`. No limit by default. */
  readonly valueLimit?: number;
  /** The revision before the first commit. Earlier ones count as compacted. 0 by default. */
  readonly firstRevision?: number;
}

/** A store without files. The data exists as long as the object. */
export function createMemoryStorage(options: MemoryStorageOptions = {}): MemoryStorage {
  return new MemoryStorage(options);
}

/** Fills a new storage with entries up to the revision. */
export function fillMemoryStorage({ revision, ...options }: MemoryStorageOptions & { revision: number }): Filling {
  const storage = new MemoryStorage({ ...options, firstRevision: revision });
  return {
    revision,
    after: undefined,
    add: async (entries) => storage.fill(entries),
    finish: async () => storage,
    close: () => storage.close(),
  };
}

/** Stores values by reference, without copying the bytes. */
export class MemoryStorage implements Storage {
  readonly watchesLag = false;
  readonly #valueLimit: number;
  #keys = createOrderedMap<Version[]>();
  /** The versions that no fork shares. Undefined if there was no fork, so that no versions are shared. */
  #own: WeakSet<Version[]> | undefined;
  readonly #watchers = new WatcherSet();
  // All changes after the compacted revision. Revisions have no gaps, so the index follows from the revision.
  #log: StorageEvent[] = [];
  #latest: number;
  #compacted: number;
  #closed = false;

  constructor({ valueLimit = Number.POSITIVE_INFINITY, firstRevision = 0 }: MemoryStorageOptions) {
    this.#valueLimit = valueLimit;
    this.#latest = firstRevision;
    this.#compacted = firstRevision;
  }

  latestRevision(): number {
    return this.#latest;
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  /** Adds entries from before the first revision. */
  fill(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      checkSize(entry, this.#valueLimit);
      this.#keys.set(keyOrder(entry.key), [{ revision: entry.modRevision, entry }]);
    }
  }

  async get(key: string, { revision }: { revision?: number } = {}): Promise<StoredEntry | undefined> {
    const at = this.#readableAt(revision);
    return entryAt(this.#keys.get(keyOrder(key)), at);
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    const { start, end, limit = Number.POSITIVE_INFINITY } = options;
    const at = this.#readableAt(options.revision);
    const entries: StoredEntry[] = [];
    let found = 0;
    this.#keys.forRange(keyOrder(start), keyOrder(end), false, (_order, versions) => {
      const entry = entryAt(versions, at);
      if (!entry) return;
      found += 1;
      if (found <= limit) entries.push(entry);
      else if (!options.count) return { break: true };
    });
    return { revision: at, entries, more: found > limit, ...(options.count && { count: found }) };
  }

  async commit(change: Change): Promise<CommitResult> {
    this.#checkOpen();
    checkSize(change, this.#valueLimit);
    const events: StorageEvent[] = [];
    const result = this.#apply(change, events);
    this.#deliver(events);
    return result;
  }

  async commitTwice(change: Change, next: Buffer): Promise<TwoCommitsResult> {
    this.#checkOpen();
    checkSize(change, this.#valueLimit);
    const events: StorageEvent[] = [];
    const first = this.#apply(change, events);
    const isReplaced = first.committed && next.length <= this.#valueLimit;
    if (isReplaced) this.#apply({ key: change.key, expected: first.revision, value: next }, events);
    this.#deliver(events);
    return { first, isReplaced };
  }

  #deliver(events: readonly StorageEvent[]): void {
    if (events.length > 0) this.#watchers.deliver(events);
  }

  #apply({ key, value, expected }: Change, events: StorageEvent[]): CommitResult {
    const order = keyOrder(key);
    const versions = this.#keys.get(order);
    const current = entryAt(versions, this.#latest);
    if ((current?.modRevision ?? 0) !== expected || (!current && !value)) return { committed: false, current };

    const revision = ++this.#latest;
    const createRevision = value ? (current?.createRevision ?? revision) : 0;
    const version: Version = { revision, entry: value && { key, value, modRevision: revision, createRevision } };
    this.#add(order, versions, version);
    const event: StorageEvent = { revision, key, value, createRevision, previous: current };
    this.#log.push(event);
    events.push(event);
    return { committed: true, revision };
  }

  async watch(options: WatchOptions): Promise<void> {
    this.#checkOpen();
    options.signal.throwIfAborted();
    let { after } = options;
    // The callback may commit, compact, close or abort, so the state must be read again in every iteration.
    while (after < this.#latest) {
      checkNotCompacted(after, this.#compacted);
      const from = after - this.#compacted;
      const missed = this.#log.slice(from, from + maxReplayEvents);
      after += missed.length;
      notify(
        options,
        missed.filter((event) => event.key.startsWith(options.prefix)),
      );
      options.signal.throwIfAborted();
      this.#checkOpen();
    }
    this.#watchers.add({ ...options, after });
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    checkNotFuture(revision, this.#latest);
    if (revision <= this.#compacted) return;
    const compacted = this.#log.slice(0, revision - this.#compacted);
    this.#log = this.#log.slice(compacted.length);
    this.#compacted = revision;
    for (const { key } of compacted) this.#removeObsolete(keyOrder(key));
  }

  /** The keys that were written after the revision. Undefined when that history has been compacted. */
  changedSince(revision: number): Set<string> | undefined {
    if (revision < this.#compacted) return undefined;
    return new Set(this.#log.slice(revision - this.#compacted).map(({ key }) => key));
  }

  /**
   * Returns another storage with the same state and history. Entries are not copied: both storages share them until one
   * of them writes.
   */
  fork(): MemoryStorage {
    this.#checkOpen();
    const fork = new MemoryStorage({ valueLimit: this.#valueLimit });
    fork.#keys = this.#keys.clone();
    fork.#log = this.#log.slice();
    fork.#latest = this.#latest;
    fork.#compacted = this.#compacted;
    this.#own = new WeakSet();
    fork.#own = new WeakSet();
    return fork;
  }

  probeWrites(signal: AbortSignal): Promise<void> {
    return this.probe(signal);
  }

  async probe(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#checkOpen();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#watchers.fail(closedError());
  }

  #add(order: string, versions: Version[] | undefined, version: Version): void {
    if (versions !== undefined && this.#own?.has(versions) !== false) {
      versions.push(version);
      return;
    }
    const own = versions === undefined ? [version] : [...versions, version];
    this.#own?.add(own);
    this.#keys.set(order, own);
  }

  /** Removes the versions of a key that no read at or after the compacted revision can see. */
  #removeObsolete(order: string): void {
    const versions = this.#keys.get(order);
    if (!versions) return;
    const newest = versions.findLastIndex((version) => version.revision <= this.#compacted);
    const kept = versions.slice(versions[newest]?.entry ? newest : newest + 1);
    if (kept.length > 0) this.#keys.set(order, kept);
    else this.#keys.delete(order);
  }

  #readableAt(revision: number | undefined): number {
    this.#checkOpen();
    if (revision === undefined) return this.#latest;
    checkNotCompacted(revision, this.#compacted);
    checkNotFuture(revision, this.#latest);
    return revision;
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}

/** One state of a key. A version without an entry is a deletion. */
interface Version {
  readonly revision: number;
  readonly entry: StoredEntry | undefined;
}

function entryAt(versions: readonly Version[] | undefined, revision: number): StoredEntry | undefined {
  return versions?.findLast((version) => version.revision <= revision)?.entry;
}
