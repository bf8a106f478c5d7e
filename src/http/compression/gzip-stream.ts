import { createGzip, type Gzip } from 'node:zlib';
import type { ResponseStream } from '../exchange.ts';

/** The fastest level, because speed matters more than a slightly smaller size. */
const level = 1;
/**
 * The maximum output of one call in the thread pool. The default of 16 KiB would need several calls for each group of a
 * list.
 */
const chunkSize = 64 * 1024;

export interface GzipStreamOptions {
  /** Aborting it frees the compressor, even with unwritten data. */
  readonly signal: AbortSignal;
  /** Closes the connection or stream without completing the response. */
  readonly cut: () => void;
}

/**
 * Compresses data on its way to another stream, off the main thread. Backpressure of the inner stream is propagated.
 */
export class GzipStream implements ResponseStream {
  readonly #out: ResponseStream;
  readonly #gzip: Gzip;
  #ended = false;

  constructor(out: ResponseStream, { signal, cut }: GzipStreamOptions) {
    this.#out = out;
    this.#gzip = createGzip({ level, chunkSize });
    this.#gzip.on('data', (chunk: Buffer) => this.#forward(chunk));
    this.#gzip.on('end', () => out.end());
    this.#gzip.on('error', cut);
    if (signal.aborted) this.#gzip.destroy();
    else signal.addEventListener('abort', () => this.#gzip.destroy(), { once: true });
  }

  get closed(): boolean {
    return this.#ended || this.#gzip.destroyed || this.#out.closed;
  }

  /** Compressed bytes do not count: they wait in bounded buffers. */
  get pendingBytes(): number {
    return this.#gzip.writableLength;
  }

  write(chunk: Buffer): boolean {
    return this.closed || this.#gzip.write(chunk);
  }

  drained(): Promise<void> {
    if (this.closed || !this.#gzip.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#gzip.off('drain', done);
        this.#gzip.off('close', done);
        resolve();
      };
      this.#gzip.on('drain', done);
      this.#gzip.on('close', done);
    });
  }

  end(): void {
    if (this.closed) return;
    this.#ended = true;
    this.#gzip.end();
  }

  #forward(chunk: Buffer): void {
    if (this.#out.write(chunk)) return;
    this.#gzip.pause();
    void this.#out.drained().then(() => this.#gzip.resume());
  }
}
