interface Entry<V> {
  readonly value: V;
  readonly expiresAt: number;
}

export interface ExpiringCacheOptions {
  readonly maximum: number;
  readonly now?: (() => number) | undefined;
}

/** Keeps answers for some time, and no more than so many: those that were not asked for longest go first. */
export class ExpiringCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #maximum: number;
  readonly #now: () => number;

  constructor({ maximum, now = Date.now }: ExpiringCacheOptions) {
    this.#maximum = maximum;
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

  /** Until then, in milliseconds since 1970. What has expired already is not kept. */
  set(key: string, value: V, expiresAt: number): void {
    this.#entries.delete(key);
    if (this.#now() >= expiresAt) return;
    this.#entries.set(key, { value, expiresAt });
    if (this.#entries.size <= this.#maximum) return;
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
