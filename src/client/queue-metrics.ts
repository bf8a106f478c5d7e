import type { Counter, Gauge, Histogram, Meter } from '../meta/meter.ts';

const buckets = Array.from({ length: 10 }, (_, index) => 10 ** (index - 8));

/** Reports what one work queue does, under the names of Kubernetes. */
export class QueueMetrics {
  readonly #adds: Counter;
  readonly #retries: Counter;
  readonly #depth: Gauge;
  readonly #waits: Histogram;
  readonly #work: Histogram;
  /** When each waiting key was added. */
  readonly #addedAt = new Map<string, number>();
  readonly #startedAt = new Map<string, number>();

  constructor(meter: Meter, name: string) {
    const labels = ['name'] as const;
    this.#adds = meter.counter({ name: 'workqueue_adds_total', help: 'Keys added to work queues.', labels }).of(name);
    this.#retries = meter
      .counter({ name: 'workqueue_retries_total', help: 'Keys that are tried again after a failure.', labels })
      .of(name);
    this.#depth = meter.gauge({ name: 'workqueue_depth', help: 'Keys that wait in work queues.', labels }).of(name);
    this.#waits = meter
      .histogram({
        name: 'workqueue_queue_duration_seconds',
        help: 'How long keys wait in work queues, in seconds.',
        labels,
        buckets,
      })
      .of(name);
    this.#work = meter
      .histogram({
        name: 'workqueue_work_duration_seconds',
        help: 'How long the work for a key takes, in seconds.',
        labels,
        buckets,
      })
      .of(name);
    const unfinished = meter
      .gauge({ name: 'workqueue_unfinished_work_seconds', help: 'Sum of the ages of work in progress.', labels })
      .of(name);
    const longest = meter
      .gauge({
        name: 'workqueue_longest_running_processor_seconds',
        help: 'Age of the oldest work in progress, in seconds.',
        labels,
      })
      .of(name);
    meter.beforeReading(() => {
      const now = performance.now();
      const ages = [...this.#startedAt.values()].map((startedAt) => (now - startedAt) / 1000);
      unfinished.set(ages.reduce((sum, age) => sum + age, 0));
      longest.set(Math.max(0, ...ages));
    });
  }

  added(key: string): void {
    if (this.#addedAt.has(key)) return;
    this.#addedAt.set(key, performance.now());
    this.#adds.add();
    this.#depth.add(1);
  }

  started(key: string): void {
    const now = performance.now();
    this.#waits.observe((now - (this.#addedAt.get(key) ?? now)) / 1000);
    this.#addedAt.delete(key);
    this.#depth.add(-1);
    this.#startedAt.set(key, now);
  }

  ended(key: string): void {
    const now = performance.now();
    this.#work.observe((now - (this.#startedAt.get(key) ?? now)) / 1000);
    this.#startedAt.delete(key);
  }

  retried(): void {
    this.#retries.add();
  }

  /** The waiting keys were dropped. */
  dropped(): void {
    this.#depth.add(-this.#addedAt.size);
    this.#addedAt.clear();
  }
}

/** The metrics of all work queues. A recreated queue continues the series of its name. */
export class WorkQueueMetrics {
  readonly #meter: Meter;
  readonly #queues = new Map<string, QueueMetrics>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  of(name: string): QueueMetrics {
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      queue = new QueueMetrics(this.#meter, name);
      this.#queues.set(name, queue);
    }
    return queue;
  }
}
