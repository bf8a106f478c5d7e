import type { ResponseStream } from '../exchange.ts';

/** The common interface of the writable streams of both HTTP versions. */
export interface Sink {
  readonly closed: boolean;
  readonly destroyed: boolean;
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  write(chunk: Buffer): boolean;
  end(): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** A streamed response on top of a Node stream. */
export class SinkStream implements ResponseStream {
  /** The number of bytes written so far. */
  writtenBytes = 0;
  readonly #sink: Sink;
  /** True for a response without a body (HEAD): writes are discarded. */
  readonly #omitsBody: boolean;
  #ended = false;

  constructor(sink: Sink, options: { readonly omitsBody: boolean }) {
    this.#sink = sink;
    this.#omitsBody = options.omitsBody;
  }

  get closed(): boolean {
    return this.#ended || this.#sink.destroyed || this.#sink.closed;
  }

  get pendingBytes(): number {
    return this.#sink.writableLength;
  }

  write(chunk: Buffer): boolean {
    if (this.#omitsBody || this.closed) return true;
    this.writtenBytes += chunk.length;
    return this.#sink.write(chunk);
  }

  drained(): Promise<void> {
    if (this.closed || !this.#sink.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#sink.off('drain', done);
        this.#sink.off('close', done);
        resolve();
      };
      this.#sink.on('drain', done);
      this.#sink.on('close', done);
    });
  }

  end(): void {
    if (this.closed) return;
    this.#ended = true;
    this.#sink.end();
  }
}
