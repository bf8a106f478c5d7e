import type { ResponseStream } from '../../http/exchange.ts';

/** `write` returns false above this number of pending bytes. */
const highWaterMark = 1024 * 1024;

/** A shared abort reason: creating an Error with its stack for every request would be expensive. */
const endReason = new Error('everything has been read');

/** Passes bytes from a handler to a reader in the same process. Ends when the reader stops or the writer is done. */
export class ByteQueue implements ResponseStream, AsyncIterable<Uint8Array> {
  /** The number of bytes written so far. */
  writtenBytes = 0;
  readonly #stop: AbortController;
  #chunks: Buffer[] = [];
  #pending = 0;
  #ended = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  /** `stop` is aborted when the reader stops. Aborting it ends the queue. */
  constructor(stop: AbortController) {
    this.#stop = stop;
    stop.signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  get pendingBytes(): number {
    return this.#pending;
  }

  get closed(): boolean {
    return this.#stop.signal.aborted;
  }

  write(chunk: Buffer): boolean {
    if (this.closed) return true;
    // A copy, because the writer may reuse its buffer while the reader keeps the chunk.
    this.#chunks.push(Buffer.from(chunk));
    this.#pending += chunk.length;
    this.writtenBytes += chunk.length;
    this.#wakeReader?.();
    return this.#pending < highWaterMark;
  }

  drained(): Promise<void> {
    if (this.closed || this.#pending < highWaterMark) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  end(): void {
    this.#ended = true;
    this.#wakeReader?.();
  }

  #wake(): void {
    this.#wakeReader?.();
    this.#wakeWriter?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      while (!this.closed) {
        if (this.#chunks.length > 0) {
          const chunks = this.#chunks;
          this.#chunks = [];
          this.#pending = 0;
          this.#wakeWriter?.();
          yield* chunks;
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
        }
      }
    } finally {
      this.#stop.abort(endReason);
    }
  }
}
