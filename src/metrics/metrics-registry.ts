import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Buckets, Counter, Family, Gauge, Histogram, Instrument, Meter } from '../meta/meter.ts';
import { Turn } from '../meta/turns.ts';
import type { ExpositionFormat } from './exposition-format.ts';
import { renderFamily } from './render-family.ts';
import { CounterSeries, GaugeSeries, HistogramSeries } from './series.ts';
import { type InstrumentType, SeriesFamily } from './series-family.ts';

const metricName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

type AnyFamily = SeriesFamily<CounterSeries | GaugeSeries | HistogramSeries>;

/** Keeps the numbers that are reported to it. They are read as text. */
export class MetricsRegistry implements Meter {
  readonly #families = new Map<string, AnyFamily>();
  readonly #updates: (() => MaybePromise<void>)[] = [];

  counter<const L extends readonly string[]>(instrument: Instrument<L>): Family<Counter, L> {
    return this.#family(instrument, { type: 'counter', create: () => new CounterSeries() });
  }

  gauge<const L extends readonly string[]>(instrument: Instrument<L>): Family<Gauge, L> {
    return this.#family(instrument, { type: 'gauge', create: () => new GaugeSeries() });
  }

  histogram<const L extends readonly string[]>(instrument: Instrument<L> & Buckets): Family<Histogram, L> {
    const { buckets } = instrument;
    if (buckets.some((bound, index) => index > 0 && bound <= buckets[index - 1]!)) {
      throw new RangeError(`the buckets of ${instrument.name} do not ascend`);
    }
    return this.#family(instrument, { type: 'histogram', create: () => new HistogramSeries(buckets) });
  }

  beforeReading(update: () => MaybePromise<void>): void {
    this.#updates.push(update);
  }

  /** All numbers, in the order of their names. Other requests are served meanwhile. */
  async render({ isOpenMetrics }: Pick<ExpositionFormat, 'isOpenMetrics'>): Promise<string> {
    // A number that cannot be had must not hide the others.
    await Promise.allSettled(this.#updates.map(async (update) => update()));
    const families = [...this.#families].sort(([a], [b]) => (a < b ? -1 : 1));
    const turn = new Turn();
    const parts: string[] = [];
    for (const [, family] of families) {
      for (const part of renderFamily(family, { isOpenMetrics })) {
        parts.push(part);
        if (turn.isOver) await turn.next();
      }
    }
    if (isOpenMetrics) parts.push('# EOF\n');
    return parts.join('');
  }

  /** Sets counters and histograms to zero. */
  reset(): void {
    for (const family of this.#families.values()) family.reset();
  }

  #family<S extends CounterSeries | GaugeSeries | HistogramSeries>(
    instrument: Instrument & Partial<Buckets>,
    kind: { readonly type: InstrumentType; readonly create: () => S },
  ): SeriesFamily<S> {
    const known = this.#families.get(instrument.name);
    if (known === undefined) return this.#add(instrument, kind);
    if (known.type !== kind.type || !isSame(known.instrument, instrument)) {
      throw new RangeError(`${instrument.name} is already defined differently`);
    }
    return known as unknown as SeriesFamily<S>;
  }

  #add<S extends CounterSeries | GaugeSeries | HistogramSeries>(
    instrument: Instrument,
    kind: { readonly type: InstrumentType; readonly create: () => S },
  ): SeriesFamily<S> {
    for (const name of [instrument.name, ...instrument.labels]) {
      if (!metricName.test(name)) throw new RangeError(`${JSON.stringify(name)} is not a name of Prometheus`);
    }
    const family = new SeriesFamily(instrument, kind);
    this.#families.set(instrument.name, family as unknown as AnyFamily);
    return family;
  }
}

function isSame(known: Instrument & Partial<Buckets>, other: Instrument & Partial<Buckets>): boolean {
  const shape = ({ help, labels, buckets }: Instrument & Partial<Buckets>): string =>
    JSON.stringify([help, labels, buckets]);
  return shape(known) === shape(other);
}
