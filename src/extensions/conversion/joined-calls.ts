/** The objects of one caller. They are never split. */
export interface PendingCall<T, R> {
  readonly items: readonly T[];
  readonly bytes: number;
  readonly resolve: (results: R[]) => void;
  readonly reject: (error: Error) => void;
}

export interface JoinedCallsOptions<T, R> {
  readonly maxItems: number;
  readonly maxBytes: number;
  /** Returns a result for each item. */
  readonly send: (items: readonly T[]) => Promise<R[]>;
  /** Whether the error may be due to one of the items, so that others may succeed without it. */
  readonly isAboutItems: (error: Error) => boolean;
}

/**
 * Joins the items that are sent in the same turn of the event loop into few calls. When a joined call fails because of
 * its items, it is repeated in halves, so that only the caller with the bad item gets the error.
 */
export class JoinedCalls<T, R> {
  readonly #options: JoinedCallsOptions<T, R>;
  #waiting: PendingCall<T, R>[] = [];

  constructor(options: JoinedCallsOptions<T, R>) {
    this.#options = options;
  }

  /** The number of items in one call. */
  get maxItems(): number {
    return this.#options.maxItems;
  }

  fits(count: number, bytes: number): boolean {
    return count <= this.#options.maxItems && bytes <= this.#options.maxBytes;
  }

  /** Objects that do not fit are sent alone. */
  send(items: readonly T[], bytes: number): Promise<R[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, bytes, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#sendWaiting());
    });
  }

  #sendWaiting(): void {
    let joined: PendingCall<T, R>[] = [];
    let count = 0;
    let bytes = 0;
    for (const call of this.#waiting) {
      count += call.items.length;
      bytes += call.bytes;
      if (joined.length > 0 && !this.fits(count, bytes)) {
        void this.#call(joined);
        joined = [];
        count = call.items.length;
        bytes = call.bytes;
      }
      joined.push(call);
    }
    this.#waiting = [];
    void this.#call(joined);
  }

  async #call(calls: readonly PendingCall<T, R>[]): Promise<void> {
    try {
      const results = await this.#options.send(calls.flatMap(({ items }) => items));
      let at = 0;
      for (const { items, resolve } of calls) {
        resolve(results.slice(at, at + items.length));
        at += items.length;
      }
    } catch (error) {
      if (calls.length > 1 && this.#options.isAboutItems(error as Error)) {
        const middle = calls.length >> 1;
        await Promise.all([this.#call(calls.slice(0, middle)), this.#call(calls.slice(middle))]);
      } else for (const { reject } of calls) reject(error as Error);
    }
  }
}
