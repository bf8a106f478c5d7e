const firstPage = 500;
const maxPage = 10_000;
const wantedBytes = 4 * 1024 * 1024;

/** The number of entries per page of a long range, chosen so that responses have a moderate size. */
export class PageSize {
  #next = firstPage;

  get next(): number {
    return this.#next;
  }

  /** Records the number of entries and bytes of a page. */
  learn(entries: number, bytes: number): void {
    if (entries === 0) return;
    const fitting = Math.floor((wantedBytes * entries) / bytes);
    this.#next = Math.max(1, Math.min(fitting, maxPage, this.#next * 2));
  }

  /** Records that a page of this many entries was too large. */
  shrink(entries: number): void {
    this.#next = Math.min(this.#next, entries);
  }
}
