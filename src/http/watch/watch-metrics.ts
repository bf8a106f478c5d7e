import type { Counter, Family, Histogram, Meter } from '../../meta/meter.ts';

export interface WatchedType {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The numbers about the streams of one type. */
export interface TypeWatchMetrics {
  readonly events: Counter;
  readonly sizes: Histogram;
  readonly terminated: Counter;
  /** Returns the histogram of a scope. */
  readonly initialDuration: (scope: string) => Histogram;
}

/** Counts the events that are sent to watchers, under the names of kube-apiserver. */
export class WatchMetrics {
  readonly #events: Family<Counter>;
  readonly #sizes: Family<Histogram>;
  readonly #terminated: Family<Counter>;
  readonly #initialDurations: Family<Histogram>;
  readonly #types = new WeakMap<WatchedType, TypeWatchMetrics>();

  constructor(meter: Meter) {
    const labels = ['group', 'version', 'resource'] as const;
    this.#events = meter.counter({
      name: 'apiserver_watch_events_total',
      help: 'Events that were sent to watchers.',
      labels,
    });
    this.#sizes = meter.histogram({
      name: 'apiserver_watch_events_sizes',
      help: 'Sizes of these events, in bytes.',
      labels,
      buckets: Array.from({ length: 8 }, (_, index) => 1024 * 2 ** index),
    });
    this.#terminated = meter.counter({
      name: 'apiserver_terminated_watchers_total',
      help: 'Watches that were ended because their clients read too slowly.',
      labels: ['group', 'resource'],
    });
    this.#initialDurations = meter.histogram({
      name: 'apiserver_watch_list_duration_seconds',
      help: 'How long it took to send the state with which a watch begins, in seconds.',
      labels: [...labels, 'scope'],
      buckets: [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30],
    });
  }

  /** `type` is the same object for all watches of the type. */
  of(type: WatchedType): TypeWatchMetrics {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    const { group, version, resource } = type;
    const made = {
      events: this.#events.of(group, version, resource),
      sizes: this.#sizes.of(group, version, resource),
      terminated: this.#terminated.of(group, resource),
      initialDuration: (scope: string) => this.#initialDurations.of(group, version, resource, scope),
    };
    this.#types.set(type, made);
    return made;
  }
}
