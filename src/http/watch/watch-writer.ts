import type { ResponseStream } from '../exchange.ts';
import { flushInTurns } from './flush-in-turns.ts';
import { joinFrames } from './watch-frames.ts';

/** The maximum number of bytes queued for a slow reader, besides the backlog, before its stream is ended. */
const budget = 16 * 1024 * 1024;
/** The maximum number of bytes handed to the socket at a time. */
const maxPending = 64 * 1024;
/** How long a client may take to read the rest of a stream that ends, in milliseconds. */
const closeTimeoutMs = 2000;

export interface WatchWriterOptions {
  /** Whether every frame is written separately. */
  readonly oneByOne: boolean;
  /** Called once, when nothing more will be written, regardless of which side ended the stream. */
  readonly onEnd: () => void;
  /** Called before a stream is closed because its reader is too slow. */
  readonly onSlow?: () => void;
  /** Closes the stream at once, without the queued frames. */
  readonly cut: () => void;
}

/**
 * Writes the frames of one watch: first the backlog, at the reader's pace, then the frames sent meanwhile and later.
 * Frames are shared with other watchers and queued by reference. Frames of the same turn of the event loop share a
 * write.
 */
export class WatchWriter {
  readonly #stream: ResponseStream;
  readonly #options: WatchWriterOptions;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #inBacklog = true;
  /** Whether the socket has not drained. */
  #isBlocked = false;
  #isFlushing = false;
  #isEnded = false;
  #isFinished = false;
  #lastWait: NodeJS.Timeout | undefined = undefined;

  constructor(stream: ResponseStream, options: WatchWriterOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  /** Whether bytes are queued here or in the connection. */
  get isBehind(): boolean {
    return !this.#isFinished && (this.#inBacklog || this.#queue.length > 0 || this.#stream.pendingBytes > 0);
  }

  /** Writes the backlog. Stops when the stream ends. */
  async writeBacklog(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      if (!this.#inBacklog || this.#stream.closed) return;
      this.#stream.write(chunk);
      if (this.#stream.pendingBytes > maxPending) await this.#stream.drained();
    }
  }

  /** Ends the backlog, after a last frame if there is one, and writes the frames queued meanwhile. */
  goLive(last?: Buffer): void {
    if (!this.#inBacklog) return;
    this.#inBacklog = false;
    if (last !== undefined) this.#queue.unshift(last);
    this.#queuedBytes += last?.length ?? 0;
    this.flush();
  }

  /** The bytes are shared and must not be changed. */
  send(frame: Buffer): void {
    if (this.#isEnded) return;
    this.#queue.push(frame);
    this.#queuedBytes += frame.length;
    if (this.#queuedBytes > budget) {
      // Too slow: the client has to resume from the last version it received. Other watchers do not wait for it.
      this.#options.onSlow?.();
      this.#cutOff();
      return;
    }
    if (this.#inBacklog || this.#isBlocked || this.#isFlushing) return;
    this.#isFlushing = true;
    flushInTurns(this);
  }

  /**
   * Ends the stream after the queued frames and a last frame if there is one. A client that does not read them in time
   * is disconnected. After an incomplete backlog the queued frames are dropped, because the stream would have a gap.
   */
  end(last?: Buffer): void {
    if (this.#isEnded) return;
    if (this.#inBacklog) this.#queue = [];
    this.#inBacklog = false;
    if (last !== undefined) this.#queue.push(last);
    this.#isEnded = true;
    if (this.#isBlocked) this.#lastWait = setTimeout(() => this.#cutOff(), closeTimeoutMs).unref();
    else this.flush();
  }

  /** An error closes only this stream. The caller flushes other streams afterwards and does not catch. */
  flush(): void {
    try {
      this.#flush();
    } catch {
      this.#cutOff();
    }
  }

  #flush(): void {
    this.#isFlushing = false;
    while (this.#queue.length > 0 && !this.#isBlocked && !this.#stream.closed) {
      this.#stream.write(this.#next());
      if (this.#stream.pendingBytes > maxPending) this.#waitForReader();
    }
    if (this.#stream.closed || (this.#isEnded && !this.#isBlocked)) this.#finish();
  }

  /** Joins queued frames to one write of a good size. */
  #next(): Buffer {
    if (this.#options.oneByOne || this.#queuedBytes > maxPending) {
      const frame = this.#queue.shift()!;
      this.#queuedBytes -= frame.length;
      return frame;
    }
    const frames = this.#queue;
    this.#queue = [];
    this.#queuedBytes = 0;
    return joinFrames(frames);
  }

  #waitForReader(): void {
    this.#isBlocked = true;
    void this.#stream.drained().then(() => {
      this.#isBlocked = false;
      this.flush();
    });
  }

  #cutOff(): void {
    this.#options.cut();
    this.#finish();
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#isEnded = true;
    this.#queue = [];
    clearTimeout(this.#lastWait);
    this.#stream.end();
    this.#options.onEnd();
  }
}
