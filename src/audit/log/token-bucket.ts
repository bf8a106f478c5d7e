/** Permits a number of operations per second, and a burst after a pause. Only one caller may wait at a time. */
export class TokenBucket {
  readonly #qps: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt = Date.now();
  #isOpen = false;
  #wake: (() => void) | undefined = undefined;

  constructor({ qps, burst }: { readonly qps: number; readonly burst: number }) {
    this.#qps = qps;
    this.#burst = burst;
    this.#tokens = burst;
  }

  async take(): Promise<void> {
    while (!this.#isOpen && this.#refilled() < 1) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, Math.ceil(((1 - this.#tokens) / this.#qps) * 1000)).unref();
      });
    }
    this.#tokens--;
  }

  /** Ends all waiting, now and later. */
  open(): void {
    this.#isOpen = true;
    this.#wake?.();
  }

  #refilled(): number {
    const now = Date.now();
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.#qps);
    this.#filledAt = now;
    return this.#tokens;
  }
}
