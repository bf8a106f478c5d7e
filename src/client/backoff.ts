export interface BackoffOptions {
  readonly initialMs: number;
  readonly maximumMs: number;
  /** Between 0 and 1. */
  readonly random?: () => number;
}

/** Delays that double up to a limit. Each is stretched by chance, so that many who failed together do not return together. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** How long to wait after one more failure. */
  next(): number {
    return delayAfter(this.#failures++, this.#options);
  }

  reset(): void {
    this.#failures = 0;
  }
}

/** The delay after so many failures in a row before this one. */
export function delayAfter(failures: number, { initialMs, maximumMs, random = Math.random }: BackoffOptions): number {
  return Math.min(initialMs * 2 ** failures, maximumMs) * (1 + random() / 2);
}
