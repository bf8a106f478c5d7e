/** An LRU cache of encoded bytes, limited by a byte budget. */
export class RecentBytes {
  readonly #budget: number;
  /** In order of last use. */
  readonly #kept = new Map<object, Buffer>();
  #size = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Returns the cached bytes of an owner, or makes them. The bytes of an owner must never change. */
  of(owner: object, make: () => Buffer): Buffer {
    const kept = this.#kept.get(owner);
    if (kept !== undefined) {
      this.#kept.delete(owner);
      this.#kept.set(owner, kept);
      return kept;
    }
    const made = make();
    if (made.length > this.#budget) return made;
    this.#kept.set(owner, made);
    this.#size += made.length;
    for (const [oldest, bytes] of this.#kept) {
      if (this.#size <= this.#budget) break;
      this.#kept.delete(oldest);
      this.#size -= bytes.length;
    }
    return made;
  }

  /** Neither encodes nor updates the order of use. For readers of more data than the cache can hold. */
  find(owner: object): Buffer | undefined {
    return this.#kept.get(owner);
  }

  /** Removes the entry of an owner that no longer exists. */
  forget(owner: object): void {
    const kept = this.#kept.get(owner);
    if (kept === undefined) return;
    this.#kept.delete(owner);
    this.#size -= kept.length;
  }
}
