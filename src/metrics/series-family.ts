import type { Family, Instrument } from '../meta/meter.ts';

export type InstrumentType = 'counter' | 'gauge' | 'histogram';

export interface Series<S> {
  readonly values: readonly string[];
  readonly series: S;
}

const defaultLimit = 2000;
/** Cannot occur in label values that come from names and paths. */
const separator = '\u0000';

/** The series of one instrument. */
export class SeriesFamily<S extends { reset(): void }> implements Family<S> {
  readonly instrument: Instrument;
  readonly type: InstrumentType;
  readonly #create: () => S;
  readonly #series = new Map<string, Series<S>>();

  constructor(instrument: Instrument, { type, create }: { type: InstrumentType; create: () => S }) {
    this.instrument = instrument;
    this.type = type;
    this.#create = create;
    // A number without labels exists from the beginning.
    if (instrument.labels.length === 0) this.of();
  }

  of(...values: readonly string[]): S {
    const { labels, limit = defaultLimit } = this.instrument;
    if (values.length !== labels.length) {
      throw new RangeError(`${this.instrument.name} has the labels ${labels.join(', ')}, not ${values.length} values`);
    }
    const known = this.#series.get(values.join(separator));
    if (known !== undefined) return known.series;
    if (this.#series.size >= limit) values = labels.map(() => 'other');
    return this.#add(values);
  }

  remove(...values: readonly string[]): void {
    this.#series.delete(values.join(separator));
  }

  all(): Iterable<Series<S>> {
    return this.#series.values();
  }

  /** Resets the counts. References to series stay valid. */
  reset(): void {
    for (const { series } of this.#series.values()) series.reset();
  }

  #add(values: readonly string[]): S {
    const key = values.join(separator);
    const known = this.#series.get(key);
    if (known !== undefined) return known.series;
    const series = this.#create();
    this.#series.set(key, { values, series });
    return series;
  }
}
