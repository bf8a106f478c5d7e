/** The data of a stream that waits for the window of the peer, or for the socket. `Output` cuts it into frames. */
export class OutgoingData {
  /** The ID of the stream; 0 until it is opened. */
  id: number;
  /** Whether nothing more will be written. */
  isEnded = false;
  /** Whether everything has been sent, or the stream was reset. */
  isClosed = false;
  pendingBytes = 0;
  /** Whether it is in the queue of streams that can send. */
  isQueued = false;
  /** The number of bytes that the peer is ready to receive. */
  sendWindow: number;
  /** The chunk that is being sent, from `#offset` on, and the chunks after it. */
  #chunk: Buffer | undefined = undefined;
  #offset = 0;
  #later: Buffer[] | undefined = undefined;

  constructor(id: number, sendWindow: number) {
    this.id = id;
    this.sendWindow = sendWindow;
  }

  /** The chunk to send next, from `offset` on. */
  get chunk(): Buffer | undefined {
    return this.#chunk;
  }

  get offset(): number {
    return this.#offset;
  }

  /** The bytes must not change while any are pending. */
  append(chunk: Buffer): void {
    this.pendingBytes += chunk.length;
    if (this.#chunk === undefined) this.#chunk = chunk;
    else if (this.#later === undefined) this.#later = [chunk];
    else this.#later.push(chunk);
  }

  /** Removes this many bytes of `chunk`, which have been sent. */
  advance(length: number): void {
    this.pendingBytes -= length;
    this.sendWindow -= length;
    this.#offset += length;
    if (this.#offset < this.#chunk!.length) return;
    this.#offset = 0;
    this.#chunk = this.#later?.shift();
  }

  /** Discards all waiting data. */
  drop(): void {
    this.isClosed = true;
    this.pendingBytes = 0;
    this.#chunk = undefined;
    this.#later = undefined;
  }
}
