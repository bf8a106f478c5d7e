/** Large enough for nearly all groups of a list. */
const defaultSize = 320 * 1024;
/** The number of spare buffers kept for later lists. More are allocated only while more lists are being written. */
const maxPooled = 8;
const pool: Buffer[] = [];

/**
 * One buffer that is filled and sent repeatedly. Allocating one for every write would need far more memory and make the
 * garbage collector scan the whole heap more often.
 */
export class PooledBuffer {
  /** False while the last write may still be read by the socket. Then `allocate` returns new memory. */
  isFree = true;
  #buffer: Buffer | undefined = undefined;

  readonly allocate = (size: number): Buffer => {
    if (!this.isFree || size > defaultSize) return Buffer.allocUnsafe(size);
    this.#buffer ??= pool.pop() ?? Buffer.allocUnsafeSlow(defaultSize);
    return this.#buffer.subarray(0, size);
  };

  owns(bytes: Buffer): boolean {
    return bytes.buffer === this.#buffer?.buffer;
  }

  /** Returns the buffer to the pool. Call this only when no write still reads it. */
  release(): void {
    if (this.#buffer !== undefined && pool.length < maxPooled) pool.push(this.#buffer);
    this.#buffer = undefined;
  }
}
