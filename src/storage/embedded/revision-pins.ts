/** The revisions at which reads of several chunks are under way; compaction must not take their history away. */
export class RevisionPins {
  readonly #pins = new Set<{ readonly revision: number }>();
  #waiting: { readonly revision: number; readonly resolve: () => void }[] = [];

  /** Keeps the history from the revision on until the read, which has just begun, is done. */
  async hold<T>(revision: number, read: Promise<T>): Promise<T> {
    const pin = { revision };
    this.#pins.add(pin);
    try {
      return await read;
    } finally {
      this.#pins.delete(pin);
      this.#wake();
    }
  }

  /** Resolves when no read needs a revision below the given one. */
  async freeBelow(revision: number): Promise<void> {
    if (this.#isFree(revision)) return;
    await new Promise<void>((resolve) => this.#waiting.push({ revision, resolve }));
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
