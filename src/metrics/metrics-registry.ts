import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Buckets, Counter, Family, Gauge, Histogram, Instrument, Meter } from '../meta/meter.ts';
import { Turn } from '../meta/turns.ts';
import type { ExpositionFormat } from './exposition-format.ts';
import { renderFamily } from './render-family.ts';
import { CounterSeries, GaugeSeries, HistogramSeries, type SeriesNumbers } from './series.ts';
import { type InstrumentType, SeriesFamily } from './series-family.ts';

const metricName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The values of a registry at one time, in a form that can be sent to another thread. */
export type MetricsSnapshot = readonly FamilySnapshot[];

interface FamilySnapshot {
  readonly instrument: Instrument & Partial<Buckets>;
  readonly type: InstrumentType;
  readonly series: readonly { readonly values: readonly string[]; readonly numbers: SeriesNumbers }[];
}

type AnyFamily = SeriesFamily<CounterSeries | GaugeSeries | HistogramSeries>;

/** Keeps the values that are reported to it. They are read as text. */
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

  async snapshot(): Promise<MetricsSnapshot> {
    await this.#update();
    return [...this.#families.values()].map((family) => ({
      instrument: family.instrument,
      type: family.type,
      series: [...family.all()].map(({ values, series }) => ({ values, numbers: series.numbers })),
    }));
  }

  /** Returns the values of this registry combined with those of others that count the same things. */
  async with(others: readonly MetricsSnapshot[]): Promise<MetricsRegistry> {
    const together = new MetricsRegistry();
    for (const snapshot of [await this.snapshot(), ...others]) together.#include(snapshot);
    return together;
  }

  #include(snapshot: MetricsSnapshot): void {
    const families = new Set(this.#families.keys());
    for (const { instrument, type, series } of snapshot) {
      const { together } = instrument;
      if (together === 'same' && families.has(instrument.name)) continue;
      const family = this.#familyOf(instrument, type);
      const known = new Set(together === 'first' ? Array.from(family.all(), ({ values }) => values.join('\n')) : []);
      for (const { values, numbers } of series) {
        if (!known.has(values.join('\n'))) family.of(...values).include(numbers, together);
      }
    }
  }

  #familyOf(instrument: Instrument & Partial<Buckets>, type: InstrumentType): AnyFamily {
    if (type === 'counter') return this.counter(instrument) as unknown as AnyFamily;
    if (type === 'gauge') return this.gauge(instrument) as unknown as AnyFamily;
    return this.histogram({ ...instrument, buckets: instrument.buckets ?? [] }) as unknown as AnyFamily;
  }

  async #update(): Promise<void> {
    // A failing metric must not hide the others.
    await Promise.allSettled(this.#updates.map(async (update) => update()));
  }

  /** Renders all metrics, sorted by name. Yields to other requests meanwhile. */
  async render({ isOpenMetrics }: Pick<ExpositionFormat, 'isOpenMetrics'>): Promise<string> {
    await this.#update();
    const families = [...this.#families].sort(([a], [b]) => (a < b ? -1 : 1));
    const turn = new Turn();
    const pieces: string[] = [];
    for (const [, family] of families) {
      for (const piece of renderFamily(family, { isOpenMetrics })) {
        pieces.push(piece);
        if (turn.isOver) await turn.next();
      }
    }
    if (isOpenMetrics) pieces.push('# EOF\n');
    return pieces.join('');
  }

  /** Sets counters and histograms to zero. */
  reset(): void {
    // Counts that were collected elsewhere since the last read are also discarded.
    for (const update of this.#updates) void (async () => update())().catch(() => {});
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
  return (
    known.help === other.help &&
    isEqual(known.labels, other.labels) &&
    isEqual(known.buckets ?? [], other.buckets ?? [])
  );
}

function isEqual(known: readonly unknown[], other: readonly unknown[]): boolean {
  return known === other || (known.length === other.length && known.every((value, index) => value === other[index]));
}
