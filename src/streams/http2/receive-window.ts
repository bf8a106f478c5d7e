/**
 * The amount of data that the peer may send on a connection without acknowledgement. Received data is acknowledged in
 * large steps, independently of its readers: buffered data is limited by the windows of the streams.
 */
export class ReceiveWindow {
  readonly #size: number;
  #left: number;

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  /** Whether the peer may send this many bytes. */
  fits(length: number): boolean {
    return length <= this.#left;
  }

  /** Records received bytes. Returns the window increment to send now, usually 0. */
  take(length: number): number {
    this.#left -= length;
    if (2 * this.#left > this.#size) return 0;
    const increment = this.#size - this.#left;
    this.#left = this.#size;
    return increment;
  }
}
