import type { Duplex } from 'node:stream';
import { flushSoon } from '../turn-end.ts';
import { FrameWriter, type Segment } from './frame-writer.ts';
import { maxBatch, maxDataFrame } from './limits.ts';
import type { OutgoingData } from './outgoing-data.ts';
import { defaultMaxFrameSize, defaultWindow, type ErrorCode, errorCodes, maxWindow } from './protocol.ts';
import { returnSlab } from './slab-pool.ts';

export interface OutputOptions<Stream> {
  readonly socket: Duplex;
  /** Called when a stream has sent its last byte. */
  readonly onEndSent: (stream: Stream) => void;
  /** Called with the number of response bytes that were sent. */
  readonly onSent: (bytes: number) => void;
  /**
   * Called when everything that was written in this turn has been passed to the socket, or when the socket has sent
   * data.
   */
  readonly onFlushed: () => void;
  /** Calls the function soon. By default when the current callback ends. */
  readonly defer?: (flush: () => void) => void;
}

/**
 * The output of a connection. The frames of all its streams in one turn of the event loop are sent in one write. Data
 * is cut into frames when the windows of the peer and the socket permit it, one frame of each stream at a time, so a
 * large response does not delay small ones.
 */
export class Output<Stream extends OutgoingData> {
  readonly frames = new FrameWriter();
  /** The peer's window for all streams together. */
  #window = defaultWindow;
  /** While true, the caller flushes at the end of its work. */
  isHeld = false;
  /** The peer's window for each new stream. */
  initialWindow: number = defaultWindow;
  #maxFrameSize = defaultMaxFrameSize;
  readonly #options: OutputOptions<Stream>;
  readonly #socket: Duplex;
  /** Streams with data that their windows permit, from `#next` on. */
  readonly #queue: Stream[] = [];
  #next = 0;
  #isFilling = false;
  /** Data that was passed to the socket and has not been sent yet, in order. */
  readonly #sending: Segment[] = [];
  #inFlight = 0;
  #isScheduled = false;
  readonly #defer: (flush: () => void) => void;
  readonly #flushSoon = (): void => {
    this.#isScheduled = false;
    this.flush();
  };
  #isReleased = false;
  readonly #afterReading = {
    flush: (): void => {
      this.#isReleased = false;
      this.flush();
    },
  };
  readonly #onWritten = (error?: Error | null): void => this.#written(error);

  constructor(options: OutputOptions<Stream>) {
    this.#options = options;
    this.#socket = options.socket;
    this.#defer = options.defer ?? process.nextTick;
  }

  /** Bytes that the socket has not sent. */
  get unsentBytes(): number {
    return this.#inFlight + this.frames.length;
  }

  /** The maximum size of frames. */
  get maxFrameSize(): number {
    return this.#maxFrameSize;
  }

  /** Sets the maximum that the peer has announced. */
  set maxFrameSize(size: number) {
    this.#maxFrameSize = Math.min(size, maxDataFrame);
  }

  /** Called when a stream has data or has ended. */
  send(stream: Stream): void {
    if (stream.pendingBytes === 0) {
      this.frames.data({ id: stream.id, chunk: nothing, start: 0, end: 0, isLast: true });
      this.#options.onEndSent(stream);
    } else {
      this.enqueue(stream);
      this.#fill();
    }
    this.schedule();
  }

  /** Increases the connection window of the peer. Returns an error if the increment is invalid. */
  enlargeWindow(increment: number): ErrorCode | undefined {
    if (increment === 0) return errorCodes.protocolError;
    if (this.#window + increment > maxWindow) return errorCodes.flowControlError;
    this.#window += increment;
    this.resume();
    return undefined;
  }

  /** Increases the window of a stream. Returns an error if the increment is invalid. */
  enlargeStreamWindow(stream: Stream, increment: number): ErrorCode | undefined {
    if (increment === 0) return errorCodes.protocolError;
    if (stream.sendWindow + increment > maxWindow) return errorCodes.flowControlError;
    stream.sendWindow += increment;
    if (stream.pendingBytes > 0) {
      this.enqueue(stream);
      this.resume();
    }
    return undefined;
  }

  /**
   * Sets the initial window of streams that the peer has announced. This also changes the windows of open streams,
   * which may become negative. Returns an error if a window becomes invalid.
   */
  setInitialWindow(size: number, streams: Iterable<Stream>): ErrorCode | undefined {
    const change = size - this.initialWindow;
    this.initialWindow = size;
    for (const stream of streams) {
      stream.sendWindow += change;
      if (stream.sendWindow > maxWindow) return errorCodes.flowControlError;
      if (stream.pendingBytes > 0) this.enqueue(stream);
    }
    this.resume();
    return undefined;
  }

  /** Allows the peer to send more data on the connection. */
  acknowledge(increment: number): void {
    if (increment > 0) this.frames.windowUpdate(0, increment);
  }

  /** Called when a window has become larger. */
  resume(): void {
    this.#fill();
    this.schedule();
  }

  enqueue(stream: Stream): void {
    if (stream.isQueued || stream.sendWindow <= 0) return;
    stream.isQueued = true;
    this.#queue.push(stream);
  }

  /**
   * Ends the period of `isHeld`. Flushes when the received data of all connections has been read, and their requests
   * have begun.
   */
  release(): void {
    this.isHeld = false;
    if (this.#isReleased) return;
    this.#isReleased = true;
    flushSoon(this.#afterReading);
  }

  /** Flushes soon, together with what is written until then. */
  schedule(): void {
    if (this.isHeld || this.#isReleased || this.#isScheduled) return;
    this.#isScheduled = true;
    this.#defer(this.#flushSoon);
  }

  flush(): void {
    // One write at a time: while the socket is busy, output is collected for the next write.
    const isReady = this.#sending.length === 0 && !this.#socket.destroyed && !this.#socket.writableEnded;
    if (isReady && this.frames.length > 0) this.#write();
    this.#options.onFlushed();
  }

  /** Ends the socket after everything that was written. */
  end(): void {
    const socket = this.#socket;
    if (this.frames.length > 0 && !socket.destroyed && !socket.writableEnded) this.#write();
    socket.end();
  }

  /** Removes a closed stream from the queue. */
  dequeue(stream: Stream): void {
    stream.isQueued = false;
    this.#queue.splice(this.#queue.indexOf(stream, this.#next), 1);
  }

  /** Puts data into frames as long as the windows and the budget allow it. */
  #fill(): void {
    // A writer that is notified about sent data may write more synchronously.
    if (this.#isFilling) return;
    this.#isFilling = true;
    const queue = this.#queue;
    while (this.#next < queue.length && this.#window > 0 && this.frames.length < maxBatch) {
      const stream = queue[this.#next++]!;
      stream.isQueued = false;
      if (!stream.isClosed) this.#sendFrame(stream);
    }
    queue.splice(0, this.#next);
    this.#next = 0;
    this.#isFilling = false;
  }

  #sendFrame(stream: Stream): void {
    const { chunk, offset } = stream;
    const allowed = Math.min(this.#maxFrameSize, stream.sendWindow, this.#window);
    // The window was reduced after the stream was queued.
    if (chunk === undefined || allowed <= 0) return;
    const end = Math.min(chunk.length, offset + allowed);
    const length = end - offset;
    const isLast = stream.isEnded && length === stream.pendingBytes;
    this.frames.data({ id: stream.id, chunk, start: offset, end, isLast });
    this.#window -= length;
    this.#options.onSent(length);
    stream.advance(length);
    if (isLast) this.#options.onEndSent(stream);
    else if (stream.pendingBytes > 0) this.enqueue(stream);
  }

  #write(): void {
    const socket = this.#socket;
    const segments = this.frames.takeAll();
    if (segments.length > 1) socket.cork();
    for (const segment of segments) {
      const { slab, length } = segment;
      this.#inFlight += length;
      this.#sending.push(segment);
      socket.write(length === slab.length ? slab : slab.subarray(0, length), this.#onWritten);
    }
    if (segments.length > 1) socket.uncork();
  }

  #written(error: Error | null | undefined): void {
    const { slab, length } = this.#sending.shift()!;
    this.#inFlight -= length;
    // After an error, the socket may still read the slab, so it is not reused.
    if (error) return;
    returnSlab(slab);
    if (this.#queue.length > 0) this.#fill();
    this.flush();
  }
}

const nothing = Buffer.alloc(0);
