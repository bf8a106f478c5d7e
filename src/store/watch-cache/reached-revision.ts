interface Waiter {
  readonly revision: number;
  readonly done: () => void;
}

/** The revision that a cache has reached, and the callers that wait for a higher one. */
export class ReachedRevision {
  #revision: number;
  #isFinal = false;
  readonly #waiters = new Set<Waiter>();

  constructor(revision: number) {
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Whether the cache has failed, so that no further revision will be reached. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  advance(revision: number): void {
    if (revision <= this.#revision) return;
    this.#revision = revision;
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.done();
  }

  /** Whether the revision is reached before the timeout or a failure of the cache. */
  wait(revision: number, timeoutMs: number): Promise<boolean> {
    if (revision <= this.#revision) return Promise.resolve(true);
    if (this.#isFinal) return Promise.resolve(false);
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(revision <= this.#revision);
      };
      const waiter = { revision, done };
      const timer = setTimeout(done, timeoutMs).unref();
      this.#waiters.add(waiter);
    });
  }

  /** Called when no further revision will be reached. */
  fail(): void {
    this.#isFinal = true;
    for (const { done } of this.#waiters) done();
  }
}
