import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { CorruptObject } from './corrupt-object.ts';
import type { ObjectRun } from './object-run.ts';
import type { ObjectScope } from './object-scope.ts';
import type { StoredObject } from './stored-object.ts';

/**
 * The objects of one stored type, by storage key. A stored object that cannot be decoded affects only requests for that
 * object: they fail with a `CorruptObjectError`, which contains its key.
 */
export interface ObjectStore {
  /** Whether `update` may write a value that is equal to the current one, see `Storage.mayBeStale`. */
  readonly mayBeStale?: boolean | undefined;

  /** Returns the state of one object. */
  get(key: string, options?: ReadOptions): MaybePromise<StoredObject | undefined>;

  /**
   * Lists objects in key order, all at one revision. Fails like `Storage.range` for a revision that cannot be served,
   * and when the page would contain a corrupt object. A corrupt object is assumed to match any selector that cannot be
   * evaluated on its key alone.
   */
  list(options: ListOptions): MaybePromise<ListResult>;

  /**
   * Resolves when the stream is established. Earlier events are in the backlog, which the caller reads at its own pace.
   * Later events are passed to `onEvent` immediately, so the caller must buffer them until it has read the backlog.
   * Together they contain all requested changes, in order, without gaps or duplicates.
   *
   * Rejects with `RevisionCompacted` when `after` is older than the kept history; reading the backlog may fail in the
   * same way. A change from or to a corrupt object cannot be sent: it ends every stream whose scope may include that
   * object. `signal` is the only way to stop; nothing is delivered after the abort.
   */
  watch(options: WatchOptions): Promise<ObjectWatch>;

  /**
   * Performs an atomic read-modify-write. `decide` runs again with the newer state when another writer committed first.
   * Identical bytes are not written. A decision that changes nothing, or throws, is valid only for the state in
   * storage: if it was made on an older state, `decide` runs again. `decide` must not throw for a state that is only
   * assumed because of `expectAbsent`. Fails for a corrupt object, unless `onCorrupt` is given.
   */
  update(key: string, decide: Decide, options?: UpdateOptions): Promise<Outcome>;

  /** Identifies the state that reads with `atLeast: 0` return. Undefined or absent when reads must access the store. */
  state?(): object | undefined;

  /** The size of an object in memory, in bytes. Undefined when the object is not there. */
  cachedSize?(key: string): number | undefined;

  /** The latest revision of storage. */
  revision(): MaybePromise<number>;

  /** The revision up to which reads include all changes, without a request to storage. */
  reached(): number;

  /** The oldest revision whose history is kept. */
  oldestRevision(): number;

  /** Returns how many objects of the type are in memory, for estimates. Absent or undefined when that is not known. */
  load?(prefix: string): StoreLoad | undefined;
}

export interface StoreLoad {
  /** The number of objects under the prefix. */
  readonly objects: number;
  /** The number of watches of the type. */
  readonly watches: number;
  /** The approximate size of an object of the type, in bytes. */
  readonly meanBytes: number;
}

export interface ReadOptions {
  /**
   * Any state that includes all changes up to this revision may be returned. Undefined: all changes that were committed
   * before the read, by any server.
   */
  readonly atLeast?: number | undefined;
}

export interface ListOptions extends ObjectScope, ReadOptions {
  /** Keys up to and including this one are skipped. */
  readonly startAfter?: string;
  /** Maximum number of matching objects; 0 for no limit. */
  readonly limit: number;
  /** Lists at exactly this revision; default: the latest. */
  readonly revision?: number;
  /** Skips corrupt objects instead of failing. */
  readonly skipCorrupt?: boolean;
}

export interface ListResult {
  /** Negative when the store has no versions. */
  readonly revision: number;
  /** In key order. */
  readonly runs: readonly ObjectRun[];
  /** The last key examined; set when more objects follow. */
  readonly continueAfter?: string;
  /** The number of objects after `continueAfter`; set only when the scope is a plain prefix. */
  readonly remaining?: number;
}

/** Events are not filtered by `matches`: a watcher also needs the events of objects that no longer match. */
export interface WatchOptions extends ObjectScope, ReadOptions {
  /** Delivers changes after this revision. If undefined, a state is sent first as ADDED events, see `atLeast`. */
  readonly after: number | undefined;
  /** Omits corrupt objects from the initial state. Otherwise the watch is refused if there are any. */
  readonly skipCorrupt?: boolean;
  /**
   * Whether `onEvent` may be called after the change is visible to readers and its writer has got the response.
   * `progress` calls it for all changes so far.
   */
  readonly inTurns?: boolean | undefined;
  readonly onEvent: (event: ObjectEvent) => void;
  /** Called once, when the stream cannot continue. */
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

export interface ObjectWatch {
  /** Can be read once. The batches are created on demand. */
  readonly backlog: Iterable<readonly ObjectEvent[]> | AsyncIterable<readonly ObjectEvent[]>;
  /** The revision of the initial state in the backlog; undefined for a watch that starts after a revision. */
  readonly initialRevision: number | undefined;
  /** Every change up to this revision is in the backlog or has been passed to `onEvent`. */
  readonly progress: () => number;
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** For DELETED, the last state with the revision of the deletion. */
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
}

export type Decide = (current: StoredObject | undefined) => MaybePromise<Decision>;

export interface UpdateOptions {
  /** The caller expects the object to be absent: `decide` is first called for that state, without a read. */
  readonly expectAbsent?: boolean;
  /** Decides what to do with a corrupt object; may throw. By default the update fails with a `CorruptObjectError`. */
  readonly onCorrupt?: (object: CorruptObject) => Exclude<Decision, { readonly action: 'put' }>;
  /**
   * Returns the value that replaces a new object as soon as it is stored. Both become durable together. Not called if
   * the storage cannot do so. The object that it gets has no valid revision yet.
   */
  readonly followUp?: ((created: StoredObject) => FollowUp | undefined) | undefined;
}

export interface FollowUp {
  readonly value: Buffer;
  /** Called when it is known whether the value was stored. */
  readonly settled: (outcome: 'stored' | 'not stored') => void;
}

export type Decision =
  /** `object` is what the value encodes, apart from a resourceVersion. It must not change until the call returns. */
  | { readonly action: 'put'; readonly value: Buffer; readonly object?: object }
  | { readonly action: 'delete' }
  /** No change: the result is the current state. */
  | { readonly action: 'keep' };

export interface Outcome {
  /**
   * The stored state; after a deletion, the last state with the revision of the deletion. Undefined when the key stays
   * absent or was corrupt.
   */
  readonly object: StoredObject | undefined;
  readonly changed: boolean;
}
