const firstPage = 500;
const maxPage = 10_000;
const wantedBytes = 4 * 1024 * 1024;

/** How many entries of a long range to read at a time, so that responses have a moderate size. */
export class PageSize {
  #next = firstPage;

  get next(): number {
    return this.#next;
  }

  /** A page with so many entries had so many bytes. */
  learn(entries: number, bytes: number): void {
    if (entries === 0) return;
    const fitting = Math.floor((wantedBytes * entries) / bytes);
    this.#next = Math.max(1, Math.min(fitting, maxPage, this.#next * 2));
  }

  /** So many entries or more were too many. */
  shrink(entries: number): void {
    this.#next = Math.min(this.#next, entries);
  }
}
