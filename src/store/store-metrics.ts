import type { GroupResource } from '../meta/group-version.ts';
import type { Counter, Family, Gauge, Histogram, Meter } from '../meta/meter.ts';

const labels = ['group', 'resource'] as const;

/** Reports the activity of the cache of one type, under the names of kube-apiserver. */
export class StoreMetrics {
  readonly #type: readonly [group: string, resource: string];
  readonly #received: Counter;
  readonly #dispatched: Counter;
  readonly #initializations: Counter;
  readonly #initialEvents: Counter;
  readonly #lists: Family<Counter>;
  readonly #fetched: Family<Counter>;
  readonly #returned: Counter;
  readonly #storageLists: Family<Counter>;
  readonly #storageFetched: Family<Counter>;
  readonly #storageReturned: Family<Counter>;
  readonly #consistentReads: Family<Counter>;
  readonly #waits: Family<Histogram>;
  readonly #revision: Gauge;
  readonly #capacity: Gauge;
  readonly #increases: Counter;
  readonly #decreases: Counter;
  #lastCapacity = 0;

  constructor(meter: Meter, { group, resource }: GroupResource) {
    const counter = (name: string, help: string, more: readonly string[] = []): Family<Counter> =>
      meter.counter({ name, help, labels: [...labels, ...more] });
    this.#type = [group, resource];
    // Every thread has a cache of the type, and all caches get the same changes.
    const own = (name: string, help: string): Counter =>
      meter.counter({ name, help, labels, together: 'most' }).of(group, resource);
    this.#received = own('apiserver_watch_cache_events_received_total', 'Changes that the watch cache has received.');
    this.#dispatched = own(
      'apiserver_watch_cache_events_dispatched_total',
      'Changes that the watch cache has passed on to watchers.',
    );
    this.#initializations = own('apiserver_watch_cache_initializations_total', 'How often the watch cache was filled.');
    this.#initialEvents = own('apiserver_init_events_total', 'Objects with which the watch cache was filled.');
    const gauge = (name: string, help: string): Gauge =>
      meter.gauge({ name, help, labels, together: 'most' }).of(group, resource);
    this.#revision = gauge('apiserver_watch_cache_resource_version', 'The last change in the watch cache.');
    this.#capacity = gauge('apiserver_watch_cache_capacity', 'Past events that the watch cache keeps at most.');
    this.#increases = own('apiserver_watch_cache_capacity_increase_total', 'How often that number was raised.');
    this.#decreases = own('apiserver_watch_cache_capacity_decrease_total', 'How often that number was lowered.');
    this.#lists = counter('apiserver_cache_list_total', 'Lists from the watch cache.', ['index']);
    this.#fetched = counter('apiserver_cache_list_fetched_objects_total', 'Objects examined for such lists.', [
      'index',
    ]);
    this.#returned = counter('apiserver_cache_list_returned_objects_total', 'Objects in such lists.').of(
      group,
      resource,
    );
    this.#storageLists = counter('apiserver_storage_list_total', 'Lists that were read from storage.');
    this.#storageFetched = counter('apiserver_storage_list_fetched_objects_total', 'Objects read for such lists.');
    this.#storageReturned = counter('apiserver_storage_list_returned_objects_total', 'Objects in lists from storage.');
    this.#consistentReads = counter(
      'apiserver_watch_cache_consistent_read_total',
      'Reads of the current state from a watch cache that may lag.',
      ['success', 'fallback'],
    );
    this.#waits = meter.histogram({
      name: 'apiserver_watch_cache_read_wait_seconds',
      help: 'How long such reads waited for the watch cache, in seconds.',
      labels,
      buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
    });
  }

  initialized(objects: number): void {
    this.#initializations.add();
    this.#initialEvents.add(objects);
  }

  received(events: number): void {
    this.#received.add(events);
  }

  /** Records the revision that the cache has reached, and the number of past events that it keeps. */
  changed(revision: number, capacity: number): void {
    this.#revision.set(revision);
    if (capacity === this.#lastCapacity) return;
    this.#capacity.set(capacity);
    if (this.#lastCapacity > 0) (capacity > this.#lastCapacity ? this.#increases : this.#decreases).add();
    this.#lastCapacity = capacity;
  }

  dispatched(): void {
    this.#dispatched.add();
  }

  /** `index` is empty when none was used. */
  listed(index: string, { fetched, returned }: { fetched: number; returned: number }): void {
    this.#lists.of(...this.#type, index).add();
    this.#fetched.of(...this.#type, index).add(fetched);
    this.#returned.add(returned);
  }

  listedFromStorage({ fetched, returned }: { fetched: number; returned: number }): void {
    this.#storageLists.of(...this.#type).add();
    this.#storageFetched.of(...this.#type).add(fetched);
    this.#storageReturned.of(...this.#type).add(returned);
  }

  /**
   * Records how long a read waited for the cache, and whether the cache was current afterwards. If it is still behind,
   * the read goes to storage.
   */
  waited(ms: number, result: 'current' | 'behind'): void {
    const isCurrent = result === 'current';
    this.#waits.of(...this.#type).observe(ms / 1000);
    this.#consistentReads.of(...this.#type, String(isCurrent), String(!isCurrent)).add();
  }
}
