import type { LoadRequest, LoadResult } from './load-plan.ts';

/** Watches of one path, spread over connections. */
export interface WatchPlan {
  readonly path: string;
  readonly connections: number;
  /** Watches on each connection; a server allows only so many. */
  readonly streams: number;
}

/** One writer, whose every write all watchers get. */
export interface FanOutPlan {
  readonly watch: WatchPlan;
  readonly write: LoadRequest;
  /** Events that may be on their way: a new write waits until every watcher has the one before them. */
  readonly outstanding: number;
  readonly rampSeconds: number;
  readonly seconds: number;
  /** The server's process, for its processor time between the same two moments. */
  readonly pid: number;
}

/** `requests` are the events delivered, over all watchers; the times are from a write to its last watcher. */
export interface FanOutResult extends Omit<LoadResult, 'allRequests'> {
  /** NaN where the system does not tell. */
  readonly cpuSeconds: number;
}

/** One watcher and one writer, who goes on when both the answer and the event have come. */
export interface WatchLatencyPlan {
  readonly path: string;
  readonly write: LoadRequest;
  /** Writes before those that count. */
  readonly warmUpWrites: number;
  readonly writes: number;
  readonly pauseMs: number;
}

export interface WatchLatencyResult {
  /** From sending the write until the event is here. */
  readonly fromWrite: Latency;
  /** From the answer to the write until the event is here; 0 when the event came first. */
  readonly fromAnswer: Latency;
  readonly busy: number;
}

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}
