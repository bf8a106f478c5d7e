import { ExpiringCache, type ExpiringCacheOptions } from './expiring-cache.ts';
import type { MaybePromise } from './maybe-promise.ts';

export interface Answer<V> {
  readonly value: V;
  /** How long it counts; 0 for this once. */
  readonly keptMs: number;
}

/** Answers of others, each kept for its time. The same question is never asked twice at a time. */
export class KeptAnswers<V> {
  readonly #kept: ExpiringCache<{ readonly value: V }>;
  readonly #asking = new Map<string, Promise<V>>();
  readonly #now: () => number;

  constructor({ maximum, now = Date.now }: ExpiringCacheOptions) {
    this.#now = now;
    this.#kept = new ExpiringCache({ maximum, now });
  }

  /** At once when the answer is kept. Failures never are. */
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
