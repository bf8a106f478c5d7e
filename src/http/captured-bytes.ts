/** The number of bytes that all captures of a server may hold together. */
export class CaptureBudget {
  left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }
}

/** Copies the bytes that pass, up to a limit. Beyond it the copy is dropped. */
export class CapturedBytes {
  readonly #limit: number;
  readonly #budget: CaptureBudget;
  #chunks: Buffer[] | undefined = [];
  #size = 0;

  constructor(limit: number, budget: CaptureBudget) {
    this.#limit = limit;
    this.#budget = budget;
  }

  /** The chunk is copied, so the caller may reuse it. */
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

  /** Returns all bytes, or undefined when there were too many, and frees them. Call it once. */
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
