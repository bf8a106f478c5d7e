/** The revisions at which multi-chunk reads are in progress. Compaction must not remove their history. */
export class RevisionPins {
  readonly #pins = new Set<{ readonly revision: number }>();
  readonly #onLowest: (revision: number | undefined) => void;
  #waiting: { readonly revision: number; readonly resolve: () => void }[] = [];

  /** `onLowest` is called with the lowest revision in use, before the read begins. */
  constructor(onLowest: (revision: number | undefined) => void = () => {}) {
    this.#onLowest = onLowest;
  }

  /** Keeps history from the revision on until the read settles. */
  async hold<T>(revision: number, read: () => Promise<T>): Promise<T> {
    const pin = { revision };
    this.#pins.add(pin);
    this.#reportLowest();
    try {
      return await read();
    } finally {
      this.#pins.delete(pin);
      this.#reportLowest();
      this.#wake();
    }
  }

  /** Resolves when no read needs a revision below the given one. */
  async freeBelow(revision: number): Promise<void> {
    if (this.#isFree(revision)) return;
    await new Promise<void>((resolve) => this.#waiting.push({ revision, resolve }));
  }

  #reportLowest(): void {
    let lowest: number | undefined;
    for (const { revision } of this.#pins) if (lowest === undefined || revision < lowest) lowest = revision;
    this.#onLowest(lowest);
  }

  #isFree(revision: number): boolean {
    for (const pin of this.#pins) if (pin.revision < revision) return false;
    return true;
  }

  #wake(): void {
    this.#waiting = this.#waiting.filter(({ revision, resolve }) => {
      if (!this.#isFree(revision)) return true;
      resolve();
      return false;
    });
  }
}
