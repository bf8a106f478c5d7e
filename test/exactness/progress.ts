interface Waiter {
  readonly writes: number;
  readonly resolve: () => void;
}

/** How far the writers are. Clients that rest do so until something has been written, not for a time. */
export class Progress {
  /** The newest version that a writer has been told: lists of the newest state must not be older. */
  acknowledged = 0;
  #writes = 0;
  #calm = false;
  #waiting: Waiter[] = [];

  /** Nothing more will be written, and clients are to follow without rests. */
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

  /** Resolves when so many more writes have been done, or when no more are to come. */
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
