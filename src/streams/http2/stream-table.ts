import { IdMap } from '../../meta/id-map.ts';
import { ClosedStreams } from './closed-streams.ts';
import type { Http2Stream } from './stream.ts';

/** The streams of a connection: the open streams, and the data that is kept about closed ones. */
export class StreamTable {
  readonly closed: ClosedStreams;
  /** The newest stream that the client has opened. */
  lastId = 0;
  /** Whether no new streams are accepted. */
  isLeaving = false;
  readonly #open = new IdMap<Http2Stream>();
  /** Closed streams whose owners have not been notified yet. */
  #justClosed: Http2Stream[] = [];

  constructor(maxConcurrentStreams: number) {
    this.closed = new ClosedStreams(maxConcurrentStreams);
  }

  get size(): number {
    return this.#open.size;
  }

  get(id: number): Http2Stream | undefined {
    return this.#open.get(id);
  }

  values(): Iterable<Http2Stream> {
    return this.#open.values();
  }

  add(stream: Http2Stream): void {
    this.#open.set(stream.id, stream);
  }

  /** Ends a stream. If the server has reset it, the client may still send the rest. */
  close(stream: Http2Stream, { isReset }: { readonly isReset: boolean }): void {
    this.#open.delete(stream.id);
    if (isReset) this.closed.addReset(stream.id);
    else this.closed.addEnded(stream.id);
    stream.close();
    if (stream.owner !== undefined) this.#justClosed.push(stream);
  }

  /** Notifies the owners of the streams that were closed since the last call. */
  notifyOwners(): void {
    if (this.#justClosed.length === 0) return;
    const closed = this.#justClosed;
    this.#justClosed = [];
    for (const { owner } of closed) owner?.onClosed();
  }

  /** Whether the stream has not been opened yet. Only the client opens streams, with odd ids. */
  isIdle(id: number): boolean {
    if ((id & 1) === 0) return true;
    return id > this.lastId && !this.isLeaving;
  }
}
