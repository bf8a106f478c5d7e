import { maxClosedStreams } from './limits.ts';

/** Recently closed streams, to distinguish late frames from invalid ones. */
export class ClosedStreams {
  /** Streams that both sides have ended. */
  readonly #ended = new Int32Array(maxClosedStreams);
  #next = 0;
  /** Streams that the server has reset before the client ended them. More frames may arrive for them. */
  readonly #reset = new Set<number>();
  readonly #maxReset: number;

  constructor(maxConcurrentStreams: number) {
    this.#maxReset = 2 * maxConcurrentStreams + maxClosedStreams;
  }

  addEnded(id: number): void {
    this.#ended[this.#next] = id;
    this.#next = (this.#next + 1) % maxClosedStreams;
  }

  addReset(id: number): void {
    if (this.#reset.size >= this.#maxReset) this.#reset.delete(this.#reset.values().next().value!);
    this.#reset.add(id);
  }

  /** Records that the client has ended a stream that the server has reset. */
  removeReset(id: number): void {
    if (this.#reset.delete(id)) this.addEnded(id);
  }

  isReset(id: number): boolean {
    return this.#reset.has(id);
  }

  /** Returns false for a stream that was closed long ago or never existed. */
  isEnded(id: number): boolean {
    return this.#ended.includes(id);
  }
}
