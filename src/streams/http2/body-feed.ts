import type { Readable } from 'node:stream';
import { ReceivedBytes } from './received-bytes.ts';
import type { BodyReader, Http2Stream } from './stream.ts';

/** Passes a body to a stream of Node.js. The client can send only as much as is read. */
export class BodyFeed implements BodyReader {
  readonly #stream: Http2Stream;
  readonly #target: Readable;
  readonly #waiting = new ReceivedBytes();
  #isWanted = false;
  #isComplete = false;

  constructor(stream: Http2Stream, target: Readable) {
    this.#stream = stream;
    this.#target = target;
  }

  /** The target requests data. */
  pull(): void {
    this.#isWanted = true;
    while (this.#isWanted) {
      const chunk = this.#waiting.shift();
      if (chunk === undefined) break;
      this.#pass(chunk);
    }
    if (this.#isComplete && this.#isWanted) this.#target.push(null);
  }

  onData(chunk: Buffer): void {
    if (this.#isWanted) this.#pass(chunk);
    else this.#waiting.push(chunk);
  }

  onEnd(): void {
    this.#isComplete = true;
    if (this.#isWanted) this.#target.push(null);
  }

  onCut(): void {
    this.#target.destroy();
  }

  #pass(chunk: Buffer): void {
    this.#isWanted = this.#target.push(chunk);
    this.#stream.acknowledge(chunk.length);
  }
}
