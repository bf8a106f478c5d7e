import type { MessagePort } from 'node:worker_threads';
import type { StorageErrorCode } from '../storage.ts';
import type { PackedVersions } from './packed-versions.ts';

/**
 * The requests of a thread to the worker. The worker answers those of a thread one at a time, in the order in which
 * they were sent. The thread relies on this: when a reply arrives, the replies to all earlier requests have been
 * handled.
 */
export interface Operations {
  open: { request: OpenRequest; reply: OpenReply };
  connect: { request: ConnectRequest; reply: OpenReply };
  commit: { request: CommitRequest; reply: CommitReply };
  get: { request: GetRequest; reply: GetReply };
  range: { request: RangeRequest; reply: RangeReply };
  count: { request: CountRequest; reply: CountReply };
  replay: { request: ReplayRequest; reply: ReplayReply };
  compact: { request: { readonly revision: number }; reply: undefined };
  sweep: { request: undefined; reply: SweepReply };
  vacuum: { request: VacuumRequest; reply: VacuumReply };
  probe: { request: ProbeRequest; reply: undefined };
  fill: { request: FillRequest; reply: undefined };
  filled: { request: undefined; reply: OpenReply };
  close: { request: undefined; reply: undefined };
}

export type Operation = keyof Operations;

export type RequestMessage = {
  [O in Operation]: { readonly id: number; readonly operation: O; readonly request: Operations[O]['request'] };
}[Operation];

export interface ReplyMessage {
  readonly id: number;
  /** Its type depends on the requested operation. */
  readonly reply?: unknown;
  readonly failure?: Failure;
}

/**
 * Sends the committed changes to every thread of a shared store, in the order of the revisions and before any of the
 * commits is acknowledged.
 */
export interface PublishedMessage {
  readonly published: {
    /** The number of events. */
    readonly count: number;
    /** The offset of the first event in the slab. */
    readonly offset: number;
    /** The memory that holds these events and the following ones. Sent only when it is new. */
    readonly slab?: SharedArrayBuffer | undefined;
  };
}

/**
 * Sends the locations of cached values to every thread of a shared store, before the first message that refers to them.
 */
export interface KeptMessage {
  readonly kept: {
    /** New memory. */
    readonly slabs?: readonly { readonly id: number; readonly memory: SharedArrayBuffer }[];
    /** Values that have been copied elsewhere: the revision, slab, offset and length of each. */
    readonly moved?: { readonly keys: readonly string[]; readonly numbers: Float64Array };
    /** A slab that has no current values. */
    readonly dropped?: number;
  };
}

/** An error in a form that can be sent between threads. */
export interface Failure {
  readonly code: StorageErrorCode;
  readonly message: string;
  readonly cause: { readonly name: string; readonly message: string; readonly code: string | undefined };
}

export interface OpenRequest {
  /** Undefined: the store is in memory. */
  readonly directory: string | undefined;
  /** Set for a store that several threads use: the memory of its `SharedNumbers`. */
  readonly shared?: SharedArrayBuffer | undefined;
  /** Maximum size of the database file. */
  readonly sizeLimit: number | undefined;
  /** Whether deleted data is overwritten in the file. */
  readonly overwriteDeleted: boolean;
  /** The revision of the source that the store is to be filled from. */
  readonly filling?: number;
}

/** Requests that another thread can use the store. */
export interface ConnectRequest {
  /** The port on which the thread sends requests and gets replies and events. */
  readonly port: MessagePort;
  /** The index of the thread in the `SharedNumbers`. */
  readonly slot: number;
}

export interface OpenReply {
  readonly revision: number;
  readonly compacted: number;
  /** Whether the previous process ended before it had deleted all rows that the compaction made obsolete. */
  readonly sweepPending: boolean;
  /** Set for a store that is being filled: the revision of its source, and the last key that it has. */
  readonly filling?: { readonly revision: number; readonly after: string | undefined };
}

export interface FillRequest {
  readonly entries: readonly FilledEntry[];
}

export interface FilledEntry {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly value: Uint8Array;
}

/**
 * Used as the expected revision of a change: the revision that the previous change in the batch gets. Both changes have
 * the same key.
 */
export const revisionOfPrevious = -1;

export interface CommitRequest {
  /** Number of changes in the slab that belong to the batch. */
  readonly count: number;
  /** The memory that holds this batch and the following ones. Sent only when it is new. */
  readonly slab?: SharedArrayBuffer;
}

export interface CommitReply {
  /** The revision after the batch. */
  readonly revision: number;
  /** The revision of each change; 0 for a change whose comparison failed. */
  readonly revisions: readonly number[];
  /**
   * The version that each change found; undefined when no change found one. In a shared store only those that made a
   * comparison fail: the others are part of the events.
   */
  readonly found: PackedVersions | undefined;
}

export interface GetRequest {
  readonly key: string;
  readonly revision: number | undefined;
}

export interface GetReply {
  /** One version, or none. */
  readonly versions: PackedVersions;
}

export interface RangeRequest {
  readonly start: string;
  readonly end: string;
  readonly limit: number;
  readonly revision: number | undefined;
  /** Set if the thread keeps the values with this prefix. */
  readonly keep: string | undefined;
}

export interface RangeReply {
  readonly revision: number;
  readonly keys: readonly string[];
  readonly versions: PackedVersions;
  /**
   * The locations of kept values: for each key the slab (0 for none), the offset and the length. Their versions have no
   * value.
   */
  readonly kept?: Float64Array | undefined;
  /**
   * The key at which to continue reading; undefined at the end of the range. A chunk may be empty without being the
   * last.
   */
  readonly next: string | undefined;
}

export interface CountRequest {
  readonly start: string;
  readonly end: string;
  readonly revision: number;
}

export interface CountReply {
  readonly count: number;
  /** The key at which to continue counting; undefined at the end of the range. */
  readonly next: string | undefined;
}

export interface ReplayRequest {
  readonly after: number;
  readonly prefix: string;
}

export interface ReplayReply {
  /** All events up to this revision have been read, including those of other prefixes. */
  readonly through: number;
  readonly revisions: readonly number[];
  readonly keys: readonly string[];
  /** Two for each event: the new version and the version it replaced. */
  readonly versions: PackedVersions;
}

export interface ProbeRequest {
  /** Whether to check also that commits are likely to succeed. */
  readonly writes: boolean;
}

export interface SweepReply {
  readonly done: boolean;
}

export interface VacuumRequest {
  readonly begun: boolean;
}

export interface VacuumReply {
  readonly done: boolean;
}
