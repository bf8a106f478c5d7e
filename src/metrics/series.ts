import type { Counter, Gauge, Histogram } from '../meta/meter.ts';

export class CounterSeries implements Counter {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }

  reset(): void {
    this.value = 0;
  }
}

export class GaugeSeries implements Gauge {
  value = 0;

  set(value: number): void {
    this.value = value;
  }

  add(amount: number): void {
    this.value += amount;
  }

  /** A gauge states what is. There is nothing to reset. */
  reset(): void {}
}

export class HistogramSeries implements Histogram {
  readonly bounds: readonly number[];
  /** The number of values in each bucket alone, the last one without a bound. */
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
    this.counts[index]!++;
    this.sum += value;
  }

  reset(): void {
    this.counts.fill(0);
    this.sum = 0;
  }
}
