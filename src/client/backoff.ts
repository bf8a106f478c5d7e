export interface BackoffOptions {
  readonly initialMs: number;
  readonly maxMs: number;
  /** Returns a number between 0 and 1. */
  readonly random?: () => number;
}

/** Exponential backoff with jitter, so that clients that failed together do not retry together. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** Returns the delay after one more failure. */
  next(): number {
    return delayAfter(this.#failures++, this.#options);
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** Returns the delay after a failure that follows `failures` consecutive ones. */
export function delayAfter(failures: number, { initialMs, maxMs, random = Math.random }: BackoffOptions): number {
  return Math.min(initialMs * 2 ** failures, maxMs) * (1 + random() / 2);
}
