import { type Clock, systemClock } from '../meta/clock.ts';
import { type BackoffOptions, delayAfter } from './backoff.ts';
import type { QueueMetrics } from './queue-metrics.ts';

export interface WorkQueueOptions {
  /** Number of keys processed concurrently. A key is never processed twice at the same time. */
  readonly workers?: number;
  /** Delay of a key after consecutive failures. */
  readonly backoff?: BackoffOptions;
  /** Absent when metrics are off. */
  readonly metrics?: QueueMetrics | undefined;
  /** The clock for the delays of `addAfter`. Default: that of the machine. */
  readonly clock?: Clock | undefined;
  /** Called with every failure. The key is retried regardless. */
  readonly report: (error: Error, key: string) => void;
}

/** Keys with a longer retry delay, after many failures, do not count as pending work. */
const soonMs = 1000;

interface Delayed {
  readonly due: number;
  /** The clock of the machine if the key has failed. */
  readonly clock: Clock;
  readonly cancel: () => void;
}

/**
 * A queue of keys to process. A key that is added several times before its turn is processed once; one that is added
 * during its processing is processed again. When the signal aborts, waiting keys are dropped and running work is
 * completed.
 */
export class WorkQueue {
  readonly #work: (key: string) => Promise<void>;
  readonly #options: WorkQueueOptions;
  readonly #signal: AbortSignal;
  readonly #workers: number;
  readonly #backoff: BackoffOptions;
  readonly #waiting = new Set<string>();
  readonly #working = new Set<string>();
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #failures = new Map<string, number>();
  #isIdle: PromiseWithResolvers<void> | undefined;

  constructor(work: (key: string) => Promise<void>, options: WorkQueueOptions, signal: AbortSignal) {
    const { workers = 4, backoff = { initialMs: 5, maxMs: 60_000 } } = options;
    this.#work = work;
    this.#options = options;
    this.#signal = signal;
    this.#workers = workers;
    this.#backoff = backoff;
    signal.addEventListener('abort', () => this.#forgetAll(), { once: true });
  }

  /** Number of waiting keys, without delayed keys and those in progress. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Whether a key waits or is in progress, or will be tried again soon after a failure. */
  get isBusy(): boolean {
    if (this.#waiting.size > 0 || this.#working.size > 0) return true;
    for (const [key, { due, clock }] of this.#delayed) {
      if (this.#failures.has(key) && due - clock.now() < soonMs) return true;
    }
    return false;
  }

  add(key: string): void {
    if (this.#signal.aborted) return;
    this.#cancel(key);
    if (this.#working.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#waiting.add(key);
    this.#options.metrics?.added(key);
    this.#fill();
  }

  /** If a key is added several times, the earliest time applies. */
  addAfter(key: string, ms: number): void {
    this.#addAfter(key, ms, this.#options.clock ?? systemClock);
  }

  #addAfter(key: string, ms: number, clock: Clock): void {
    if (ms <= 0) {
      this.add(key);
      return;
    }
    const due = clock.now() + ms;
    const before = this.#delayed.get(key);
    const isEarlier = before !== undefined && before.due - before.clock.now() <= ms;
    if (this.#signal.aborted || this.#waiting.has(key) || isEarlier) return;
    this.#cancel(key);
    this.#delay(key, { due, clock });
  }

  /**
   * Resolves when no key is waiting or in progress; delayed keys do not count. After the abort, resolves when running
   * work has ended.
   */
  idle(): Promise<void> {
    if (this.#waiting.size === 0 && this.#working.size === 0) return Promise.resolve();
    this.#isIdle ??= Promise.withResolvers<void>();
    return this.#isIdle.promise;
  }

  #delay(key: string, { due, clock }: Omit<Delayed, 'cancel'>): void {
    const turn = (): void => {
      if (due > clock.now()) this.#delay(key, { due, clock });
      else this.add(key);
    };
    const cancel = clock.schedule(turn, Math.max(due - clock.now(), 1));
    this.#delayed.set(key, { due, clock, cancel });
  }

  #cancel(key: string): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
  }

  #fill(): void {
    for (const key of this.#waiting) {
      if (this.#working.size >= this.#workers) return;
      this.#waiting.delete(key);
      this.#working.add(key);
      this.#options.metrics?.started(key);
      void this.#turn(key);
    }
  }

  async #turn(key: string): Promise<void> {
    try {
      await this.#work(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#retry(key, error as Error);
    }
    this.#options.metrics?.ended(key);
    this.#working.delete(key);
    if (this.#again.delete(key)) this.add(key);
    this.#fill();
    if (this.#waiting.size > 0 || this.#working.size > 0) return;
    this.#isIdle?.resolve();
    this.#isIdle = undefined;
  }

  #retry(key: string, error: Error): void {
    if (this.#signal.aborted) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#options.report(error, key);
    this.#options.metrics?.retried();
    this.#addAfter(key, delayAfter(failures, this.#backoff), systemClock);
  }

  #forgetAll(): void {
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#options.metrics?.dropped();
    this.#waiting.clear();
    this.#again.clear();
    this.#failures.clear();
  }
}
