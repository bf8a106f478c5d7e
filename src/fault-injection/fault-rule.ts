/** One value or several. `*` is any. */
export type Pattern = string | readonly string[];

/** The requests that a rule selects. Absent fields match everything. */
export interface RequestMatch {
  /** Names of users. Without it, the server's own requests do not match. */
  readonly user?: Pattern;
  readonly verb?: Pattern;
  /** API groups. The core group is the empty string. */
  readonly group?: Pattern;
  /** Plurals, such as `leases`. */
  readonly resource?: Pattern;
  /** With a resource, its objects themselves by default, not its subresources. */
  readonly subresource?: Pattern;
  readonly namespace?: Pattern;
  readonly name?: Pattern;
  /** Paths outside of the resources instead, such as `/version`. A `*` at the end matches any rest. */
  readonly path?: Pattern;
}

/** A Status to answer with. */
export interface FaultStatus {
  /** 400 to 599. */
  readonly code: number;
  /** By default what goes with the code. */
  readonly reason?: string;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

/** The fault that is injected. */
export type FaultAction =
  /** The request is answered so, and nothing is done. */
  | ({ readonly type: 'status' } & FaultStatus)
  /** The request is processed later. A pair is a range to choose from. */
  | { readonly type: 'delay'; readonly ms: number | readonly [min: number, max: number] }
  /** The request is processed when the rule is removed. */
  | { readonly type: 'hold' }
  /** The connection is closed without an answer: before the request is processed, or after it was committed. */
  | { readonly type: 'drop'; readonly when: 'before' | 'after' }
  /**
   * Reads that allow an older state are answered from the state at this version, by default that of the rule's start.
   */
  | { readonly type: 'staleRead'; readonly resourceVersion?: string }
  /** All history is removed before the request is processed. */
  | { readonly type: 'compact' }
  /** A list with a continue token is answered as if its history had been removed. */
  | { readonly type: 'expireContinue' }
  /** Events of a watch are held until the rule is removed. */
  | { readonly type: 'holdEvents'; readonly afterEvents?: number }
  /** Every event of a watch is delayed by this time. The order is kept. */
  | { readonly type: 'delayEvents'; readonly ms: number }
  /** A watch ends, after an ERROR event if there is a status. */
  | { readonly type: 'endWatch'; readonly afterEvents?: number; readonly status?: FaultStatus }
  /** A watch is disconnected without an end, like those of slow clients. */
  | { readonly type: 'cutWatch'; readonly afterEvents?: number }
  /** New connections are reset: the `first` ones, or for some time. */
  | { readonly type: 'refuseConnections'; readonly ms?: number }
  /** The port is closed for some time: connections fail. Open connections stay. */
  | { readonly type: 'closePort'; readonly ms: number };

export interface FaultRule {
  /** By default a number. */
  readonly id?: string;
  readonly match?: RequestMatch;
  /** Which of the matching requests it meets, counted from 1. By default all. */
  readonly nth?: number | readonly number[];
  /** How many requests it meets at most. */
  readonly first?: number;
  /** How likely it meets a matching request, from 0 to 1. */
  readonly probability?: number;
  /** Decides which, together with the order of the requests. By default 1. */
  readonly seed?: number;
  readonly action: FaultAction;
}

/** A rule and what it has done. */
export interface ActiveRule extends FaultRule {
  readonly id: string;
  /** How many requests have matched. */
  readonly matched: number;
  /** The number of affected requests. */
  readonly met: number;
}

/** Which fault met which request. */
export interface MetFault {
  /** Counted from 1. */
  readonly sequence: number;
  readonly rule: string;
  readonly action: FaultAction['type'];
  /** Which of the matching requests it was. */
  readonly match: number;
  /** Absent for connections. */
  readonly request?: FaultedRequest;
}

export interface FaultedRequest {
  readonly user: string;
  readonly verb: string;
  readonly path: string;
  /** Absent for paths outside of the resources. */
  readonly target?: {
    readonly group: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
  };
}
