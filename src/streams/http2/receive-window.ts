/**
 * What the peer may send on a connection before it hears from us. What arrives is acknowledged in large steps, whoever
 * reads it when: what the streams keep is limited by their own windows.
 */
export class ReceiveWindow {
  readonly #size: number;
  #left: number;

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  /** Whether the peer may send as much. */
  fits(length: number): boolean {
    return length <= this.#left;
  }

  /** So much has arrived. Returns by how much the window is to be widened now, mostly 0. */
  take(length: number): number {
    this.#left -= length;
    if (2 * this.#left > this.#size) return 0;
    const increment = this.#size - this.#left;
    this.#left = this.#size;
    return increment;
  }
}
