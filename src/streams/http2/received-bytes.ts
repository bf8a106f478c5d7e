const firstCopySize = 1024;
const maxCopySize = 64 * 1024;

/**
 * Bytes that wait for their reader. Small pieces are copied together: each piece would otherwise keep its whole receive
 * buffer in memory, and a client may send single bytes.
 */
export class ReceivedBytes {
  length = 0;
  #chunks: Buffer[] = [];
  /** The buffer whose start is the last chunk, if the chunk was copied. */
  #tail: Buffer | undefined = undefined;
  #tailUsed = 0;

  push(chunk: Buffer): void {
    this.length += chunk.length;
    if (2 * chunk.length >= chunk.buffer.byteLength) {
      this.#tail = undefined;
      this.#chunks.push(chunk);
    } else {
      this.#copy(chunk);
    }
  }

  /** Removes and returns the oldest bytes. */
  shift(): Buffer | undefined {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return undefined;
    // The returned chunk must not change, so nothing is appended to its buffer.
    if (this.#chunks.length === 0) this.#tail = undefined;
    this.length -= chunk.length;
    return chunk;
  }

  /** Removes and returns all bytes. */
  takeAll(): Buffer {
    const chunks = this.#chunks;
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.length);
    this.#chunks = [];
    this.#tail = undefined;
    this.length = 0;
    return whole;
  }

  #copy(chunk: Buffer): void {
    let at = 0;
    if (this.#tail !== undefined) {
      at = chunk.copy(this.#tail, this.#tailUsed);
      this.#tailUsed += at;
      this.#chunks[this.#chunks.length - 1] = this.#tail.subarray(0, this.#tailUsed);
    }
    if (at === chunk.length) return;
    const left = chunk.length - at;
    const size = Math.max(left, Math.min(maxCopySize, 2 * (this.#tail?.length ?? firstCopySize / 2)));
    this.#tail = Buffer.allocUnsafeSlow(size);
    this.#tailUsed = chunk.copy(this.#tail, 0, at);
    this.#chunks.push(this.#tail.subarray(0, this.#tailUsed));
  }
}
