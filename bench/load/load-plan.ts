/** Where a server listens and how to be let in. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  /** Says who asks, in every request. A server that gets a certificate as well believes that. */
  readonly token?: string;
}

export type Protocol = 'h2' | 'http/1.1';

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  /** What the body is said to be; JSON unless told. */
  readonly contentType?: string;
  /** The media type of the answer; JSON unless told. */
  readonly accept?: string;
}

export const jsonType = 'application/json';
export const protobufType = 'application/vnd.kubernetes.protobuf';

/**
 * Stands for the serial number in a path or a body, a number that no other request of the run has. One of the same width
 * replaces it, so that every request has the same length.
 */
export const serialMark = 'serial######';
/** Stands for the last digit of the serial number: every tenth request has the same. */
export const digitMark = 'digit#';
/** Stands for a digit that is another one when a serial number comes again, where `serialsBelow` lets them. */
export const turnMark = 'turn#';

/** Every client takes a break after so many bytes. */
export interface SlowReading {
  readonly bytes: number;
  readonly pauseMs: number;
}

/** One run of the load generator: a number of requests, or as many as fit in a time. */
export interface LoadPlan {
  readonly protocol: Protocol;
  readonly request: LoadRequest;
  readonly connections: number;
  /** Requests in flight on each connection; HTTP/1.1 knows only one. */
  readonly streams: number;
  /** Instead of counting up: the numbers below this, in wide steps, over and over. */
  readonly serialsBelow?: number;
  readonly slowReading?: SlowReading;
  readonly limit: { readonly requests: number } | { readonly rampSeconds: number; readonly seconds: number };
}

export interface LoadResult {
  /** Answers that were counted, in `seconds`. */
  readonly requests: number;
  /** Answers altogether, with those of the ramp and those after the end. */
  readonly allRequests: number;
  readonly seconds: number;
  readonly bodyBytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of the time in which the load generator itself was busy. Near 1, it was the bottleneck and not the server. */
  readonly busy: number;
}
