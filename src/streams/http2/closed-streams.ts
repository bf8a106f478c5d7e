import { maxClosedStreams } from './limits.ts';

/** Recently closed streams, to distinguish late frames from invalid ones. */
export class ClosedStreams {
  /** Streams that both sides have ended. */
  readonly #ended = new Int32Array(maxClosedStreams);
  #next = 0;
  /** Streams that the server has ended before the client. More frames may arrive for them. */
  readonly #cut = new Set<number>();
  readonly #maxCut: number;

  constructor(maxConcurrentStreams: number) {
    this.#maxCut = 2 * maxConcurrentStreams + maxClosedStreams;
  }

  addEnded(id: number): void {
    this.#ended[this.#next] = id;
    this.#next = (this.#next + 1) % maxClosedStreams;
  }

  addCut(id: number): void {
    if (this.#cut.size >= this.#maxCut) this.#cut.delete(this.#cut.values().next().value!);
    this.#cut.add(id);
  }

  /** Records that the client has ended a stream that was cut short. */
  endCut(id: number): void {
    if (this.#cut.delete(id)) this.addEnded(id);
  }

  isCut(id: number): boolean {
    return this.#cut.has(id);
  }

  /** Returns false for a stream that was closed long ago or never existed. */
  isEnded(id: number): boolean {
    return this.#ended.includes(id);
  }
}
