interface Waiter {
  readonly writes: number;
  readonly resolve: () => void;
}

/** The progress of the writers. Clients that pause wait for a number of writes, not for a time. */
export class Progress {
  /** The highest version in a response to a writer. Lists of the latest state must not be older. */
  acknowledged = 0;
  #writes = 0;
  #calm = false;
  #waiting: Waiter[] = [];

  /** Whether the writers have finished. Clients then follow without pauses. */
  get calm(): boolean {
    return this.#calm;
  }

  wrote(): void {
    this.#writes++;
    this.#wake();
  }

  calmDown(): void {
    this.#calm = true;
    this.#wake();
  }

  /** Resolves after this number of further writes, or when the writers have finished. */
  async pass(writes: number): Promise<void> {
    if (this.#calm) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ writes: this.#writes + writes, resolve });
    });
  }

  #wake(): void {
    const due = this.#waiting.filter(({ writes }) => this.#calm || writes <= this.#writes);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => !due.includes(waiter));
    for (const { resolve } of due) resolve();
  }
}
