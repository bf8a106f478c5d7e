/** One value or several. `*` matches any value. */
export type Pattern = string | readonly string[];

/** The requests that a rule selects. Absent fields match everything. */
export interface RequestMatch {
  /** Names of users. If absent, all requests match except the server's own ones. */
  readonly user?: Pattern;
  readonly verb?: Pattern;
  /** API groups. The core group is the empty string. */
  readonly group?: Pattern;
  /** Plurals, such as `leases`. */
  readonly resource?: Pattern;
  /** If absent, a match with `resource` selects the objects themselves, not their subresources. */
  readonly subresource?: Pattern;
  readonly namespace?: Pattern;
  readonly name?: Pattern;
  /** Selects non-resource paths instead, such as `/version`. A `*` at the end matches any suffix. */
  readonly path?: Pattern;
}

/** The Status of a response. */
export interface FaultStatus {
  /** 400 to 599. */
  readonly code: number;
  /** Default: the usual reason of the code. */
  readonly reason?: string;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

/** The fault that is injected. */
export type FaultAction =
  /** Responds with this status without processing the request. */
  | ({ readonly type: 'status' } & FaultStatus)
  /** Processes the request after a delay. A pair is a range from which the delay is drawn. */
  | { readonly type: 'delay'; readonly ms: number | readonly [min: number, max: number] }
  /** Processes the request when the rule is removed. */
  | { readonly type: 'hold' }
  /** Closes the connection without a response: before the request is processed, or after it was committed. */
  | { readonly type: 'drop'; readonly when: 'before' | 'after' }
  /** Serves reads that allow older data from the state at this version. Default: the state when the rule was added. */
  | { readonly type: 'staleRead'; readonly resourceVersion?: string }
  /** Removes all history before the request is processed. */
  | { readonly type: 'compact' }
  /** Responds to a list with a continue token as if its history had been removed. */
  | { readonly type: 'expireContinue' }
  /** Holds the events of a watch until the rule is removed. */
  | { readonly type: 'holdEvents'; readonly afterEvents?: number }
  /** Delays every event of a watch by this time. Events stay in order. */
  | { readonly type: 'delayEvents'; readonly ms: number }
  /** Ends a watch, after an ERROR event if there is a status. */
  | { readonly type: 'endWatch'; readonly afterEvents?: number; readonly status?: FaultStatus }
  /** Disconnects a watch without ending the stream, as the server does with slow clients. */
  | { readonly type: 'cutWatch'; readonly afterEvents?: number }
  /** Resets new connections: the `first` ones, or all of them for some time. */
  | { readonly type: 'refuseConnections'; readonly ms?: number }
  /** Closes the port for some time, so that new connections fail. Open connections stay open. */
  | { readonly type: 'closePort'; readonly ms: number };

export interface FaultRule {
  /** Default: a number. */
  readonly id?: string;
  readonly match?: RequestMatch;
  /** The matching requests that the rule affects, counted from 1. Default: all. */
  readonly nth?: number | readonly number[];
  /** Maximum number of requests that the rule affects. */
  readonly first?: number;
  /** The probability that the rule affects a matching request, from 0 to 1. */
  readonly probability?: number;
  /** Seed of the random decisions. The same seed and order of requests give the same faults. Default: 1. */
  readonly seed?: number;
  readonly action: FaultAction;
}

/** A rule and its counters. */
export interface RuleState extends FaultRule {
  readonly id: string;
  /** The number of matching requests. */
  readonly matched: number;
  /** The number of affected requests. */
  readonly affected: number;
}

/** An entry of the log. */
export interface InjectedFault {
  /** The position in the log, from 1. */
  readonly sequence: number;
  /** The id of the rule. */
  readonly rule: string;
  readonly action: FaultAction['type'];
  /** The position of the request among those that match the rule, from 1. */
  readonly match: number;
  /** Absent for faults of connections. */
  readonly request?: FaultedRequest;
}

export interface FaultedRequest {
  readonly user: string;
  readonly verb: string;
  readonly path: string;
  /** Absent for non-resource paths. */
  readonly target?: {
    readonly group: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
  };
}
