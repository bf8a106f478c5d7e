import { type StatusError, timeout, tooLargeBody } from '../../meta/status-error.ts';
import type { BodyReader, Http2Stream } from '../../streams/http2/index.ts';
import { ReceivedBytes } from '../../streams/http2/received-bytes.ts';
import { incompleteBody } from './collect-body.ts';

export interface Http2BodyOptions {
  /** The maximum size in bytes. */
  readonly limit: number;
  /** The time limit for the whole body, in milliseconds. */
  readonly timeout: number;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (error: StatusError) => void;
}

/** Collects the body of a stream. After a rejection the rest is dropped. */
export class Http2Body implements BodyReader {
  readonly #stream: Http2Stream;
  readonly #options: Http2BodyOptions;
  readonly #timer: NodeJS.Timeout;
  /** The first piece is often the only one and need not be copied. */
  #first: Buffer | undefined = undefined;
  #pieces: ReceivedBytes | undefined = undefined;
  #length = 0;

  constructor(stream: Http2Stream, options: Http2BodyOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#timer = setTimeout(() => this.#refuse(timeout('the request body did not arrive in time')), options.timeout);
  }

  onData(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > this.#options.limit) {
      this.#refuse(tooLargeBody(`limit is ${this.#options.limit}`));
      return;
    }
    if (this.#first === undefined) {
      this.#first = chunk;
    } else {
      if (this.#pieces === undefined) {
        this.#pieces = new ReceivedBytes();
        this.#pieces.push(this.#first);
      }
      this.#pieces.push(chunk);
    }
    this.#stream.acknowledge(chunk.length);
  }

  onEnd(): void {
    clearTimeout(this.#timer);
    this.#options.resolve(this.#pieces?.takeAll() ?? this.#first ?? Buffer.alloc(0));
  }

  onCut(): void {
    this.#refuse(incompleteBody());
  }

  #refuse(error: StatusError): void {
    clearTimeout(this.#timer);
    this.#stream.stopReading();
    this.#options.reject(error);
  }
}
