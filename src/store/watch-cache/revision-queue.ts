/** A queue of entries with ascending revisions: appended at the end, dropped from the front, searchable by revision. */
export class RevisionQueue<T extends { readonly revision: number }> {
  #entries: (T | undefined)[] = [];
  /** Index of the first entry that has not been dropped. */
  #first = 0;

  get length(): number {
    return this.#entries.length - this.#first;
  }

  /** Index 0 is the oldest entry. */
  at(index: number): T | undefined {
    return this.#entries[this.#first + index];
  }

  push(entry: T): void {
    this.#entries.push(entry);
  }

  shift(): T | undefined {
    const entry = this.at(0);
    if (entry === undefined) return undefined;
    this.#entries[this.#first++] = undefined;
    // Compacted only when half of the array is unused, so that dropping stays cheap.
    if (this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
    return entry;
  }

  /** The index of the first entry with a greater revision. */
  indexAfter(revision: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle)!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The entries from the index to the end. */
  from(index: number): T[] {
    return this.#entries.slice(this.#first + index) as T[];
  }
}
