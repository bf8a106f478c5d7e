import type { Counter, Gauge, Histogram, Instrument } from '../meta/meter.ts';

/**
 * The values of a series. Of a histogram: the counts of its buckets and the sum. Of a gauge: its number and when it was
 * determined.
 */
export type SeriesNumbers = readonly number[];

export class CounterSeries implements Counter {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }

  get numbers(): SeriesNumbers {
    return [this.value];
  }

  include([value = 0]: SeriesNumbers, together: Instrument['together']): void {
    this.value = together === 'most' ? Math.max(this.value, value) : this.value + value;
  }

  reset(): void {
    this.value = 0;
  }
}

export class GaugeSeries implements Gauge {
  value = 0;
  #at = 0;

  set(value: number, at = 0): void {
    this.value = value;
    this.#at = at;
  }

  add(amount: number): void {
    this.value += amount;
  }

  get numbers(): SeriesNumbers {
    return [this.value, this.#at];
  }

  include([value = 0, at = 0]: SeriesNumbers, together: Instrument['together']): void {
    if (together !== 'latest') this.value = together === 'most' ? Math.max(this.value, value) : this.value + value;
    else if (at >= this.#at) this.set(value, at);
  }

  /** A gauge shows the current state, so there is nothing to reset. */
  reset(): void {}
}

export class HistogramSeries implements Histogram {
  readonly bounds: readonly number[];
  /** The number of values in each single bucket. The last one has no upper bound. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  // A linear search: most values are in the first buckets.
  observe(value: number): void {
    const { bounds } = this;
    let index = 0;
    while (index < bounds.length && value > bounds[index]!) index++;
    this.counts[index]! += 1;
    this.sum += value;
  }

  get numbers(): SeriesNumbers {
    return [...this.counts, this.sum];
  }

  include(numbers: SeriesNumbers): void {
    for (let index = 0; index < this.counts.length; index += 1) this.counts[index]! += numbers[index]!;
    this.sum += numbers[this.counts.length]!;
  }

  reset(): void {
    this.counts.fill(0);
    this.sum = 0;
  }
}
