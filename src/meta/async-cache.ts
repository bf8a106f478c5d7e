import { ExpiringCache, type ExpiringCacheOptions } from './expiring-cache.ts';
import type { MaybePromise } from './maybe-promise.ts';

export interface CacheableValue<V> {
  readonly value: V;
  /** How long the value stays cached, in milliseconds. 0: it is not cached. */
  readonly ttlMs: number;
}

/**
 * Caches the results of asynchronous calls, each for its own time. Concurrent calls for the same key share one call.
 */
export class AsyncCache<V> {
  readonly #cache: ExpiringCache<{ readonly value: V }>;
  readonly #pending = new Map<string, Promise<V>>();
  readonly #now: () => number;

  constructor({ maxSize, now = Date.now, monotonic }: ExpiringCacheOptions) {
    this.#now = now;
    this.#cache = new ExpiringCache({ maxSize, now, monotonic });
  }

  get size(): number {
    return this.#cache.size;
  }

  /** Returns a cached value synchronously. Failures are not cached. */
  get(key: string, load: () => Promise<CacheableValue<V>>): MaybePromise<V> {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached.value;
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      pending = load()
        .then(({ value, ttlMs: keptMs }) => {
          this.#cache.set(key, { value }, this.#now() + keptMs);
          return value;
        })
        .finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    return pending;
  }
}
