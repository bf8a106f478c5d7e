interface Entry<V> {
  readonly value: V;
  readonly expiresAt: number;
}

export interface ExpiringCacheOptions {
  readonly maxSize: number;
  readonly now?: (() => number) | undefined;
}

/** A cache whose entries expire. When it is full, it evicts the least recently used entry. */
export class ExpiringCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #maxSize: number;
  readonly #now: () => number;

  constructor({ maxSize, now = Date.now }: ExpiringCacheOptions) {
    this.#maxSize = maxSize;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (this.#now() >= entry.expiresAt) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** `expiresAt` is in milliseconds since the Unix epoch. A value that has already expired is not stored. */
  set(key: string, value: V, expiresAt: number): void {
    this.#entries.delete(key);
    if (this.#now() >= expiresAt) return;
    this.#entries.set(key, { value, expiresAt });
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
