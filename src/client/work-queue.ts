import { type BackoffOptions, delayAfter } from './backoff.ts';

export interface WorkQueueOptions {
  /** How many keys are worked on at a time; never twice on the same. */
  readonly workers?: number;
  /** How long a key waits after its work has failed, by how often that has happened in a row. */
  readonly backoff?: BackoffOptions;
  /** Hears of every failure. The work is tried again all the same. */
  readonly report: (error: Error, key: string) => void;
}

/** No timer can wait longer. */
const longestMs = 2 ** 31 - 1;

/**
 * Keys to be worked on, each once however often it was added before its turn. A key that is added while it is worked on gets
 * another turn. The signal's abort ends it: what waits is forgotten, what is in work is finished.
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
  readonly #delayed = new Map<string, { readonly due: number; readonly timer: NodeJS.Timeout }>();
  readonly #failures = new Map<string, number>();
  #isIdle: PromiseWithResolvers<void> | undefined;

  constructor(work: (key: string) => Promise<void>, options: WorkQueueOptions, signal: AbortSignal) {
    const { workers = 4, backoff = { initialMs: 5, maximumMs: 60_000 } } = options;
    this.#work = work;
    this.#options = options;
    this.#signal = signal;
    this.#workers = workers;
    this.#backoff = backoff;
    signal.addEventListener('abort', () => this.#forgetAll(), { once: true });
  }

  /** How many keys wait for their turn, those in work and the delayed ones left out. */
  get size(): number {
    return this.#waiting.size;
  }

  add(key: string): void {
    if (this.#signal.aborted) return;
    this.#cancel(key);
    if (this.#working.has(key)) {
      this.#again.add(key);
      return;
    }
    this.#waiting.add(key);
    this.#fill();
  }

  /** The earliest of several times counts. */
  addAfter(key: string, ms: number): void {
    if (ms <= 0) {
      this.add(key);
      return;
    }
    const due = Date.now() + ms;
    if (this.#signal.aborted || this.#waiting.has(key) || (this.#delayed.get(key)?.due ?? Infinity) <= due) return;
    this.#cancel(key);
    this.#delay(key, due);
  }

  /** Resolves when no key waits or is worked on; those that are delayed do not count. After the abort, when work has come to its end. */
  idle(): Promise<void> {
    if (this.#waiting.size === 0 && this.#working.size === 0) return Promise.resolve();
    this.#isIdle ??= Promise.withResolvers<void>();
    return this.#isIdle.promise;
  }

  #delay(key: string, due: number): void {
    const timer = setTimeout(
      () => {
        if (due > Date.now()) this.#delay(key, due);
        else this.add(key);
      },
      Math.min(Math.max(due - Date.now(), 1), longestMs),
    );
    timer.unref();
    this.#delayed.set(key, { due, timer });
  }

  #cancel(key: string): void {
    clearTimeout(this.#delayed.get(key)?.timer);
    this.#delayed.delete(key);
  }

  #fill(): void {
    for (const key of this.#waiting) {
      if (this.#working.size >= this.#workers) return;
      this.#waiting.delete(key);
      this.#working.add(key);
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
    this.addAfter(key, delayAfter(failures, this.#backoff));
  }

  #forgetAll(): void {
    for (const { timer } of this.#delayed.values()) clearTimeout(timer);
    this.#delayed.clear();
    this.#waiting.clear();
    this.#again.clear();
    this.#failures.clear();
  }
}
