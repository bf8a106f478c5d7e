/** Nearly all groups of a list fit. */
const usualSize = 320 * 1024;
/** So many wait for the next list; more are only needed while more lists are under way. */
const mostSpare = 8;
const spare: Buffer[] = [];

/**
 * One buffer that is filled and sent again and again. To leave the bytes of every write to the garbage would take far more
 * memory, and the collector would look through the whole heap for the sake of it.
 */
export class ReusedChunk {
  /** False while somebody may still read what was written last: then fresh memory is given. */
  isFree = true;
  #buffer: Buffer | undefined = undefined;

  readonly room = (size: number): Buffer => {
    if (!this.isFree || size > usualSize) return Buffer.allocUnsafe(size);
    this.#buffer ??= spare.pop() ?? Buffer.allocUnsafeSlow(usualSize);
    return this.#buffer.subarray(0, size);
  };

  holds(bytes: Buffer): boolean {
    return bytes.buffer === this.#buffer?.buffer;
  }

  /** Nobody reads it any more: the next list may have it. */
  giveBack(): void {
    if (this.#buffer !== undefined && spare.length < mostSpare) spare.push(this.#buffer);
    this.#buffer = undefined;
  }
}
