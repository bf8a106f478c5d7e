import type { LoadRequest, LoadResult } from './load-plan.ts';

/** Watches of one path, distributed over connections. */
export interface WatchPlan {
  readonly path: string;
  readonly connections: number;
  /** Watches on each connection. A server limits this number. */
  readonly streams: number;
}

/** One writer, and watchers that all receive every write. */
export interface FanOutPlan {
  readonly watch: WatchPlan;
  readonly write: LoadRequest;
  /** Maximum events in flight: a new write waits until all watchers have the event that many writes before. */
  readonly outstanding: number;
  readonly rampSeconds: number;
  readonly seconds: number;
  /** The process ID of the server, for measuring its CPU time over the same period. */
  readonly pid: number;
}

/** `requests` counts the events delivered to all watchers. Latencies are from a write to its last delivery. */
export type FanOutResult = Omit<LoadResult, 'allRequests'>;

/** One watcher and one writer. The writer continues when both the response and the event have arrived. */
export interface WatchLatencyPlan {
  readonly path: string;
  readonly write: LoadRequest;
  /** Writes before the measurement starts. */
  readonly warmUpWrites: number;
  readonly writes: number;
  readonly pauseMs: number;
}

export interface WatchLatencyResult {
  /** The time from sending the write to receiving the event. */
  readonly fromWrite: Latency;
  /** The time from the response to the write until the event arrives; 0 when the event arrived first. */
  readonly fromResponse: Latency;
  readonly busy: number;
}

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}
