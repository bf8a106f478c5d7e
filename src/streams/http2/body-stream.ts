import { Readable } from 'node:stream';
import { BodyFeed } from './body-feed.ts';
import type { Http2Stream } from './stream.ts';

/** The body of a request as a stream of Node.js. */
export class BodyStream extends Readable {
  readonly #stream: Http2Stream;
  readonly #feed: BodyFeed;

  constructor(stream: Http2Stream) {
    super();
    this.#stream = stream;
    this.#feed = new BodyFeed(stream, this);
    stream.read(this.#feed);
  }

  override _read(): void {
    this.#feed.pull();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#stream.stopReading();
    callback(error);
  }
}
