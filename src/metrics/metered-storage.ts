import type { GroupResource } from '../meta/group-version.ts';
import type { Counter, Histogram, Meter } from '../meta/meter.ts';
import {
  type Change,
  type CommitResult,
  DelegatingStorage,
  type RangeOptions,
  type RangeResult,
  type Storage,
  type StoredEntry,
  type WatchOptions,
} from '../storage/index.ts';

type Operation = 'get' | 'list' | 'create' | 'update' | 'delete';

interface OperationSeries {
  readonly requests: Counter;
  readonly errors: Counter;
  readonly duration: Histogram;
}

const labels = ['operation', 'group', 'resource'] as const;

/**
 * The storage of one type with metrics of its operations. The names are those of kube-apiserver, which supports only
 * etcd. A failed comparison is not an error.
 */
export class MeteredStorage extends DelegatingStorage {
  readonly #meter: Meter;
  readonly #type: GroupResource;
  /** Filled on first use, because most types use few operations. */
  readonly #operations = new Map<Operation, OperationSeries>();
  #events: Counter | undefined;

  constructor(storage: Storage, meter: Meter, type: GroupResource) {
    super(storage);
    this.#meter = meter;
    this.#type = type;
  }

  override get(key: string, options?: { revision?: number }): Promise<StoredEntry | undefined> {
    return this.#measured('get', this.storage.get(key, options));
  }

  override range(options: RangeOptions): Promise<RangeResult> {
    return this.#measured('list', this.storage.range(options));
  }

  override commit(change: Change): Promise<CommitResult> {
    return this.#measured(operationOf(change), this.storage.commit(change));
  }

  get commitTwice(): Storage['commitTwice'] {
    const { storage } = this;
    if (storage.commitTwice === undefined) return undefined;
    return (change, next) => {
      const committed = this.#measured(operationOf(change), storage.commitTwice!(change, next));
      return this.#measured('update', committed);
    };
  }

  override watch(options: WatchOptions): Promise<void> {
    const { onEvents } = options;
    const received = this.#received();
    return this.storage.watch({
      ...options,
      onEvents: (events) => {
        received.add(events.length);
        onEvents(events);
      },
    });
  }

  #operation(operation: Operation): OperationSeries {
    let series = this.#operations.get(operation);
    if (series === undefined) {
      series = this.#seriesOf(operation);
      this.#operations.set(operation, series);
    }
    return series;
  }

  #seriesOf(operation: Operation): OperationSeries {
    const { group, resource } = this.#type;
    const meter = this.#meter;
    const requests = meter.counter({ name: 'etcd_requests_total', help: 'Operations of the store.', labels });
    const errors = meter.counter({
      name: 'etcd_request_errors_total',
      help: 'Operations of the store that failed.',
      labels,
    });
    const durations = meter.histogram({
      name: 'etcd_request_duration_seconds',
      help: 'Duration of operations of the store, in seconds.',
      labels,
      buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
    });
    return {
      requests: requests.of(operation, group, resource),
      errors: errors.of(operation, group, resource),
      duration: durations.of(operation, group, resource),
    };
  }

  #received(): Counter {
    const { group, resource } = this.#type;
    this.#events ??= this.#meter
      .counter({
        name: 'apiserver_storage_events_received_total',
        help: 'Changes that the store has told this server.',
        labels: ['group', 'resource'],
      })
      .of(group, resource);
    return this.#events;
  }

  async #measured<T>(operation: Operation, result: Promise<T>): Promise<T> {
    const { requests, errors, duration } = this.#operation(operation);
    const startedAt = performance.now();
    requests.add();
    try {
      return await result;
    } catch (error) {
      errors.add();
      throw error;
    } finally {
      duration.observe((performance.now() - startedAt) / 1000);
    }
  }
}

function operationOf({ value, expected }: Change): Operation {
  if (value === undefined) return 'delete';
  return expected === 0 ? 'create' : 'update';
}
