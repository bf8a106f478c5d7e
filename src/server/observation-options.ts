/** Options for metrics, logs, traces and profiles. */
export interface ObservationOptions {
  /** Keeps numbers about the server and serves them on `/metrics`. On by default. */
  readonly enableMetrics?: boolean;
  /** Serves processor and heap profiles below `/debug/pprof`, and lets DELETE set metrics to zero. On by default. */
  readonly profiling?: boolean;
  /** Requests that take longer are logged, with the durations of their stages, in milliseconds. 0 logs none. */
  readonly slowRequestThresholdMs?: number;
  /** File with a TracingConfiguration (YAML): where traces are sent to, and of how many requests. */
  readonly tracingConfigFile?: string;
}

export const observationDefaults = { enableMetrics: true, profiling: true, slowRequestThresholdMs: 1000 };

/** Throws a RangeError. */
export function checkObservationOptions({ slowRequestThresholdMs = 0 }: ObservationOptions): void {
  if (!(slowRequestThresholdMs >= 0)) throw new RangeError('the threshold of slow requests must not be negative');
}
