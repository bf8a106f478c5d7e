import type { Histogram, Meter } from '../meta/meter.ts';

/** Measures expressions wherever they are used, under the names of kube-apiserver. */
export class ExpressionMetrics {
  readonly #compilations: Histogram;
  readonly #evaluations: Histogram;

  constructor(meter: Meter) {
    const durations = (name: string, help: string): Histogram =>
      meter
        .histogram({
          name,
          help,
          labels: [],
          buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        })
        .of();
    this.#compilations = durations(
      'apiserver_cel_compilation_duration_seconds',
      'Duration of the compilation of the expressions of a policy, or of a schema with its rules, in seconds.',
    );
    this.#evaluations = durations(
      'apiserver_cel_evaluation_duration_seconds',
      'Duration of the evaluation of the expressions of a policy, or of the rules for a custom object, in seconds.',
    );
  }

  compiled(ms: number): void {
    this.#compilations.observe(ms / 1000);
  }

  evaluated(ms: number): void {
    this.#evaluations.observe(ms / 1000);
  }
}
