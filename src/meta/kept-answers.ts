import { ExpiringCache, type ExpiringCacheOptions } from './expiring-cache.ts';
import type { MaybePromise } from './maybe-promise.ts';

export interface Answer<V> {
  readonly value: V;
  /** How long the answer stays cached, in milliseconds. 0: it is not cached. */
  readonly keptMs: number;
}

/** Caches answers of asynchronous calls, each for its own time. Concurrent calls for the same key share one call. */
export class KeptAnswers<V> {
  readonly #kept: ExpiringCache<{ readonly value: V }>;
  readonly #asking = new Map<string, Promise<V>>();
  readonly #now: () => number;

  constructor({ maximum, now = Date.now }: ExpiringCacheOptions) {
    this.#now = now;
    this.#kept = new ExpiringCache({ maximum, now });
  }

  /** Returns a cached answer synchronously. Failures are not cached. */
  get(key: string, ask: () => Promise<Answer<V>>): MaybePromise<V> {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept.value;
    let asking = this.#asking.get(key);
    if (asking === undefined) {
      asking = ask()
        .then(({ value, keptMs }) => {
          this.#kept.set(key, { value }, this.#now() + keptMs);
          return value;
        })
        .finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    return asking;
  }
}
