import type { Duplex } from 'node:stream';
import {
  dataHead,
  defaultWindow,
  FrameReader,
  flagFin,
  flagUnidirectional,
  frameTypes,
  goAway,
  goAwayStatus,
  idMask,
  initialWindow,
  ping,
  resetStatus,
  rstStream,
  settingInitialWindow,
  synReply,
  synStream,
  windowUpdate,
} from './frames.ts';
import { HeaderReader, HeaderWriter, type SpdyHeaders } from './header-blocks.ts';
import { SpdyError } from './spdy-error.ts';
import { SpdyStream, type SpdyStreamConnection } from './spdy-stream.ts';

/** Limits the bytes that are buffered for a peer. */
const maxControlBytes = 64 * 1024;
const maxHeaderBytes = 64 * 1024;
/** Control frames that answer the peer. More are pending only when it sends and does not read. */
const maxPendingBytes = 1024 * 1024;
/** Large frames of one stream would delay the others. */
const maxDataBytes = 64 * 1024;
const maxWindow = 2 ** 31 - 1;
/** How long a peer may take to read the last bytes. */
const closeTimeoutMs = 10_000;

export interface SpdyConnectionOptions {
  readonly role: 'client' | 'server';
  /**
   * Called with each stream that the peer opens. It must `reply` or be destroyed. Without this callback, all streams
   * are refused.
   */
  readonly onStream?: (stream: SpdyStream) => void;
  /** The maximum number of streams that the peer may have open. */
  readonly maxStreams?: number;
  /**
   * The receive window of each stream, announced to the peer in bytes. By default none is announced: the implementation
   * that nearly all peers use does not support windows.
   */
  readonly window?: number;
  /** Sends a PING at this interval, so that proxies do not close the connection as idle. */
  readonly pingIntervalMs?: number;
}

/**
 * A SPDY/3.1 connection. Send windows apply only after the peer has shown that it supports them, by a SETTINGS or
 * WINDOW_UPDATE frame, because most peers never enlarge theirs. With a peer without windows, the whole connection waits
 * while a stream is full.
 */
export class SpdyConnection {
  /** Resolves when the connection is closed, with the error if there was one. */
  readonly closed: Promise<Error | undefined>;
  readonly #socket: Duplex;
  readonly #options: SpdyConnectionOptions;
  readonly #streams = new Map<number, SpdyStream>();
  readonly #full = new Set<SpdyStream>();
  /** Streams with data for which the connection has no room. */
  readonly #waiting = new Set<SpdyStream>();
  readonly #headerWriter = new HeaderWriter();
  readonly #headerReader = new HeaderReader({ maxBytes: maxHeaderBytes });
  readonly #reader: FrameReader;
  readonly #carrier: SpdyStreamConnection;
  readonly #pings: NodeJS.Timeout | undefined;
  #peerHasWindows = false;
  #peerInitialWindow = defaultWindow;
  #sendWindow = defaultWindow;
  /** The number of bytes received on the whole connection since the last window update. */
  #received = 0;
  #nextId: number;
  #nextPing: number;
  #lastPeerId = 0;
  #isGoingAway = false;
  #isClosing = false;
  #error: Error | undefined;

  constructor(socket: Duplex, options: SpdyConnectionOptions) {
    const { role, window, pingIntervalMs } = options;
    this.#socket = socket;
    this.#options = options;
    this.#nextId = role === 'client' ? 1 : 2;
    this.#nextPing = this.#nextId;
    this.#reader = new FrameReader(
      {
        data: (id, flags, chunk) => this.#onData(id, flags, chunk),
        control: (type, flags, payload) => this.#onControl(type, flags, payload),
        refuse: (problem) => {
          throw new SpdyError(problem);
        },
      },
      { maxControlBytes },
    );
    this.#carrier = {
      sendData: (stream, bytes) => this.#sendData(stream, bytes),
      sendFin: (stream) => this.#send(dataHead(stream.id, flagFin, 0)),
      sendReply: (stream, headers) => this.#send(synReply(stream.id, 0, this.#headerWriter.write(headers))),
      sendReset: (stream) => this.#send(rstStream(stream.id, resetStatus.cancel)),
      taken: (stream, size) => this.#onTaken(stream, size),
      forget: (stream) => this.#forget(stream),
    };
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#end(this.#error ?? new SpdyError('the connection was closed'));
        resolve(this.#error);
      });
    });
    socket.on('error', (error) => this.destroy(error));
    socket.on('drain', () => this.#onDrain());
    socket.on('end', () => socket.end());
    socket.on('data', (bytes: Buffer) => this.#onBytes(bytes));
    if (window !== undefined) this.#send(initialWindow(window));
    if (pingIntervalMs !== undefined) {
      this.#pings = setInterval(() => this.#ping(), pingIntervalMs);
      this.#pings.unref();
    }
  }

  /** Opens a stream. Written data waits for the reply. Throws a SpdyError when the connection is closing. */
  open(headers: SpdyHeaders): SpdyStream {
    if (this.#isGoingAway || this.#socket.destroyed) throw new SpdyError('the connection is closing');
    const id = this.#nextId;
    if (id > idMask) throw new SpdyError('the connection has no stream ids left');
    this.#nextId += 2;
    const stream = this.#newStream(id, { headers, isOwn: true });
    this.#send(synStream(id, 0, this.#headerWriter.write(headers)));
    return stream;
  }

  /**
   * Ends the connection after all written data. Received data is dropped until the peer ends it as well: closing the
   * connection with unread bytes would reset it, and the peer would lose data that it has not read.
   */
  close(): void {
    if (this.#isClosing || this.#socket.destroyed) return;
    this.#goAway(goAwayStatus.ok);
    this.#isClosing = true;
    const timer = setTimeout(() => this.#socket.destroy(), closeTimeoutMs);
    this.#socket.once('close', () => clearTimeout(timer));
    this.#socket.end();
    this.#socket.resume();
  }

  /** Ends the connection and all its streams at once. */
  destroy(error?: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #end(error: Error): void {
    clearInterval(this.#pings);
    this.#isGoingAway = true;
    for (const stream of [...this.#streams.values()]) stream.fail(error);
  }

  #onBytes(bytes: Buffer): void {
    if (this.#error !== undefined || this.#isClosing) return;
    try {
      this.#reader.read(bytes);
      if (this.#socket.writableLength > maxPendingBytes) throw new SpdyError('the peer does not read');
    } catch (error) {
      this.#goAway(goAwayStatus.protocolError);
      this.destroy(error as Error);
    }
  }

  #onData(id: number, flags: number, chunk: Buffer): void {
    this.#enlargeConnection(chunk.length);
    const stream = this.#streams.get(id);
    // The stream was reset here. Data that the peer had sent before may still arrive.
    if (stream === undefined) return;
    const isReady = chunk.length === 0 || stream.acceptData(chunk);
    const { window } = this.#options;
    if (this.#peerHasWindows && window !== undefined) {
      if (stream.received > window) this.#reset(stream, resetStatus.flowControlError);
    } else if (!isReady) {
      this.#full.add(stream);
      this.#socket.pause();
    }
    if ((flags & flagFin) !== 0) stream.acceptFin();
  }

  #onControl(type: number, flags: number, payload: Buffer): void {
    switch (type) {
      case frameTypes.synStream:
        this.#onSynStream(flags, payload);
        return;
      case frameTypes.synReply:
      case frameTypes.headers:
        this.#onHeaders(type, flags, payload);
        return;
      case frameTypes.rstStream:
        requireSize(payload, 8);
        this.#onReset(payload);
        return;
      case frameTypes.settings:
        this.#onSettings(payload);
        return;
      case frameTypes.ping: {
        requireSize(payload, 4);
        const id = payload.readUInt32BE();
        if (id % 2 !== this.#nextPing % 2) this.#send(ping(id));
        return;
      }
      case frameTypes.goAway:
        this.#isGoingAway = true;
        return;
      case frameTypes.windowUpdate:
        requireSize(payload, 8);
        this.#onWindowUpdate(payload);
        return;
    }
    // Frames of unknown types must be ignored.
  }

  #onSynStream(flags: number, payload: Buffer): void {
    requireSize(payload, 10);
    const id = payload.readUInt32BE() & idMask;
    // The block is also read for a refused stream, to keep the compression state.
    const headers = this.#headerReader.read(payload.subarray(10));
    if (id % 2 === this.#nextId % 2 || id <= this.#lastPeerId) throw new SpdyError(`stream id ${id} is not valid`);
    this.#lastPeerId = id;
    const { onStream, maxStreams = 1000 } = this.#options;
    if (onStream === undefined || this.#isGoingAway || this.#streams.size >= maxStreams) {
      this.#send(rstStream(id, resetStatus.refusedStream));
      return;
    }
    const stream = this.#newStream(id, { headers, isOwn: false });
    if ((flags & flagFin) !== 0) stream.acceptFin();
    if ((flags & flagUnidirectional) !== 0) stream.end();
    onStream(stream);
  }

  #onHeaders(type: number, flags: number, payload: Buffer): void {
    requireSize(payload, 4);
    this.#headerReader.read(payload.subarray(4));
    const stream = this.#streams.get(payload.readUInt32BE() & idMask);
    if (type === frameTypes.synReply) stream?.acceptReply();
    if ((flags & flagFin) !== 0) stream?.acceptFin();
  }

  #onReset(payload: Buffer): void {
    const stream = this.#streams.get(payload.readUInt32BE() & idMask);
    stream?.acceptReset(new SpdyError(`the peer reset the stream with status ${payload.readUInt32BE(4)}`));
  }

  #onSettings(payload: Buffer): void {
    requireSize(payload, 4);
    const count = payload.readUInt32BE();
    requireSize(payload, 4 + count * 8);
    for (let at = 4; at < 4 + count * 8; at += 8) {
      if ((payload.readUInt32BE(at) & 0xffffff) !== settingInitialWindow) continue;
      const size = payload.readUInt32BE(at + 4) & maxWindow;
      this.#peerHasWindows = true;
      for (const stream of this.#streams.values()) stream.sendWindow += size - this.#peerInitialWindow;
      this.#peerInitialWindow = size;
      this.#sendAllPending();
    }
  }

  #onWindowUpdate(payload: Buffer): void {
    const id = payload.readUInt32BE() & idMask;
    const size = payload.readUInt32BE(4) & maxWindow;
    this.#peerHasWindows = true;
    if (id === 0) {
      this.#sendWindow += size;
      this.#sendAllPending();
      return;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    stream.sendWindow += size;
    if (stream.sendWindow > maxWindow) this.#reset(stream, resetStatus.flowControlError);
    else stream.sendPending();
  }

  #sendAllPending(): void {
    for (const stream of [...this.#streams.values()]) stream.sendPending();
  }

  #newStream(id: number, options: { readonly headers: SpdyHeaders; readonly isOwn: boolean }): SpdyStream {
    const stream = new SpdyStream(this.#carrier, { id, ...options, sendWindow: this.#peerInitialWindow });
    // Users of the stream get errors as well. This handler only prevents an unused stream from ending the process.
    stream.on('error', () => {});
    this.#streams.set(id, stream);
    return stream;
  }

  #reset(stream: SpdyStream, status: number): void {
    this.#send(rstStream(stream.id, status));
    stream.fail(new SpdyError(`the stream was reset with status ${status}`));
  }

  #forget(stream: SpdyStream): void {
    this.#streams.delete(stream.id);
    this.#waiting.delete(stream);
    this.#resumeAfter(stream);
  }

  /** Called when the reader of a stream requests more data. */
  #onTaken(stream: SpdyStream, size: number): void {
    this.#resumeAfter(stream);
    if (this.#options.window === undefined || size === 0) return;
    this.#send(windowUpdate(stream.id, size));
  }

  /** Acknowledges received data of the connection immediately. The windows of the streams limit the data. */
  #enlargeConnection(size: number): void {
    if (this.#options.window === undefined) return;
    this.#received += size;
    if (this.#received < defaultWindow / 2) return;
    this.#send(windowUpdate(0, this.#received));
    this.#received = 0;
  }

  #resumeAfter(stream: SpdyStream): void {
    if (this.#full.delete(stream) && this.#full.size === 0) this.#socket.resume();
  }

  #sendData(stream: SpdyStream, bytes: Buffer): number {
    let sent = 0;
    while (sent < bytes.length) {
      if (this.#socket.writableNeedDrain) {
        this.#waiting.add(stream);
        break;
      }
      const size = Math.min(bytes.length - sent, maxDataBytes, this.#allowed(stream));
      if (size <= 0) break;
      this.#socket.cork();
      this.#send(dataHead(stream.id, 0, size));
      this.#send(bytes.subarray(sent, sent + size));
      this.#socket.uncork();
      sent += size;
      if (!this.#peerHasWindows) continue;
      stream.sendWindow -= size;
      this.#sendWindow -= size;
    }
    return sent;
  }

  #allowed(stream: SpdyStream): number {
    return this.#peerHasWindows ? Math.min(stream.sendWindow, this.#sendWindow) : maxDataBytes;
  }

  #send(bytes: Buffer): void {
    if (!this.#socket.destroyed && !this.#socket.writableEnded) this.#socket.write(bytes);
  }

  /** Streams send in turn: a stream that sent data and has more goes to the end of the queue. */
  #onDrain(): void {
    for (const stream of [...this.#waiting]) {
      if (this.#socket.writableNeedDrain) return;
      this.#waiting.delete(stream);
      stream.sendPending();
    }
  }

  #ping(): void {
    if (this.#socket.writableLength > 0) return;
    this.#send(ping(this.#nextPing));
    this.#nextPing = (this.#nextPing + 2) & idMask;
  }

  #goAway(status: number): void {
    this.#isGoingAway = true;
    this.#send(goAway(this.#lastPeerId, status));
  }
}

function requireSize(payload: Buffer, size: number): void {
  if (payload.length < size) throw new SpdyError('a control frame is too short');
}
