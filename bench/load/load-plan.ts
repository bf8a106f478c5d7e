/** The address of a server and the credentials for it. */
export interface Target {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  /** The bearer token of every request. A client certificate takes precedence over it. */
  readonly token?: string;
}

export type Protocol = 'h2' | 'http/1.1';

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  /** The content type of the body. Defaults to JSON. */
  readonly contentType?: string;
  /** The media type of the response. Defaults to JSON. */
  readonly accept?: string;
}

export const jsonType = 'application/json';
export const protobufType = 'application/vnd.kubernetes.protobuf';

/**
 * Placeholder for the serial number in a path or a body, which is unique among the requests of the run. The number has
 * the same width, so that every request has the same length.
 */
export const serialMark = 'serial######';
/** Placeholder for the last digit of the serial number, which every tenth request shares. */
export const digitMark = 'digit#';
/** Placeholder for a digit that changes each time a serial number is repeated, as `serialsBelow` allows. */
export const turnMark = 'turn#';

/** Every client pauses after this number of bytes. */
export interface SlowReading {
  readonly bytes: number;
  readonly pauseMs: number;
}

/** One run of the load generator, limited by a number of requests or by time. */
export interface LoadPlan {
  readonly protocol: Protocol;
  readonly request: LoadRequest;
  readonly connections: number;
  /** Concurrent requests on each connection. Always one for HTTP/1.1. */
  readonly streams: number;
  /** Requests per second, on HTTP/2 connections in turn. Default: each response is followed by the next request. */
  readonly pace?: number;
  /** Repeats the numbers below this, in wide steps, instead of counting up. */
  readonly serialsBelow?: number;
  readonly slowReading?: SlowReading;
  /** The process ID of the server, for measuring its CPU time over the same period. */
  readonly pid?: number;
  readonly limit: { readonly requests: number } | { readonly rampSeconds: number; readonly seconds: number };
}

export interface LoadResult {
  /** The number of responses in `seconds`. */
  readonly requests: number;
  /** All responses, including those of the ramp and those after the end. */
  readonly allRequests: number;
  readonly seconds: number;
  readonly bodyBytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The share of time the load generator was busy. Near 1, it was the bottleneck rather than the server. */
  readonly busy: number;
  /** The load generator's own CPU time per request. */
  readonly clientMicros: number;
  /** The server's CPU time per request, of all threads and of the main thread. NaN when it is not known. */
  readonly cpuMicrosPerRequest: number;
  readonly mainMicrosPerRequest: number;
}
