import { createGzip, type Gzip } from 'node:zlib';
import type { ResponseStream } from '../exchange.ts';

/** Speed counts for more than the last tenth of the size. */
const level = 1;
/** One trip to the thread pool makes so much at most. The default of 16 KiB would need several for each group of a list. */
const chunkSize = 64 * 1024;

export interface GzipStreamOptions {
  /** Its abort frees what the compression holds, however much is unwritten. */
  readonly signal: AbortSignal;
  /** Gives the client no rest of the answer. */
  readonly cut: () => void;
}

/** Compresses what is written on its way to another stream, beside the main thread. When that one is behind, so is this one. */
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

  /** What has been compressed is another matter: it waits in bounded buffers of its own. */
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
