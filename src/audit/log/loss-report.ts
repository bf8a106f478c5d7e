/** Minimum time between reports in milliseconds, so that a failing audit log does not flood the server log. */
const reportIntervalMs = 10_000;

/** Counts lost events. Reports the first loss immediately, and further ones every few seconds with their number. */
export class LossReport {
  readonly #onFault: (error: Error) => void;
  #count = 0;
  #unreported = 0;
  #last: Error | undefined = undefined;
  #timer: NodeJS.Timeout | undefined = undefined;

  constructor(onFault: (error: Error) => void) {
    this.#onFault = onFault;
  }

  /** Since the start. */
  get count(): number {
    return this.#count;
  }

  add(error: Error, count: number): void {
    this.#count += count;
    this.#unreported += count;
    this.#last = error;
    if (this.#timer === undefined) this.#report();
  }

  /** Reports losses that have not been reported yet. */
  close(): void {
    this.#report();
    clearTimeout(this.#timer);
  }

  #report(): void {
    this.#timer = undefined;
    if (this.#unreported === 0) return;
    const cause = this.#last!;
    this.#onFault(new Error(`audit events are lost (${this.#unreported}): ${cause.message}`, { cause }));
    this.#unreported = 0;
    this.#timer = setTimeout(() => this.#report(), reportIntervalMs).unref();
  }
}
