const monotonicNow = (): number => performance.now();

interface Entry<V> {
  readonly value: V;
  /** When it was made and when it expires, by the clock that may jump. */
  readonly madeAt: number;
  readonly expiresAt: number;
  /** When it expires by the monotonic clock. */
  readonly monotonicEnd: number;
}

export interface ExpiringCacheOptions {
  readonly maxSize: number;
  /** The time of day in milliseconds, which may jump. */
  readonly now?: (() => number) | undefined;
  /** Milliseconds that never go back. Default: those of the machine. */
  readonly monotonic?: (() => number) | undefined;
}

/**
 * A cache whose entries expire. When it is full, it evicts the least recently used entry.
 *
 * The time of day may jump, and what an entry says may be true only in a span of this time, such as that of a token.
 * An entry is therefore used only while both clocks allow it: it is not older than its lifetime by the monotonic clock,
 * and the time of day is neither before it was made nor after it expires.
 */
export class ExpiringCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #maxSize: number;
  readonly #now: () => number;
  readonly #monotonic: () => number;

  constructor({ maxSize, now = Date.now, monotonic = monotonicNow }: ExpiringCacheOptions) {
    this.#maxSize = maxSize;
    this.#now = now;
    this.#monotonic = monotonic;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    const now = this.#now();
    if (now < entry.madeAt || now >= entry.expiresAt || this.#monotonic() >= entry.monotonicEnd) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** `expiresAt` is in milliseconds since the Unix epoch. A value that has already expired is not stored. */
  set(key: string, value: V, expiresAt: number): void {
    this.#entries.delete(key);
    const madeAt = this.#now();
    if (madeAt >= expiresAt) return;
    const monotonicEnd = this.#monotonic() + (expiresAt - madeAt);
    this.#entries.set(key, { value, madeAt, expiresAt, monotonicEnd });
    if (this.#entries.size <= this.#maxSize) return;
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest!);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}
