/**
 * A multi-version map from keys to bytes. Keys are well-formed text, ordered by their UTF-8 bytes.
 *
 * Every commit gets a revision: an integer strictly greater than all before it, also across restarts. A commit
 * resolves only when it is durable, and no reader or watcher sees it before that. Backends with one writer (memory,
 * embedded) deliver the events of a commit to all watchers before the commit's promise resolves, and answer
 * `latestRevision` without a promise.
 */
export interface Storage {
  /** The newest revision that readers can see. A promise where only a quorum can tell. */
  latestRevision(): number | Promise<number>;

  /** One key as of the given revision (default: the newest). Fails as `range` does. */
  get(key: string, options?: { revision?: number }): Promise<StoredEntry | undefined>;

  /**
   * The keys with `start <= key < end`, in key order, as of one revision. Fails with `RevisionCompacted` when that revision's
   * history is gone and with `RevisionInFuture` when it has not been reached.
   */
  range(options: RangeOptions): Promise<RangeResult>;

  /**
   * Writes or deletes one key if its present state is the expected one. A comparison that does not hold is not an
   * error: the result says so and carries the present entry. To delete an absent key is such a case: nothing is
   * written, `current` is undefined. Rejects with `TooLarge` when the value is over the backend's limit, and with
   * `Unavailable` when the store could not make it durable; then nothing of it is visible and a later try may succeed.
   */
  commit(change: Change): Promise<CommitResult>;

  /**
   * Calls `onEvents` for every change with revision > `after`, each exactly once, in revision order, with its previous entry.
   * Resolves when the stream is established; backends with one writer have then delivered all events up to
   * `latestRevision`. Rejects with `RevisionCompacted` when `after` is older than the kept history; a later failure, of
   * which `close` is one (`Closed`), is told to `onError`, after which nothing follows. `signal` is the only way to stop:
   * nothing is delivered after the abort, and an abort before the promise has resolved rejects it with the signal's
   * reason. What lies in the past comes in pieces of bounded size, so a watcher may abort inside `onEvents`, at the cost of
   * that piece, and watch again from the last revision that it took. An `after` that lies in the future is waited for.
   * An `onEvents` that throws ends its own watch as a failure of storage would.
   */
  watch(options: WatchOptions): Promise<void>;

  /**
   * Forgets history: afterwards neither a range at a revision below the given one nor a watch from below it is served.
   * The newest entry of each key stays. Idempotent; lower revisions than an earlier one change nothing. Rejects with
   * `RevisionInFuture` when the revision has not been reached.
   */
  compact(revision: number): Promise<void>;

  /** The revision of the last compaction, 0 when there was none. */
  compactedRevision(): number;

  /** Really touches the store, so that a health check can tell whether it answers. Rejects when it does not. */
  probe(signal: AbortSignal): Promise<void>;

  /** As `probe`; rejects also when commits fail, or can be expected to: a full disk, a file that has been deleted. */
  probeWrites(signal: AbortSignal): Promise<void>;

  /**
   * Finishes the calls in flight and releases everything. Later calls fail with `Closed`, except that the two revisions are
   * still told as they were last. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * What a backend knows of a value that it has read. Both fields are absent for a value that is what was committed. One bad
 * value concerns its own key only: reads and watches hand it over like any other, with the reason.
 */
export interface ValueIntegrity {
  /** Why the value is not what was committed. Its bytes are those that were found, if any, and must not be served. */
  readonly corrupt?: string | undefined;
  /** The backend has nothing to check the value against. Whoever understands the bytes has to check them. */
  readonly unverified?: boolean | undefined;
}

export interface StoredEntry extends ValueIntegrity {
  readonly key: string;
  readonly value: Buffer;
  /** The revision of the commit that wrote this value. */
  readonly modRevision: number;
  /** The revision of the commit that created the key, since when it has existed without a break. */
  readonly createRevision: number;
}

export interface RangeOptions {
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  /** At most this many entries; `more` tells whether there are others. No limit by default. */
  readonly limit?: number;
  /** Default: the newest. */
  readonly revision?: number;
  /** Also count all keys of the range at that revision, with those beyond `limit`. */
  readonly count?: boolean;
}

export interface RangeResult {
  /** The revision the answer is valid at: the requested one, or the newest at the time of reading. */
  readonly revision: number;
  readonly entries: readonly StoredEntry[];
  readonly more: boolean;
  /** All keys of the range, returned or not; present when asked for. */
  readonly count?: number | undefined;
}

export interface Change {
  readonly key: string;
  /** The key's modRevision that must hold for the change to happen; 0: the key must be absent. */
  readonly expected: number;
  /** The new value; undefined deletes the key. The caller must not write to the bytes afterwards. */
  readonly value: Buffer | undefined;
}

export type CommitResult =
  | { readonly committed: true; readonly revision: number }
  | { readonly committed: false; readonly current: StoredEntry | undefined };

/** What is known of `value` is told by the event, what is known of the value before by `previous`. */
export interface StorageEvent extends ValueIntegrity {
  readonly revision: number;
  readonly key: string;
  /** Undefined for a deletion. */
  readonly value: Buffer | undefined;
  /** Equal to `revision` when this event created the key; 0 for a deletion. */
  readonly createRevision: number;
  /** The entry that this change replaced or deleted. */
  readonly previous: StoredEntry | undefined;
}

export interface WatchOptions {
  /** Empty: all keys. */
  readonly prefix: string;
  readonly after: number;
  readonly onEvents: (events: readonly StorageEvent[]) => void;
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

export type StorageErrorCode =
  | 'RevisionCompacted'
  | 'RevisionInFuture'
  | 'Closed'
  | 'InUse'
  | 'Unavailable'
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

/** The end of the range of all keys that start with the prefix (which must not be empty). */
export function prefixEnd(prefix: string): string {
  const lastUnit = prefix.charCodeAt(prefix.length - 1);
  // Nearly always a slash.
  if (lastUnit < 0x7f) return prefix.slice(0, -1) + String.fromCharCode(lastUnit + 1);
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  // Nothing comes after the last code point: then the range ends where that of the shorter prefix does.
  while (points.length > 1 && points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop() ?? 0;
  // Surrogates are no characters of their own and have no place in the order of bytes.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}
