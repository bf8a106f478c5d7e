/** Options for metrics, logs, traces and profiles. */
export interface ObservationOptions {
  /** Collects metrics and serves them on `/metrics`. On by default. */
  readonly enableMetrics?: boolean;
  /** Serves CPU and heap profiles below `/debug/pprof`, and allows DELETE to reset the metrics. On by default. */
  readonly profiling?: boolean;
  /** Requests that take longer are logged, with the durations of their stages, in milliseconds. 0 logs none. */
  readonly slowRequestThresholdMs?: number;
  /** File with a TracingConfiguration (YAML): endpoint and sampling rate of traces. */
  readonly tracingConfigFile?: string;
}

export const observationDefaults = { enableMetrics: true, profiling: true, slowRequestThresholdMs: 1000 };

/** Throws a RangeError. */
export function checkObservationOptions({ slowRequestThresholdMs = 0 }: ObservationOptions): void {
  if (!(slowRequestThresholdMs >= 0)) throw new RangeError('the threshold of slow requests must not be negative');
}
