import type { Counter, Family, Gauge, Meter } from '../meta/meter.ts';
import { type APIService, isAvailable } from './api-service.ts';

/** Reports which APIServices are not available, under the names of kube-aggregator. */
export class AvailabilityMetrics {
  readonly #unavailable: Family<Gauge>;
  readonly #changes: Family<Counter>;

  constructor(meter: Meter) {
    this.#unavailable = meter.gauge({
      name: 'aggregator_unavailable_apiservice',
      help: 'APIServices: 1 when they are not available.',
      labels: ['name'],
      together: 'most',
    });
    this.#changes = meter.counter({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'How often APIServices have become unavailable, by the reason.',
      labels: ['name', 'reason'],
      together: 'most',
    });
  }

  /** Undefined for one that does not exist. */
  changed(name: string, present: APIService | undefined, before: APIService | undefined): void {
    if (present === undefined) {
      this.#unavailable.remove(name);
      return;
    }
    const isUnavailable = !isAvailable(present);
    this.#unavailable.of(name).set(isUnavailable ? 1 : 0);
    const wasUnavailable = before !== undefined && !isAvailable(before) && reasonOf(before) === reasonOf(present);
    if (isUnavailable && !wasUnavailable) this.#changes.of(name, reasonOf(present)).add();
  }
}

function reasonOf({ status }: APIService): string {
  return status?.conditions?.find(({ type }) => type === 'Available')?.reason ?? 'UnknownReason';
}
