/**
 * A multi-version map from keys to bytes. Keys are well-formed Unicode strings, ordered by their UTF-8 bytes.
 *
 * Every commit gets a revision: an integer strictly greater than all earlier ones, also across restarts. A commit
 * resolves only when it is durable, and no reader or watcher sees it earlier. Reads, commits and `latestRevision` are
 * linearizable across all servers of a shared store. Only watches may lag.
 *
 * Backends with one writer (memory, embedded) do not lag: they deliver the events of a commit to all watchers before
 * the commit's promise resolves, and return `latestRevision` synchronously. Backends with several writers return a
 * promise and report the progress of watches with `onProgress`.
 */
export interface Storage {
  /** Whether watches may lag behind commits. False for backends with one writer. */
  readonly watchesLag: boolean;

  /**
   * Whether values may be `stale`. If so, the stored value must be checked before a write without changes is skipped.
   * Absent: no.
   */
  readonly mayBeStale?: boolean | undefined;

  /**
   * The latest revision visible to readers. A promise for backends that need a quorum to determine it. When it has
   * resolved, every watch reaches that revision soon: by an event or by `onProgress`.
   */
  latestRevision(): number | Promise<number>;

  /** Reads one key as of the given revision (default: the latest). Fails like `range`. */
  get(key: string, options?: { revision?: number }): Promise<StoredEntry | undefined>;

  /**
   * Reads the keys with `start <= key < end`, in key order, as of one revision. Fails with `RevisionCompacted` when the
   * history of that revision has been removed, and with `RevisionInFuture` when it has not been reached.
   */
  range(options: RangeOptions): Promise<RangeResult>;

  /**
   * Writes or deletes one key if its current revision is the expected one. A failed comparison is not an error: the
   * result reports it and contains the current entry. Deleting an absent key is such a case: nothing is written and
   * `current` is undefined. Rejects with `TooLarge` when the value exceeds the backend's limit, and with `Unavailable`
   * when the store could not make the change durable. In the latter case no part of the change is visible and a retry
   * may succeed. Backends over a network reject with `OutcomeUnknown` when they got no response: the change may be
   * visible, or become visible later, but at most once.
   */
  commit(change: Change): Promise<CommitResult>;

  /**
   * Like `commit`, and replaces the new value by another one. The two get their own revisions, become durable together,
   * and no other change of the key comes between them. Absent if the backend cannot do so.
   */
  commitTwice?(change: Change, next: Buffer): Promise<TwoCommitsResult>;

  /**
   * Calls `onEvents` for every change with revision > `after`, each exactly once, in revision order, with its previous
   * entry. Resolves when the stream is established; backends with one writer have then delivered all events up to
   * `latestRevision`.
   *
   * Rejects with `RevisionCompacted` when `after` is older than the kept history. A later failure, including `close`
   * (`Closed`), is reported to `onError`, after which no calls follow. An `onEvents` that throws ends its own watch in
   * the same way as a storage failure.
   *
   * `signal` is the only way to stop: nothing is delivered after the abort, and an abort before the promise has
   * resolved rejects it with the signal's reason.
   *
   * Past events are delivered in batches of bounded size. A watcher may therefore abort inside `onEvents`, which
   * discards the rest of that batch, and watch again from the last revision that it handled. If `after` is in the
   * future, the watch waits for it.
   */
  watch(options: WatchOptions): Promise<void>;

  /**
   * Removes history: afterwards, ranges at revisions below the given one and watches from below it are refused. The
   * newest entry of each key stays. Idempotent; a revision lower than an earlier one has no effect. Rejects with
   * `RevisionInFuture` when the revision has not been reached.
   */
  compact(revision: number): Promise<void>;

  /** The revision of the last compaction; 0 if there was none. */
  compactedRevision(): number;

  /** Accesses the store, for health checks. Rejects when the store does not respond. */
  probe(signal: AbortSignal): Promise<void>;

  /**
   * Like `probe`, but also rejects when commits fail or are expected to fail, e.g. on a full disk or after file
   * deletion.
   */
  probeWrites(signal: AbortSignal): Promise<void>;

  /** The size of the database in bytes. Absent when the backend has none. */
  databaseBytes?(): Promise<number>;

  /** Reports events that occur only in backends over a network. Absent in other backends. */
  observe?(observer: StorageObserver): void;

  /**
   * Finishes the calls in flight and releases all resources. Later calls fail with `Closed`, except that the latest and
   * the compacted revision keep their last values. Idempotent.
   */
  close(): Promise<void>;
}

export interface StorageObserver {
  /** Called when the store has reported its progress without an event. */
  progressed(): void;
  /** Called when a lease gets no further keys, with the number of its keys. */
  leaseFilled(keys: number): void;
}

/**
 * The state of a value that was read. All fields are absent if the value is known to be what was committed. A corrupt
 * value affects only its own key: reads and watches return it like any other value, with the reason.
 */
export interface ValueIntegrity {
  /** Why the value differs from the committed one. The bytes are those found, if any, and must not be served. */
  readonly corrupt?: string | undefined;
  /**
   * Whether the backend has no checksum to verify the value. The caller, which understands the bytes, must verify it.
   */
  readonly unverified?: boolean | undefined;
  /** Whether the value is valid, but stored in a form that a new write of the same value would not use. */
  readonly stale?: boolean | undefined;
}

export interface StoredEntry extends ValueIntegrity {
  readonly key: string;
  readonly value: Buffer;
  /** Whether the value is in memory that other threads share, see `RangeOptions.keep`. */
  readonly isKept?: boolean | undefined;
  /** The revision of the commit that wrote this value. */
  readonly modRevision: number;
  /** The revision of the commit that created the key; the key has existed without interruption since then. */
  readonly createRevision: number;
}

export interface RangeOptions {
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  /** Maximum number of entries; `more` reports whether there are others. No limit by default. */
  readonly limit?: number;
  /** Default: the latest. */
  readonly revision?: number;
  /** Whether to count all keys of the range at that revision, including those beyond `limit`. */
  readonly count?: boolean;
  /**
   * The caller keeps the current values of all keys with this prefix, and watches it. A backend whose threads share
   * memory may store them there. Such values have `isKept`, and the watch reports when they are moved.
   */
  readonly keep?: string | undefined;
}

export interface RangeResult {
  /** The revision at which the result is valid: the requested one, or the latest at the time of reading. */
  readonly revision: number;
  readonly entries: readonly StoredEntry[];
  readonly more: boolean;
  /** The number of keys in the range, returned or not; present if requested. */
  readonly count?: number | undefined;
}

export interface Change {
  readonly key: string;
  /** The modRevision that the key must have for the change to be applied; 0 if the key must be absent. */
  readonly expected: number;
  /** The new value; undefined deletes the key. The caller must not modify the bytes afterwards. */
  readonly value: Buffer | undefined;
  /** The object that the value encodes, if it is at hand. A storage with another encoding need not parse the value. */
  readonly object?: object | undefined;
}

export type CommitResult =
  | { readonly committed: true; readonly revision: number }
  | { readonly committed: false; readonly current: StoredEntry | undefined };

export interface TwoCommitsResult {
  readonly first: CommitResult;
  /** Whether the second value was committed as well. It is not if the first was not, or if it is too large. */
  readonly isReplaced: boolean;
}

/** The integrity fields of the event describe `value`; those of `previous` describe the previous value. */
export interface StorageEvent extends ValueIntegrity {
  readonly revision: number;
  readonly key: string;
  /** Undefined for a deletion. */
  readonly value: Buffer | undefined;
  /** Whether the value is in memory that other threads share. */
  readonly isKept?: boolean | undefined;
  /** Equal to `revision` when this event created the key; 0 for a deletion. */
  readonly createRevision: number;
  /** The entry that this change replaced or deleted. */
  readonly previous: StoredEntry | undefined;
}

/** The new locations of values that a cache keeps. */
export interface MovedValues {
  /** The same values at their new locations. */
  readonly values: readonly { readonly key: string; readonly revision: number; readonly value: Buffer }[];
  /** Memory without current values. It is freed when there are no views of it. */
  readonly released: ArrayBufferLike | undefined;
}

export interface WatchOptions {
  /** If empty, all keys match. */
  readonly prefix: string;
  readonly after: number;
  /** Whether `previous` may be absent from events, because the watcher already has it. */
  readonly withoutPrevious?: boolean;
  readonly onEvents: (events: readonly StorageEvent[]) => void;
  /**
   * Called when all changes up to this revision have been delivered, so that no later event has that revision or a
   * lower one. Called only by backends whose watches lag, never with a lower revision than before.
   */
  readonly onProgress?: ((revision: number) => void) | undefined;
  /** Called when kept values have been moved, see `RangeOptions.keep`. May be called with values of other prefixes. */
  readonly onMoved?: ((moved: MovedValues) => void) | undefined;
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

/**
 * Fills a new storage with the entries of another one, which keep their revisions. Added entries are durable, if the
 * storage is. Until `finish` the storage cannot be opened for anything else; an interrupted filling continues where it
 * stopped.
 */
export interface Filling {
  /** The revision of the source: the given one, or that of an interrupted filling. */
  readonly revision: number;
  /** The last key that an interrupted filling has added. */
  readonly after: string | undefined;
  /**
   * Adds entries in key order. Their keys are after all others. An entry whose revision another one has already, which
   * only foreign storages have, gets a later revision.
   */
  add(entries: readonly StoredEntry[]): Promise<void>;
  /** Opens the storage at the revision of the source. Everything before counts as compacted. */
  finish(): Promise<Storage>;
  /** Releases the resources of an unfinished filling. */
  close(): Promise<void>;
}

export type StorageErrorCode =
  | 'RevisionCompacted'
  | 'RevisionInFuture'
  | 'Closed'
  | 'InUse'
  | 'NotEmpty'
  | 'Unavailable'
  | 'OutcomeUnknown'
  | 'TooLarge'
  | 'Corrupt';

export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.code = code;
  }
}

/** The exclusive end of the range of all keys that start with the prefix, which must not be empty. */
export function prefixEnd(prefix: string): string {
  const lastUnit = prefix.charCodeAt(prefix.length - 1);
  // The last character is nearly always a slash.
  if (lastUnit < 0x7f) return prefix.slice(0, -1) + String.fromCharCode(lastUnit + 1);
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  // No string sorts after the last code point, so the range ends where the range of the shorter prefix ends.
  while (points.length > 1 && points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop() ?? 0;
  // Lone surrogates are not characters and have no UTF-8 encoding.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}
