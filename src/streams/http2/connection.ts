import type { Duplex } from 'node:stream';
import { frameFault, settingFault } from './frame-faults.ts';
import { type FrameHandler, type FrameHead, FrameReader } from './frame-reader.ts';
import { dependencyOf, type HeaderBlock, HeaderBlocks } from './header-blocks.ts';
import { HeaderEncoder, type ResponseHead } from './header-encoder.ts';
import {
  bytesPerControl,
  controls,
  controlsPerFrame,
  controlsPerRequest,
  maxBlockRatio,
  maxOutput,
  resets,
  streamWindow,
} from './limits.ts';
import { Output } from './output.ts';
import { defaultWindow, type ErrorCode, errorCodes, flags, frameTypes, maxWindow, settings } from './protocol.ts';
import { ReceiveWindow } from './receive-window.ts';
import type { RequestHead } from './request-head.ts';
import { RequestHeadReader } from './request-head-reader.ts';
import { Http2Stream, type StreamConnection } from './stream.ts';
import { StreamTable } from './stream-table.ts';
import { TokenBucket } from './token-bucket.ts';

/** How long a client may take to close a connection that this server has ended, in milliseconds. */
const lingerTime = 1_000;
const pingPayload = Buffer.from('keelson!', 'latin1');

export interface Http2ConnectionOptions {
  readonly maxConcurrentStreams: number;
  /** The maximum size of the headers of a request, in bytes. */
  readonly maxHeaderSize: number;
  /** How long the client may take to introduce itself, and to complete the headers of a request, in milliseconds. */
  readonly headersTimeout: number;
  /** Called for every request when its headers have arrived. Must not throw. */
  readonly onStream: (stream: Http2Stream) => void;
}

/** The server's side of an HTTP/2 connection (RFC 9113). */
export class Http2Connection implements FrameHandler, StreamConnection {
  /** No frame is read or written any more. */
  isClosed = false;
  readonly #socket: Duplex;
  readonly #options: Http2ConnectionOptions;
  readonly #reader = new FrameReader(this, { peer: 'client' });
  readonly #heads: RequestHeadReader;
  readonly #encoder = new HeaderEncoder();
  readonly #output: Output<Http2Stream>;
  readonly #streams: StreamTable;
  readonly #blocks: HeaderBlocks;
  readonly #resets = new TokenBucket(resets);
  readonly #controls = new TokenBucket(controls);
  /** The stream of the current frame of data, if its bytes are wanted. */
  #dataStream: Http2Stream | undefined = undefined;
  #dataIsLast = false;
  /** What is left of the frame when its data has been read. */
  #dataPadding = 0;
  readonly #receiveWindow: ReceiveWindow;
  #isPaused = false;
  #onPong: (() => void) | undefined = undefined;
  #linger: NodeJS.Timeout | undefined = undefined;
  #headersTimer: NodeJS.Timeout | undefined = undefined;

  constructor(socket: Duplex, options: Http2ConnectionOptions) {
    const { maxConcurrentStreams, maxHeaderSize } = options;
    this.#socket = socket;
    this.#options = options;
    this.#heads = new RequestHeadReader({ maxListSize: maxHeaderSize });
    this.#streams = new StreamTable(maxConcurrentStreams);
    this.#blocks = new HeaderBlocks(maxBlockRatio * maxHeaderSize);
    this.#output = new Output({
      socket,
      onEndSent: (stream) => this.#endSent(stream),
      onSent: (bytes) => this.#controls.earn(controlsPerFrame + bytes / bytesPerControl),
      onFlushed: () => this.#flushed(),
    });
    // Room for the window of every stream: one that is not read does not block the others.
    const window = Math.min(maxWindow, Math.max(defaultWindow, maxConcurrentStreams * streamWindow));
    this.#receiveWindow = new ReceiveWindow(window);
    this.#introduce(window);
    this.#awaitHeaders();
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    // A client that sends nothing more could not even widen a window.
    socket.on('end', () => {
      this.#cut();
      this.#endSocket();
    });
    socket.on('close', () => {
      this.#cut();
      clearTimeout(this.#linger);
      clearTimeout(this.#headersTimer);
    });
  }

  get unsentBytes(): number {
    return this.#output.unsentBytes;
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
    this.#output.frames.goAway(this.#streams.lastId, errorCodes.noError);
    this.#output.flush();
  }

  /** Whether the client has not answered the last ping yet. */
  get isPinged(): boolean {
    return this.#onPong !== undefined;
  }

  /** Calls once when the client answers. */
  ping(onPong: () => void): void {
    this.#onPong = onPong;
    if (this.isClosed) return;
    this.#output.frames.ping(pingPayload, 0);
    this.#output.flush();
  }

  // What streams call.

  writeHead(stream: Http2Stream, head: ResponseHead, { isLast }: { readonly isLast: boolean }): void {
    const block = this.#encoder.encode(head);
    const { frames, maxFrameSize } = this.#output;
    frames.headers({ id: stream.id, block, isLast, maxFrameSize });
    if (head.status >= 200) stream.hasResponded = true;
    if (isLast) {
      stream.isEnded = true;
      this.#endSent(stream);
    }
    this.#output.schedule();
  }

  send(stream: Http2Stream): void {
    this.#output.send(stream);
  }

  resetStream(stream: Http2Stream, code: ErrorCode): void {
    this.#output.frames.reset(stream.id, code);
    this.#close(stream, { isCut: !stream.isRequestComplete });
    this.#output.schedule();
  }

  widen(stream: Http2Stream, increment: number): void {
    this.#output.frames.windowUpdate(stream.id, increment);
    this.#output.schedule();
  }

  // What the reader of frames calls.

  onFrame(head: FrameHead, payload: Buffer): void {
    const fault = this.#blocks.isExpected(head) ? frameFault(head) : errorCodes.protocolError;
    if (fault !== undefined) {
      this.#fail(fault);
      return;
    }
    switch (head.type) {
      case frameTypes.headers:
        this.#onHeaders(head, payload);
        break;
      case frameTypes.continuation:
        this.#onContinuation(head, payload);
        break;
      case frameTypes.windowUpdate:
        this.#onWindowUpdate(head, payload);
        break;
      case frameTypes.reset:
        this.#onReset(head);
        break;
      case frameTypes.settings:
        this.#onSettings(head, payload);
        break;
      case frameTypes.ping:
        this.#onPing(head, payload);
        break;
      case frameTypes.priority:
        this.#onPriority(head, payload);
        break;
      // It opens no more streams, so the connection ends with the last one.
      case frameTypes.goAway:
        this.shutDown();
        break;
      default:
        this.#spend();
    }
  }

  onDataBegin(head: FrameHead): void {
    const { id, length } = head;
    this.#dataStream = undefined;
    if (!this.#blocks.isExpected(head) || id === 0) {
      this.#fail(errorCodes.protocolError);
      return;
    }
    if (!this.#receiveWindow.fits(length)) {
      this.#fail(errorCodes.flowControlError);
      return;
    }
    this.#output.acknowledge(this.#receiveWindow.take(length));
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      this.#refuseData(head);
      return;
    }
    if (stream.isRequestComplete) {
      this.#breakStream(stream, errorCodes.streamClosed);
      return;
    }
    if (length > stream.receiveWindow) {
      this.#breakStream(stream, errorCodes.flowControlError);
      return;
    }
    this.#dataIsLast = (head.flags & flags.endStream) !== 0;
    if (length === 0 && !this.#dataIsLast && !this.#spend()) return;
    stream.receiveWindow -= length;
    this.#dataStream = stream;
    this.#dataPadding = length;
  }

  onData(chunk: Buffer): void {
    const stream = this.#dataStream;
    this.#dataPadding -= chunk.length;
    if (stream === undefined || stream.isClosed || stream.receive(chunk)) return;
    this.#dataStream = undefined;
    this.#breakStream(stream, errorCodes.protocolError);
  }

  onDataEnd(): void {
    const stream = this.#dataStream;
    this.#dataStream = undefined;
    if (stream === undefined || stream.isClosed) return;
    if (this.#dataIsLast) this.#complete(stream);
    // It counts like data, but needs no memory.
    else if (this.#dataPadding > 0) stream.acknowledge(this.#dataPadding);
  }

  onBrokenFrame(code: ErrorCode): void {
    this.#fail(code);
  }

  #introduce(window: number): void {
    const { maxConcurrentStreams, maxHeaderSize } = this.#options;
    const { frames } = this.#output;
    frames.settings(
      new Map<number, number>([
        [settings.maxConcurrentStreams, maxConcurrentStreams],
        [settings.initialWindowSize, streamWindow],
        [settings.maxHeaderListSize, maxHeaderSize],
        [settings.enableConnectProtocol, 1],
      ]),
    );
    if (window > defaultWindow) frames.windowUpdate(0, window - defaultWindow);
    this.#output.flush();
  }

  #awaitHeaders(): void {
    this.#headersTimer = setTimeout(() => this.#socket.destroy(), this.#options.headersTimeout);
  }

  #receive(chunk: Buffer): void {
    if (this.isClosed) return;
    this.#output.isHeld = true;
    try {
      this.#reader.read(chunk);
    } finally {
      this.#output.release();
    }
  }

  #onHeaders(head: FrameHead, payload: Buffer): void {
    const result = this.#blocks.begin(head, payload);
    if (result === undefined) this.#awaitHeaders();
    else if ('fault' in result) this.#fail(result.fault);
    else this.#onBlock(result);
  }

  #onContinuation(head: FrameHead, payload: Buffer): void {
    const result = this.#blocks.continue(head, payload);
    if (result === undefined) return;
    if ('fault' in result) {
      this.#fail(result.fault);
    } else {
      clearTimeout(this.#headersTimer);
      this.#onBlock(result);
    }
  }

  #onBlock(block: HeaderBlock): void {
    const { id } = block;
    if (id > this.#streams.lastId) {
      if (this.#streams.isLeaving) {
        // The client was told that it will not be served. It may send it to another server.
        if (!this.#heads.skip(block.bytes)) this.#fail(errorCodes.compressionError);
        else this.#spend();
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
      this.#fail(errorCodes.compressionError);
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
    const stream = new Http2Stream({ id, head, connection: this, sendWindow: this.#output.initialWindow });
    stream.isRequestComplete = isLast;
    this.#streams.add(stream);
    this.#controls.earn(controlsPerRequest);
    this.#options.onStream(stream);
  }

  #onTrailers(stream: Http2Stream, { isLast, dependsOnItself, bytes }: HeaderBlock): void {
    const fault = this.#heads.readTrailers(bytes);
    if (fault === 'damaged') this.#fail(errorCodes.compressionError);
    else if (stream.isRequestComplete) this.#breakStream(stream, errorCodes.streamClosed);
    else if (fault !== undefined || !isLast || dependsOnItself) this.#breakStream(stream, errorCodes.protocolError);
    else this.#complete(stream);
  }

  #complete(stream: Http2Stream): void {
    if (!stream.complete()) this.#breakStream(stream, errorCodes.protocolError);
    // A tunnel whose other direction has ended before.
    else if (stream.isEnded && stream.isTunnel && stream.pendingBytes === 0) this.#close(stream, { isCut: false });
  }

  /** Headers for a stream that is closed, or was never opened. */
  #refuseLateBlock({ id, isLast, bytes }: HeaderBlock): void {
    if (!this.#heads.skip(bytes)) {
      this.#fail(errorCodes.compressionError);
    } else if (this.#streams.closed.isCut(id)) {
      if (isLast) this.#streams.closed.endCut(id);
      this.#spend();
    } else {
      this.#fail(this.#streams.closed.isEnded(id) ? errorCodes.streamClosed : errorCodes.protocolError);
    }
  }

  /** Data for a stream that is closed, or was never opened. */
  #refuseData({ id, length, flags: flag }: FrameHead): void {
    const isLast = (flag & flags.endStream) !== 0;
    if (length === 0 && !isLast && !this.#spend()) return;
    if (id > this.#streams.lastId) {
      if (!this.#streams.isLeaving || (id & 1) === 0) this.#fail(errorCodes.protocolError);
    } else if (!this.#streams.closed.isCut(id)) {
      this.#refuse(id, errorCodes.streamClosed, { isLast });
    } else if (isLast) {
      this.#streams.closed.endCut(id);
    }
  }

  #onReset({ id }: FrameHead): void {
    if (this.#streams.isIdle(id)) {
      this.#fail(errorCodes.protocolError);
      return;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) this.#streams.closed.endCut(id);
    else this.#close(stream, { isCut: false });
    if (!this.#resets.take()) this.#fail(errorCodes.enhanceYourCalm);
  }

  #onWindowUpdate({ id }: FrameHead, payload: Buffer): void {
    if (!this.#spend()) return;
    const increment = payload.readUInt32BE(0) & maxWindow;
    if (id === 0) {
      const fault = this.#output.widen(increment);
      if (fault !== undefined) this.#fail(fault);
      return;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      if (this.#streams.isIdle(id)) this.#fail(errorCodes.protocolError);
      return;
    }
    const fault = this.#output.widenStream(stream, increment);
    if (fault !== undefined) this.#breakStream(stream, fault);
  }

  #onSettings({ flags: flag, length }: FrameHead, payload: Buffer): void {
    if ((flag & flags.ack) !== 0 || !this.#spend()) return;
    if (!this.#blocks.mayCome) clearTimeout(this.#headersTimer);
    this.#blocks.mayCome = true;
    for (let at = 0; at < length && !this.isClosed; at += 6) {
      this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    }
    if (!this.isClosed) this.#output.frames.settingsAck();
  }

  #set(setting: number, value: number): void {
    const fault = settingFault(setting, value);
    if (fault !== undefined) this.#fail(fault);
    else if (setting === settings.headerTableSize) this.#encoder.setTableSize(value);
    else if (setting === settings.maxFrameSize) this.#output.maxFrameSize = value;
    else if (setting === settings.initialWindowSize) {
      const tooWide = this.#output.setInitialWindow(value, this.#streams.values());
      if (tooWide !== undefined) this.#fail(tooWide);
    }
  }

  #onPing({ flags: flag }: FrameHead, payload: Buffer): void {
    if (!this.#spend()) return;
    if ((flag & flags.ack) === 0) this.#output.frames.ping(payload, flags.ack);
    else if (payload.equals(pingPayload)) this.#answered();
  }

  #answered(): void {
    const onPong = this.#onPong;
    this.#onPong = undefined;
    onPong?.();
  }

  /** Priorities are ignored, but not frames that are wrong. */
  #onPriority({ id, length }: FrameHead, payload: Buffer): void {
    if (length === 5 && dependencyOf(payload, 0) !== id) {
      this.#spend();
      return;
    }
    const code = length === 5 ? errorCodes.protocolError : errorCodes.frameSizeError;
    const stream = this.#streams.get(id);
    if (stream === undefined) this.#fail(code);
    else this.#breakStream(stream, code);
  }

  /** Counts a frame that has nothing to do with a request. False when there are too many. */
  #spend(): boolean {
    if (this.#controls.take()) return true;
    this.#fail(errorCodes.enhanceYourCalm);
    return false;
  }

  /** Rejects a stream that is not open. */
  #refuse(id: number, code: ErrorCode, { isLast }: { readonly isLast: boolean }): void {
    if (!this.#resets.take()) {
      this.#fail(errorCodes.enhanceYourCalm);
      return;
    }
    this.#output.frames.reset(id, code);
    if (isLast) this.#streams.closed.addEnded(id);
    else this.#streams.closed.addCut(id);
  }

  /** Ends a stream because of what its client has sent. */
  #breakStream(stream: Http2Stream, code: ErrorCode): void {
    if (this.#resets.take()) this.resetStream(stream, code);
    else this.#fail(errorCodes.enhanceYourCalm);
  }

  /** A response is complete. */
  #endSent(stream: Http2Stream): void {
    if (stream.isRequestComplete) {
      this.#close(stream, { isCut: false });
    } else if (!stream.isTunnel) {
      // The client gets to know that nobody wants the rest of the body.
      this.#output.frames.reset(stream.id, errorCodes.noError);
      this.#close(stream, { isCut: true });
    }
  }

  #close(stream: Http2Stream, { isCut }: { readonly isCut: boolean }): void {
    if (stream.isQueued) this.#output.dequeue(stream);
    this.#streams.close(stream, { isCut });
  }

  #flushed(): void {
    this.#streams.tellOwners();
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

  /** A fault of the client that concerns the whole connection. */
  #fail(code: ErrorCode): void {
    if (this.isClosed) return;
    this.#output.frames.goAway(this.#streams.lastId, code);
    this.isClosed = true;
    this.#closeStreams();
    this.#output.flush();
    this.#endSocket();
  }

  #end(): void {
    this.isClosed = true;
    this.#endSocket();
  }

  /** Reads on for a moment: closing a socket with unread bytes would make the client lose the last frames. */
  #endSocket(): void {
    const socket = this.#socket;
    socket.resume();
    this.#output.end();
    this.#linger ??= setTimeout(() => socket.destroy(), lingerTime);
  }

  /** The client is gone. */
  #cut(): void {
    this.isClosed = true;
    this.#closeStreams();
    this.#output.flush();
  }

  #closeStreams(): void {
    for (const stream of this.#streams.values()) this.#close(stream, { isCut: false });
  }
}
