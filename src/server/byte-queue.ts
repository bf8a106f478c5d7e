import type { ResponseStream } from '../http/exchange.ts';

/** The writer is told to wait above this. */
const highWaterMark = 1024 * 1024;

/** Shared: to make a reason for every end would cost more than many a request. */
const over = new Error('everything has been read');

/** Bytes on their way from a handler to a reader in the same process. Ends when the reader stops or the writer is done. */
export class ByteQueue implements ResponseStream, AsyncIterable<Uint8Array> {
  readonly #stop: AbortController;
  #chunks: Buffer[] = [];
  #pending = 0;
  #ended = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  /** Aborted when nothing more will be read; its abort ends the queue. */
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
    // The writer may use its bytes again as soon as nothing is pending, but the reader keeps what it has got.
    this.#chunks.push(Buffer.from(chunk));
    this.#pending += chunk.length;
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
      this.#stop.abort(over);
    }
  }
}
