/** A log that cannot be written must not fill the other one. In milliseconds. */
const pause = 10_000;

/** Counts what is lost. A first loss is told at once, and then every few seconds how many more there were. */
export class LossReport {
  readonly #onFault: (error: Error) => void;
  #count = 0;
  #untold = 0;
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
    this.#untold += count;
    this.#last = error;
    if (this.#timer === undefined) this.#tell();
  }

  /** Tells what has not been told. */
  close(): void {
    this.#tell();
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#untold === 0) return;
    const cause = this.#last!;
    this.#onFault(new Error(`audit events are lost (${this.#untold}): ${cause.message}`, { cause }));
    this.#untold = 0;
    this.#timer = setTimeout(() => this.#tell(), pause).unref();
  }
}
