import type { Http2Stream } from '../../streams/http2/index.ts';
import type { ResponseStream } from '../exchange.ts';

/** A writer should wait when this many bytes are pending. */
const highWaterMark = 64 * 1024;

/** A streamed response over HTTP/2. */
export class Http2ResponseStream implements ResponseStream {
  readonly #stream: Http2Stream;
  /** True for a response without a body: writes are discarded. */
  readonly #omitsBody: boolean;

  constructor(stream: Http2Stream, options: { readonly omitsBody: boolean }) {
    this.#stream = stream;
    this.#omitsBody = options.omitsBody;
  }

  get closed(): boolean {
    return this.#stream.isEnded || this.#stream.isClosed;
  }

  get pendingBytes(): number {
    return this.#stream.pendingBytes;
  }

  write(chunk: Buffer): boolean {
    if (this.#omitsBody || this.closed) return true;
    this.#stream.write(chunk);
    return this.#stream.pendingBytes < highWaterMark;
  }

  drained(): Promise<void> {
    return this.#stream.drained();
  }

  end(): void {
    if (!this.closed) this.#stream.end();
  }
}
