import type { Duplex } from 'node:stream';
import { FrameConnection } from './frame-connection.ts';
import type { FrameHead } from './frame-reader.ts';
import { dependencyOf, type HeaderBlock } from './header-blocks.ts';
import { HeaderEncoder, type ResponseHead } from './header-encoder.ts';
import {
  bytesPerControlFrame,
  controlFrameRate,
  controlFramesPerDataFrame,
  controlFramesPerRequest,
  maxOutput,
  resetRate,
  streamWindow,
} from './limits.ts';
import { Output } from './output.ts';
import { defaultWindow, type ErrorCode, errorCodes, flags, maxStreamId, maxWindow, settings } from './protocol.ts';
import type { RequestHead } from './request-head.ts';
import { RequestHeadReader } from './request-head-reader.ts';
import { Http2Stream, type StreamConnection } from './stream.ts';
import { StreamTable } from './stream-table.ts';
import { TokenBucket } from './token-bucket.ts';

/** How long a client may take to close a connection that this server has ended, in milliseconds. */
const lingerTime = 1_000;

export interface Http2ConnectionOptions {
  readonly maxConcurrentStreams: number;
  /** The maximum size of the headers of a request, in bytes. */
  readonly maxHeaderSize: number;
  /**
   * The maximum time for the preface of the connection, for the headers of a request, and for any frame other than data,
   * in milliseconds.
   */
  readonly headersTimeout: number;
  /** Called for every request when its headers have arrived. Must not throw. */
  readonly onStream: (stream: Http2Stream) => void;
}

/** The server's side of an HTTP/2 connection (RFC 9113). */
export class Http2Connection extends FrameConnection<Http2Stream> implements StreamConnection {
  protected readonly output: Output<Http2Stream>;
  readonly #socket: Duplex;
  readonly #options: Http2ConnectionOptions;
  readonly #heads: RequestHeadReader;
  readonly #encoder = new HeaderEncoder();
  readonly #streams: StreamTable;
  readonly #resets = new TokenBucket(resetRate);
  readonly #controls = new TokenBucket(controlFrameRate);
  #isPaused = false;
  #linger: NodeJS.Timeout | undefined = undefined;
  #headersTimer: NodeJS.Timeout | undefined = undefined;
  #frameTimer: NodeJS.Timeout | undefined = undefined;
  /** The incomplete frame for which the timer runs. */
  #limitedFrame: number | undefined = undefined;

  constructor(socket: Duplex, options: Http2ConnectionOptions) {
    const { maxConcurrentStreams, maxHeaderSize } = options;
    // The window has room for the windows of all streams, so that one unread stream does not block the others.
    const window = Math.min(maxWindow, Math.max(defaultWindow, maxConcurrentStreams * streamWindow));
    super({ peer: 'client', maxHeaderSize, window });
    this.#socket = socket;
    this.#options = options;
    this.#heads = new RequestHeadReader({ maxListSize: maxHeaderSize });
    this.#streams = new StreamTable(maxConcurrentStreams);
    this.output = new Output({
      socket,
      onEndSent: (stream) => this.#endSent(stream),
      onSent: (bytes) => this.#controls.earn(controlFramesPerDataFrame + bytes / bytesPerControlFrame),
      onFlushed: () => this.#flushed(),
    });
    this.#introduce(window);
    this.#awaitHeaders();
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    // A client that has ended its side cannot enlarge any window.
    socket.on('end', () => {
      this.#disconnected();
      this.#endSocket();
    });
    socket.on('close', () => {
      this.#disconnected();
      clearTimeout(this.#linger);
      clearTimeout(this.#headersTimer);
      clearTimeout(this.#frameTimer);
    });
  }

  get unsentBytes(): number {
    return this.output.unsentBytes;
  }

  /** True while the server works on a response and the client has nothing to send or read. */
  get awaitsServer(): boolean {
    for (const { owner } of this.#streams.values()) if (owner?.awaitsServer) return true;
    return false;
  }

  /** Lets the streams finish and accepts no new ones. Closes the connection when none is left. */
  shutDown(): void {
    if (this.isClosed || this.#streams.isLeaving) return;
    this.#streams.isLeaving = true;
    this.output.frames.goAway(this.#streams.lastId, errorCodes.noError);
    this.output.flush();
  }

  /** Like `shutDown`, but also serves streams that the client opens before it learns about the shutdown. */
  shutDownGently(): void {
    if (this.isClosed || this.#streams.isLeaving || this.isPinged) return;
    this.output.frames.goAway(maxStreamId, errorCodes.noError);
    // When the response to the ping arrives, all streams that the client opened before it learned about the shutdown
    // have arrived as well.
    this.ping(() => this.shutDown());
  }

  // The methods for streams.

  writeHead(stream: Http2Stream, head: ResponseHead, { isLast }: { readonly isLast: boolean }): void {
    const length = this.#encoder.encode(head);
    const { frames, maxFrameSize } = this.output;
    frames.headers({ id: stream.id, block: this.#encoder.bytes, length, isLast, maxFrameSize });
    if (head.status >= 200) stream.hasResponded = true;
    if (isLast) {
      stream.isEnded = true;
      this.#endSent(stream);
    }
    this.output.schedule();
  }

  send(stream: Http2Stream): void {
    this.output.send(stream);
  }

  resetStream(stream: Http2Stream, code: ErrorCode): void {
    this.output.frames.reset(stream.id, code);
    this.#close(stream, { isReset: !stream.isRequestComplete });
    this.output.schedule();
  }

  updateWindow(stream: Http2Stream, increment: number): void {
    this.output.frames.windowUpdate(stream.id, increment);
    this.output.schedule();
  }

  // The methods for frames of the client.

  protected streamOf(id: number): Http2Stream | undefined {
    return this.#streams.get(id);
  }

  protected openStreams(): Iterable<Http2Stream> {
    return this.#streams.values();
  }

  protected streamForData(head: FrameHead): Http2Stream | undefined {
    const stream = this.#streams.get(head.id);
    if (stream === undefined) {
      this.#refuseData(head);
      return undefined;
    }
    if (!stream.isRequestComplete) return stream;
    this.breakStream(stream, errorCodes.streamClosed);
    return undefined;
  }

  protected onIntroduced(): void {
    clearTimeout(this.#headersTimer);
  }

  protected onSetting(setting: number, value: number): void {
    if (setting === settings.headerTableSize) this.#encoder.setTableSize(value);
  }

  /** The client opens no more streams, so the connection ends with the last one. */
  protected onGoAway(): void {
    this.shutDown();
  }

  #introduce(window: number): void {
    const { maxConcurrentStreams, maxHeaderSize } = this.#options;
    const { frames } = this.output;
    frames.settings(
      new Map<number, number>([
        [settings.maxConcurrentStreams, maxConcurrentStreams],
        [settings.initialWindowSize, streamWindow],
        [settings.maxHeaderListSize, maxHeaderSize],
        [settings.enableConnectProtocol, 1],
      ]),
    );
    if (window > defaultWindow) frames.windowUpdate(0, window - defaultWindow);
    this.output.flush();
  }

  #awaitHeaders(): void {
    this.#headersTimer = this.#limit();
  }

  protected override receive(chunk: Buffer): void {
    super.receive(chunk);
    if (this.incompleteFrame === this.#limitedFrame) return;
    this.#limitedFrame = this.incompleteFrame;
    clearTimeout(this.#frameTimer);
    if (this.#limitedFrame !== undefined) this.#frameTimer = this.#limit();
  }

  /** Ends the connection after the time for headers, unless this server itself does not read. */
  #limit(): NodeJS.Timeout {
    const timer = setTimeout(() => {
      if (this.#isPaused) timer.refresh();
      else this.#socket.destroy();
    }, this.#options.headersTimeout);
    return timer;
  }

  protected override onBlockOpened(): void {
    this.#awaitHeaders();
  }

  protected override onBlockClosed(): void {
    clearTimeout(this.#headersTimer);
  }

  protected onBlock(block: HeaderBlock): void {
    const { id } = block;
    if (id > this.#streams.lastId) {
      if (this.#streams.isLeaving) {
        // The client was informed that the stream is not processed. It may retry on another connection.
        if (!this.#heads.skip(block.bytes)) this.fail(errorCodes.compressionError);
        else this.chargeControlFrame();
        return;
      }
      this.#streams.lastId = id;
      this.#begin(block);
      return;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) this.#refuseLateBlock(block);
    else this.#onTrailers(stream, block);
  }

  #begin({ id, isLast, dependsOnItself, bytes }: HeaderBlock): void {
    const head = this.#heads.read(bytes);
    if (head === 'damaged') {
      this.fail(errorCodes.compressionError);
    } else if (this.#streams.size >= this.#options.maxConcurrentStreams) {
      this.#refuse(id, errorCodes.refusedStream, { isLast });
    } else if (head === 'large') {
      this.#refuse(id, errorCodes.enhanceYourCalm, { isLast });
    } else if (head === 'malformed' || dependsOnItself || (isLast && head.contentLength > 0)) {
      this.#refuse(id, errorCodes.protocolError, { isLast });
    } else {
      this.#open(id, head, { isLast });
    }
  }

  #open(id: number, head: RequestHead, { isLast }: { readonly isLast: boolean }): void {
    const stream = new Http2Stream({ id, head, connection: this, sendWindow: this.output.initialWindow });
    stream.isRequestComplete = isLast;
    this.#streams.add(stream);
    this.#controls.earn(controlFramesPerRequest);
    this.#options.onStream(stream);
  }

  #onTrailers(stream: Http2Stream, { isLast, dependsOnItself, bytes }: HeaderBlock): void {
    const fault = this.#heads.readTrailers(bytes);
    if (fault === 'damaged') this.fail(errorCodes.compressionError);
    else if (stream.isRequestComplete) this.breakStream(stream, errorCodes.streamClosed);
    else if (fault !== undefined || !isLast || dependsOnItself) this.breakStream(stream, errorCodes.protocolError);
    else this.complete(stream);
  }

  protected complete(stream: Http2Stream): void {
    if (!stream.complete()) this.breakStream(stream, errorCodes.protocolError);
    // The other direction of the tunnel has already ended.
    else if (stream.isEnded && stream.isTunnel && stream.pendingBytes === 0) this.#close(stream, { isReset: false });
  }

  /** Handles headers for a stream that is closed or was never opened. */
  #refuseLateBlock({ id, isLast, bytes }: HeaderBlock): void {
    if (!this.#heads.skip(bytes)) {
      this.fail(errorCodes.compressionError);
    } else if (this.#streams.closed.isReset(id)) {
      if (isLast) this.#streams.closed.removeReset(id);
      this.chargeControlFrame();
    } else {
      this.fail(this.#streams.closed.isEnded(id) ? errorCodes.streamClosed : errorCodes.protocolError);
    }
  }

  /** Handles data for a stream that is closed or was never opened. */
  #refuseData({ id, length, flags: flag }: FrameHead): void {
    const isLast = (flag & flags.endStream) !== 0;
    if (length === 0 && !isLast && !this.chargeControlFrame()) return;
    if (id > this.#streams.lastId) {
      if (!this.#streams.isLeaving || (id & 1) === 0) this.fail(errorCodes.protocolError);
    } else if (!this.#streams.closed.isReset(id)) {
      this.#refuse(id, errorCodes.streamClosed, { isLast });
    } else if (isLast) {
      this.#streams.closed.removeReset(id);
    }
  }

  protected onReset({ id }: FrameHead): void {
    if (this.#streams.isIdle(id)) {
      this.fail(errorCodes.protocolError);
      return;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) this.#streams.closed.removeReset(id);
    else this.#close(stream, { isReset: false });
    if (!this.#resets.take()) this.fail(errorCodes.enhanceYourCalm);
  }

  protected override onStrayWindow(id: number): void {
    if (this.#streams.isIdle(id)) this.fail(errorCodes.protocolError);
  }

  /** Priorities are ignored, but invalid frames are not. */
  protected override onPriority({ id, length }: FrameHead, payload: Buffer): void {
    if (length === 5 && dependencyOf(payload, 0) !== id) {
      this.chargeControlFrame();
      return;
    }
    const code = length === 5 ? errorCodes.protocolError : errorCodes.frameSizeError;
    const stream = this.#streams.get(id);
    if (stream === undefined) this.fail(code);
    else this.breakStream(stream, code);
  }

  protected override chargeControlFrame(): boolean {
    if (this.#controls.take()) return true;
    this.fail(errorCodes.enhanceYourCalm);
    return false;
  }

  /** Rejects a stream that is not open. */
  #refuse(id: number, code: ErrorCode, { isLast }: { readonly isLast: boolean }): void {
    if (!this.#resets.take()) {
      this.fail(errorCodes.enhanceYourCalm);
      return;
    }
    this.output.frames.reset(id, code);
    if (isLast) this.#streams.closed.addEnded(id);
    else this.#streams.closed.addReset(id);
  }

  protected breakStream(stream: Http2Stream, code: ErrorCode): void {
    if (this.#resets.take()) this.resetStream(stream, code);
    else this.fail(errorCodes.enhanceYourCalm);
  }

  /** Ends a stream whose response is complete. */
  #endSent(stream: Http2Stream): void {
    if (stream.isRequestComplete) {
      this.#close(stream, { isReset: false });
    } else if (!stream.isTunnel) {
      // Signals the client to stop sending the body.
      this.output.frames.reset(stream.id, errorCodes.noError);
      this.#close(stream, { isReset: true });
    }
  }

  #close(stream: Http2Stream, { isReset }: { readonly isReset: boolean }): void {
    if (stream.isQueued) this.output.dequeue(stream);
    this.#streams.close(stream, { isReset });
  }

  #flushed(): void {
    this.#streams.notifyOwners();
    if (this.isClosed) return;
    if (this.#streams.isLeaving && this.#streams.size === 0) {
      this.#end();
      return;
    }
    const isFull = this.unsentBytes > maxOutput;
    if (isFull === this.#isPaused) return;
    this.#isPaused = isFull;
    if (isFull) this.#socket.pause();
    else this.#socket.resume();
  }

  protected fail(code: ErrorCode): void {
    if (this.isClosed) return;
    this.output.frames.goAway(this.#streams.lastId, code);
    this.isClosed = true;
    this.#closeStreams();
    this.output.flush();
    this.#endSocket();
  }

  #end(): void {
    this.isClosed = true;
    this.#endSocket();
  }

  /**
   * Continues to read for a moment, because closing a socket with unread bytes would make the client lose the last
   * frames.
   */
  #endSocket(): void {
    const socket = this.#socket;
    socket.resume();
    this.output.end();
    this.#linger ??= setTimeout(() => socket.destroy(), lingerTime);
  }

  /** Closes all streams, because the client has disconnected. */
  #disconnected(): void {
    this.isClosed = true;
    this.#closeStreams();
    this.output.flush();
  }

  #closeStreams(): void {
    for (const stream of this.#streams.values()) this.#close(stream, { isReset: false });
  }
}
