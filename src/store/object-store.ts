import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { CorruptObject } from './corrupt-object.ts';
import type { ObjectRun } from './object-run.ts';
import type { ObjectScope } from './object-scope.ts';
import type { StoredObject } from './stored-object.ts';

/**
 * The objects of one stored type, by storage key. An object that is stored and cannot be read concerns only those who ask for
 * it: they get a `CorruptObjectError`, which names its key.
 */
export interface ObjectStore {
  /** The newest state of one object. */
  get(key: string): MaybePromise<StoredObject | undefined>;

  /**
   * Objects in key order, all of one revision. Fails as `Storage.range` does for a revision that cannot be served, and when
   * the page would contain a corrupt object. What a selector would say of such an object is not known: then it might.
   */
  list(options: ListOptions): MaybePromise<ListResult>;

  /**
   * Resolves when the stream is established. What came before that moment is in the backlog, which the caller reads as
   * fast as it likes; what comes after it is handed to `onEvent` at once, so the caller has to keep it until it is done
   * with the backlog. Both together are the changes asked for, in order, without gap or repetition. Rejects with
   * `RevisionCompacted` when `after` lies before the kept history; so may reading the backlog. A change from or to a
   * corrupt object cannot be shown: it ends the stream of those who may watch that object. `signal` is the only way to stop;
   * nothing is delivered after it.
   */
  watch(options: WatchOptions): Promise<ObjectWatch>;

  /**
   * Reads, lets `decide` choose and writes, as one step: `decide` runs again with the newer state when another writer was
   * faster. Equal bytes are not written. `decide` must not throw for a state that `expectAbsent` only assumed. Fails for a
   * corrupt object, unless the caller has a decision for that.
   */
  update(key: string, decide: Decide, options?: UpdateOptions): Promise<Outcome>;

  /** Every revision up to this one is contained in what `get` and `list` answer now. */
  revision(): MaybePromise<number>;

  /** History before this revision is gone. */
  oldestRevision(): number;
}

export interface ListOptions extends ObjectScope {
  /** Keys up to and including this one are left out. */
  readonly startAfter?: string;
  /** At most this many matching objects; 0 for all. */
  readonly limit: number;
  /** As of exactly this revision; the newest by default. */
  readonly revision?: number;
  /** Corrupt objects are left out, for those who can do without them. */
  readonly skipCorrupt?: boolean;
}

export interface ListResult {
  readonly revision: number;
  /** In the order of the keys. */
  readonly runs: readonly ObjectRun[];
  /** The last key looked at, when there are more behind it. */
  readonly continueAfter?: string;
  /** How many are left behind it; only when the scope is nothing but a prefix. */
  readonly remaining?: number;
}

/** The events are those of the scope's objects, whether they match or not: who watches needs to know what ceases to match. */
export interface WatchOptions extends ObjectScope {
  /** Changes after this revision. Undefined: first the present state as ADDED events, then what follows. */
  readonly after: number | undefined;
  /** The present state may be told without corrupt objects. Otherwise it is refused when there are any. */
  readonly skipCorrupt?: boolean;
  readonly onEvent: (event: ObjectEvent) => void;
  /** Called once when the stream cannot go on. */
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

export interface ObjectWatch {
  /** To be read once, in pieces that are made when they are asked for. */
  readonly backlog: Iterable<readonly ObjectEvent[]> | AsyncIterable<readonly ObjectEvent[]>;
  /** The revision of the state that the backlog shows; undefined for a watch that began after a revision. */
  readonly initialRevision: number | undefined;
  /** Every change up to this revision has been in the backlog or handed to `onEvent`. */
  readonly progress: () => number;
}

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** For DELETED the last state, under the version of the deletion. */
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
}

export type Decide = (current: StoredObject | undefined) => MaybePromise<Decision>;

export interface UpdateOptions {
  /** The caller thinks that there is no such object: `decide` is asked about that first, without reading. */
  readonly expectAbsent?: boolean;
  /** What to do about a corrupt object; it may throw. By default the update fails with a `CorruptObjectError`. */
  readonly onCorrupt?: (object: CorruptObject) => Exclude<Decision, { readonly action: 'put' }>;
}

export type Decision =
  | { readonly action: 'put'; readonly value: Buffer }
  | { readonly action: 'delete' }
  /** Nothing to do: the present state is the outcome. */
  | { readonly action: 'keep' };

export interface Outcome {
  /** The state that is now stored; after a deletion the last one, under the version of the deletion. Undefined: kept absent, or corrupt. */
  readonly object: StoredObject | undefined;
  readonly changed: boolean;
}
