export interface TokenBucketOptions {
  readonly burst: number;
  readonly perSecond: number;
}

/** Limits the rate of an action: `burst` times at once, and `perSecond` times a second on average. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #filledAt: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
    this.#filledAt = performance.now();
  }

  /** Returns false when no token is left. */
  take(): boolean {
    if (this.#tokens < 1) this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** Returns tokens to the bucket. */
  earn(count: number): void {
    this.#tokens = Math.min(this.#options.burst, this.#tokens + count);
  }

  #refill(): void {
    const now = performance.now();
    this.earn(((now - this.#filledAt) / 1000) * this.#options.perSecond);
    this.#filledAt = now;
  }
}
