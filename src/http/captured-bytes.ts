/** What all captures of a server may hold together. */
export class CaptureBudget {
  left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }
}

/** Keeps a copy of what passes, up to a limit; beyond it there is nothing. */
export class CapturedBytes {
  readonly #limit: number;
  readonly #budget: CaptureBudget;
  #chunks: Buffer[] | undefined = [];
  #size = 0;

  constructor(limit: number, budget: CaptureBudget) {
    this.#limit = limit;
    this.#budget = budget;
  }

  /** The bytes may be changed afterwards. */
  add(chunk: Buffer): void {
    if (this.#chunks === undefined) return;
    if (this.#size + chunk.length > this.#limit || chunk.length > this.#budget.left) {
      this.#release();
      return;
    }
    this.#chunks.push(Buffer.from(chunk));
    this.#size += chunk.length;
    this.#budget.left -= chunk.length;
  }

  /** Everything, or undefined when it was too much. To be called once; nothing is held afterwards. */
  take(): Buffer | undefined {
    const bytes = this.#chunks && Buffer.concat(this.#chunks, this.#size);
    this.#release();
    return bytes;
  }

  #release(): void {
    this.#budget.left += this.#size;
    this.#size = 0;
    this.#chunks = undefined;
  }
}
