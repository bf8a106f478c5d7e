/** Keeps the bytes that were asked for last, as many as its budget allows. */
export class RecentBytes {
  readonly #budget: number;
  /** In the order of their last use. */
  readonly #kept = new Map<object, Buffer>();
  #size = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** The bytes of an owner, made when they are not there any more. They must always be the same ones for one owner. */
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

  /** Without making or moving anything: for readers of more than could be kept. */
  find(owner: object): Buffer | undefined {
    return this.#kept.get(owner);
  }

  /** The owner is gone. */
  forget(owner: object): void {
    const kept = this.#kept.get(owner);
    if (kept === undefined) return;
    this.#kept.delete(owner);
    this.#size -= kept.length;
  }
}
