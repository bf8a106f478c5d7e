import type { MaybePromise } from './maybe-promise.ts';

/** The interface to which rooms report metrics. They are independent of readers and formats. */
export interface Meter {
  /** Creates numbers that only grow. A second call with the same name returns the same family. */
  counter<const L extends readonly string[]>(instrument: Instrument<L>): Family<Counter, L>;
  /** Creates numbers that go up and down. */
  gauge<const L extends readonly string[]>(instrument: Instrument<L>): Family<Gauge, L>;
  /** Creates distributions of numbers. */
  histogram<const L extends readonly string[]>(instrument: Instrument<L> & Buckets): Family<Histogram, L>;
  /**
   * Calls the function before the metrics are read, to set gauges that are not reported on change. Readers wait for its
   * promise. If it fails, they get the current values.
   */
  beforeReading(update: () => MaybePromise<void>): void;
}

export interface Instrument<L extends readonly string[] = readonly string[]> {
  /** A name of Prometheus: words joined by underscores, with the unit. */
  readonly name: string;
  readonly help: string;
  /** The names of the labels. Empty for an instrument of one series. */
  readonly labels: L;
  /**
   * The maximum number of series, 2,000 by default. Label values beyond it share one series whose label values are
   * `other`, so that clients cannot exhaust the memory with names.
   */
  readonly limit?: number;
  /**
   * How the values of several threads of a server are combined: the sum by default. `same`: all of them report the same
   * value. `most`: the maximum. `first`: the value of the thread that handles the request if it has one, otherwise that
   * of another thread. `latest`: the value of a gauge that was determined last.
   */
  readonly together?: 'same' | 'most' | 'first' | 'latest';
}

export interface Buckets {
  /** The inclusive upper bounds in ascending order, without infinity. */
  readonly buckets: readonly number[];
}

/** The series of an instrument by their label values. */
export interface Family<S, L extends readonly string[] = readonly string[]> {
  /**
   * The series of these values, in the order of the labels. It is created by the first call. Keep the series where it
   * is used often: finding it costs much more than reporting to it.
   */
  of(...values: LabelValues<L>): S;
  /** Removes a series, for example of an object that has been deleted. */
  remove(...values: LabelValues<L>): void;
}

export type LabelValues<L extends readonly string[]> = { readonly [K in keyof L]: string };

export interface Counter {
  /** Adds 1 by default. The amount must not be negative. */
  add(amount?: number): void;
}

export interface Gauge {
  /** `at` is the time when the value was determined, in milliseconds since 1970, for a gauge that shows the latest. */
  set(value: number, at?: number): void;
  add(amount: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

const ignore = { add: () => {}, set: () => {}, observe: () => {} };
const ignoring = { of: () => ignore, remove: () => {} };

/** A meter for code without metrics. */
export const noMeter: Meter = {
  counter: () => ignoring,
  gauge: () => ignoring,
  histogram: () => ignoring,
  beforeReading: () => {},
};
