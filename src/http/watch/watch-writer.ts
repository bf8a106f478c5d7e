import type { ResponseStream } from '../exchange.ts';
import { flushSoon } from './flush-soon.ts';
import { joinFrames } from './watch-frames.ts';

/** What may wait for a reader that is behind, beside the backlog, before its stream is ended. */
const budget = 16 * 1024 * 1024;
/** How much of it the socket is given at a time. */
const mostPending = 64 * 1024;
/** How long a client has to take the rest of a stream that ends, in milliseconds. */
const patience = 2000;

export interface WatchWriterOptions {
  /** Every frame is written by itself. */
  readonly oneByOne: boolean;
  /** Called once, when nothing more will be written, whoever ended it. */
  readonly onEnd: () => void;
  /** Closes the stream at once, without what waits. */
  readonly cut: () => void;
}

/**
 * Writes the frames of one watch: first the backlog, at the pace of the reader, then what has been sent meanwhile and later.
 * Frames are shared with other watchers and wait as references; those of one moment go out in one write.
 */
export class WatchWriter {
  readonly #stream: ResponseStream;
  readonly #options: WatchWriterOptions;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #inBacklog = true;
  /** The reader is behind. */
  #isBlocked = false;
  #isFlushing = false;
  #isEnded = false;
  #isFinished = false;
  #lastWait: NodeJS.Timeout | undefined = undefined;

  constructor(stream: ResponseStream, options: WatchWriterOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  /** Writes what came before the frames that are sent. Stops when the stream ends. */
  async writeBacklog(chunks: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of chunks) {
      if (!this.#inBacklog || this.#stream.closed) return;
      this.#stream.write(chunk);
      if (this.#stream.pendingBytes > mostPending) await this.#stream.drained();
    }
  }

  /** The backlog is complete: what has been sent meanwhile goes out, after a last frame of the backlog if there is one. */
  goLive(last?: Buffer): void {
    if (!this.#inBacklog) return;
    this.#inBacklog = false;
    if (last !== undefined) this.#queue.unshift(last);
    this.#queuedBytes += last?.length ?? 0;
    this.flush();
  }

  /** The bytes are shared: they are not changed. */
  send(frame: Buffer): void {
    if (this.#isEnded) return;
    this.#queue.push(frame);
    this.#queuedBytes += frame.length;
    if (this.#queuedBytes > budget) {
      // Too slow: the client has to start again from the last version it saw. Nobody else waits for it.
      this.#cutOff();
      return;
    }
    if (this.#inBacklog || this.#isBlocked || this.#isFlushing) return;
    this.#isFlushing = true;
    flushSoon(this);
  }

  /**
   * Ends the stream, after a last frame if there is one and after what waits. A client that does not take it in time is cut
   * off. Behind half a backlog nothing but the last frame may follow: there would be a gap.
   */
  end(last?: Buffer): void {
    if (this.#isEnded) return;
    if (this.#inBacklog) this.#queue = [];
    this.#inBacklog = false;
    if (last !== undefined) this.#queue.push(last);
    this.#isEnded = true;
    if (this.#isBlocked) this.#lastWait = setTimeout(() => this.#cutOff(), patience).unref();
    else this.flush();
  }

  /** What cannot be written cuts this stream. Other streams are flushed behind it, and nobody is there to catch it. */
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
      if (this.#stream.pendingBytes > mostPending) this.#waitForReader();
    }
    if (this.#stream.closed || (this.#isEnded && !this.#isBlocked)) this.#finish();
  }

  /** As many of the frames that wait as go well into one write. */
  #next(): Buffer {
    if (this.#options.oneByOne || this.#queuedBytes > mostPending) {
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
