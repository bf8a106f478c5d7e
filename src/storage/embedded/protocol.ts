import type { StorageErrorCode } from '../storage.ts';
import type { PackedVersions } from './packed-versions.ts';

/**
 * What the main thread asks of the worker. The worker answers requests one at a time and in the order in which they
 * were sent; the main thread relies on it: when an answer arrives, those to all earlier requests have been handled.
 */
export interface Operations {
  open: { request: OpenRequest; reply: OpenReply };
  commit: { request: CommitRequest; reply: CommitReply };
  get: { request: GetRequest; reply: GetReply };
  range: { request: RangeRequest; reply: RangeReply };
  count: { request: CountRequest; reply: CountReply };
  replay: { request: ReplayRequest; reply: ReplayReply };
  compact: { request: { readonly revision: number }; reply: undefined };
  sweep: { request: undefined; reply: SweepReply };
  vacuum: { request: VacuumRequest; reply: VacuumReply };
  probe: { request: ProbeRequest; reply: undefined };
  close: { request: undefined; reply: undefined };
}

export type Operation = keyof Operations;

export type RequestMessage = {
  [O in Operation]: { readonly id: number; readonly operation: O; readonly request: Operations[O]['request'] };
}[Operation];

export interface ReplyMessage {
  readonly id: number;
  /** Its type follows from the operation that was asked for. */
  readonly reply?: unknown;
  readonly failure?: Failure;
}

/** An error in a form that survives the way between threads. */
export interface Failure {
  readonly code: StorageErrorCode;
  readonly message: string;
  readonly cause: { readonly name: string; readonly message: string; readonly code: string | undefined };
}

export interface OpenRequest {
  readonly directory: string;
  /** The database file does not grow beyond this. */
  readonly sizeLimit: number | undefined;
}

export interface OpenReply {
  readonly revision: number;
  readonly compacted: number;
  /** The last process ended before all rows that the compaction made superfluous were gone. */
  readonly sweepPending: boolean;
}

export interface CommitRequest {
  /** How many changes of the slab belong to the batch. */
  readonly count: number;
  /** The memory that holds this batch and the following ones; sent when it is a new one. */
  readonly slab?: SharedArrayBuffer;
}

export interface CommitReply {
  /** The revision after the batch. */
  readonly revision: number;
  /** The revision of each change, 0 for one whose comparison did not hold. */
  readonly revisions: readonly number[];
  /** The version that each change found; undefined when none found any. */
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
}

export interface RangeReply {
  readonly revision: number;
  readonly keys: readonly string[];
  readonly versions: PackedVersions;
  /** Where to go on reading; undefined at the end of the range. A chunk may be empty and yet not the last. */
  readonly next: string | undefined;
}

export interface CountRequest {
  readonly start: string;
  readonly end: string;
  readonly revision: number;
}

export interface CountReply {
  readonly count: number;
  /** Where to go on counting; undefined at the end of the range. */
  readonly next: string | undefined;
}

export interface ReplayRequest {
  readonly after: number;
  readonly prefix: string;
}

export interface ReplayReply {
  /** All events up to here have been told, those of other prefixes included. */
  readonly through: number;
  readonly revisions: readonly number[];
  readonly keys: readonly string[];
  /** Two for each event: the new version and the one that it replaced. */
  readonly versions: PackedVersions;
}

export interface ProbeRequest {
  /** Whether commits can be expected to succeed, too. */
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
