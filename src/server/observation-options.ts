/** Options for those who look into a server. */
export interface ObservationOptions {
  /** Lets DELETE set the metrics to zero. On by default. */
  readonly profiling?: boolean;
}

export const observationDefaults = { profiling: true };
