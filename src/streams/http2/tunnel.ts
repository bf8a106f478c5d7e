import { Duplex } from 'node:stream';
import { BodyFeed } from './body-feed.ts';
import { errorCodes } from './protocol.ts';
import type { Http2Stream } from './stream.ts';

/** The bytes of both directions of a stream that carries another protocol. */
export class Tunnel extends Duplex {
  readonly #stream: Http2Stream;
  readonly #feed: BodyFeed;

  constructor(stream: Http2Stream) {
    super();
    this.#stream = stream;
    this.#feed = new BodyFeed(stream, this);
    stream.isTunnel = true;
    stream.read(this.#feed);
  }

  override _read(): void {
    this.#feed.pull();
  }

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    this.#stream.write(chunk);
    if (this.#stream.pendingBytes === 0) callback();
    else this.#stream.onDrain(callback);
  }

  /** Data that was written together is sent in one frame, if it fits. */
  override _writev(chunks: { readonly chunk: Buffer }[], callback: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', callback);
  }

  override _final(callback: () => void): void {
    this.#stream.end();
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#stream.stopReading();
    this.#stream.reset(error === null ? errorCodes.cancel : errorCodes.internalError);
    callback(error);
  }
}
