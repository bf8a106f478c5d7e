import type { Duplex } from 'node:stream';
import { ClientStream, type ClientStreamConnection, type ResponseReader } from './client-stream.ts';
import { frameFault, settingFault } from './frame-faults.ts';
import { type FrameHandler, type FrameHead, FrameReader } from './frame-reader.ts';
import { type HeaderBlock, HeaderBlocks } from './header-blocks.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { maxBlockRatio } from './limits.ts';
import { Output } from './output.ts';
import {
  clientPreface,
  defaultWindow,
  type ErrorCode,
  errorCodes,
  flags,
  frameTypes,
  maxWindow,
  settings,
} from './protocol.ts';
import { ReceiveWindow } from './receive-window.ts';

const pingPayload = Buffer.from('keelson?', 'latin1');

export interface ClientConnectionOptions {
  /** The maximum size of the headers of a response, in bytes. */
  readonly maxHeaderSize: number;
  /** How much of a response the server may send before its reader has acknowledged any of it. */
  readonly streamWindow: number;
  /** How much the server may send at a time. What is received is acknowledged at once. */
  readonly connectionWindow: number;
  /** The server has introduced itself: it speaks HTTP/2. */
  readonly onReady: () => void;
  /** No further request can be made on this connection. Those that are running may still be answered. */
  readonly onLeaving: () => void;
}

interface Waiting {
  readonly stream: ClientStream;
  readonly block: Buffer;
}

/**
 * The client's side of an HTTP/2 connection (RFC 9113), for servers that are trusted not to waste memory or time. The
 * socket is the caller's: this closes it only because of what the server has sent.
 */
export class ClientConnection implements FrameHandler, ClientStreamConnection {
  /** No frame is read or written any more. */
  isClosed = false;
  readonly #socket: Duplex;
  readonly #options: ClientConnectionOptions;
  readonly #reader = new FrameReader(this, { peer: 'server' });
  readonly #decoder: HeaderDecoder;
  readonly #blocks: HeaderBlocks;
  readonly #output: Output<ClientStream>;
  readonly #streams = new Map<number, ClientStream>();
  /** Requests beyond what the server takes at a time, in their order. */
  readonly #waiting: Waiting[] = [];
  #maxStreams = Number.POSITIVE_INFINITY;
  #nextId = 1;
  #isLeaving = false;
  readonly #receiveWindow: ReceiveWindow;
  /** The stream of the current frame of data, if its bytes are wanted. */
  #dataStream: ClientStream | undefined = undefined;
  #dataIsLast = false;
  /** What is left of the frame when its data has been read. */
  #dataPadding = 0;
  #onPong: (() => void) | undefined = undefined;

  constructor(socket: Duplex, options: ClientConnectionOptions) {
    const { maxHeaderSize, streamWindow, connectionWindow } = options;
    this.#socket = socket;
    this.#options = options;
    this.#decoder = new HeaderDecoder({ maxListSize: maxHeaderSize });
    this.#blocks = new HeaderBlocks(maxBlockRatio * maxHeaderSize);
    this.#receiveWindow = new ReceiveWindow(connectionWindow);
    this.#output = new Output({
      socket,
      onEndSent: () => {},
      onSent: () => {},
      onFlushed: () => {},
    });
    socket.write(clientPreface);
    const { frames } = this.#output;
    frames.settings(
      new Map<number, number>([
        [settings.enablePush, 0],
        [settings.initialWindowSize, streamWindow],
        [settings.maxHeaderListSize, maxHeaderSize],
      ]),
    );
    frames.windowUpdate(0, connectionWindow - defaultWindow);
    this.#output.flush();
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('end', () => this.close());
    socket.on('close', () => this.close());
  }

  /** Sends the headers of a request, which its body follows. The block is compressed without a table. */
  request(block: Buffer, reader: ResponseReader): ClientStream {
    const receiveWindow = this.#options.streamWindow;
    const stream = new ClientStream({ connection: this, reader, receiveWindow });
    if (this.#streams.size < this.#maxStreams) this.#open({ stream, block });
    else this.#waiting.push({ stream, block });
    return stream;
  }

  /** Calls once when the server answers. */
  ping(onPong: () => void): void {
    this.#onPong = onPong;
    if (this.isClosed) return;
    this.#output.frames.ping(pingPayload, 0);
    this.#output.flush();
  }

  /** Ends all streams. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#leave();
    // The server has not seen them.
    for (const { stream } of this.#waiting.splice(0)) this.#end(stream, errorCodes.refusedStream);
    for (const stream of this.#streams.values()) this.#end(stream, errorCodes.cancel);
  }

  // What streams call.

  send(stream: ClientStream): void {
    if (stream.id !== 0) this.#output.send(stream);
  }

  cancel(stream: ClientStream): void {
    if (stream.id === 0) {
      this.#waiting.splice(
        this.#waiting.findIndex((waiting) => waiting.stream === stream),
        1,
      );
      stream.drop();
      return;
    }
    this.#output.frames.reset(stream.id, errorCodes.cancel);
    this.#forget(stream);
    this.#output.schedule();
  }

  widen(stream: ClientStream, increment: number): void {
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
        this.#onBlock(this.#blocks.begin(head, payload));
        break;
      case frameTypes.continuation:
        this.#onBlock(this.#blocks.continue(head, payload));
        break;
      case frameTypes.windowUpdate:
        this.#onWindowUpdate(head, payload);
        break;
      case frameTypes.reset:
        this.#onReset(head, payload);
        break;
      case frameTypes.settings:
        this.#onSettings(head, payload);
        break;
      case frameTypes.ping:
        this.#onPing(head, payload);
        break;
      case frameTypes.goAway:
        this.#onGoAway(payload);
        break;
    }
  }

  onDataBegin(head: FrameHead): void {
    const { id, length } = head;
    this.#dataStream = undefined;
    if (!this.#blocks.isExpected(head) || !this.#wasOpened(id)) {
      this.#fail(errorCodes.protocolError);
      return;
    }
    if (!this.#receiveWindow.fits(length)) {
      this.#fail(errorCodes.flowControlError);
      return;
    }
    this.#output.acknowledge(this.#receiveWindow.take(length));
    const stream = this.#streams.get(id);
    // It was cancelled.
    if (stream === undefined) return;
    if (length > stream.receiveWindow) {
      this.#fail(errorCodes.flowControlError);
      return;
    }
    stream.receiveWindow -= length;
    this.#dataIsLast = (head.flags & flags.endStream) !== 0;
    this.#dataStream = stream;
    this.#dataPadding = length;
  }

  onData(chunk: Buffer): void {
    const stream = this.#dataStream;
    this.#dataPadding -= chunk.length;
    if (stream !== undefined && !stream.isClosed) stream.reader.onData(chunk);
  }

  onDataEnd(): void {
    const stream = this.#dataStream;
    this.#dataStream = undefined;
    if (stream === undefined || stream.isClosed) return;
    // It counts like data, but needs no memory.
    if (this.#dataPadding > 0) stream.acknowledge(this.#dataPadding);
    if (this.#dataIsLast) this.#complete(stream);
  }

  onBrokenFrame(code: ErrorCode): void {
    this.#fail(code);
  }

  #open({ stream, block }: Waiting): void {
    stream.id = this.#nextId;
    stream.sendWindow = this.#output.initialWindow;
    this.#nextId += 2;
    this.#streams.set(stream.id, stream);
    const { frames, maxFrameSize } = this.#output;
    frames.headers({ id: stream.id, block, isLast: false, maxFrameSize });
    if (stream.pendingBytes > 0 || stream.isEnded) this.#output.send(stream);
    else this.#output.schedule();
    // There are no further numbers.
    if (this.#nextId > maxWindow) this.#leave();
  }

  #receive(chunk: Buffer): void {
    if (this.isClosed) return;
    this.#output.isHeld = true;
    try {
      this.#reader.read(chunk);
    } finally {
      this.#output.isHeld = false;
      this.#output.schedule();
    }
  }

  #wasOpened(id: number): boolean {
    return (id & 1) === 1 && id < this.#nextId;
  }

  #onBlock(block: HeaderBlock | { readonly fault: ErrorCode } | undefined): void {
    if (block === undefined) return;
    if ('fault' in block) {
      this.#fail(block.fault);
      return;
    }
    // Decoded in any case, because later blocks refer to it.
    const fields = this.#decoder.decode(block.bytes);
    if (fields === undefined) {
      this.#fail(errorCodes.compressionError);
      return;
    }
    const stream = this.#streams.get(block.id);
    if (stream === undefined) {
      if (!this.#wasOpened(block.id)) this.#fail(errorCodes.protocolError);
    } else if (this.#decoder.isTooLarge) {
      this.#output.frames.reset(stream.id, errorCodes.enhanceYourCalm);
      this.#end(stream, errorCodes.enhanceYourCalm);
    } else {
      stream.reader.onHeaders(fields, { isLast: block.isLast });
      if (block.isLast && !stream.isClosed) this.#complete(stream);
    }
  }

  /** The server has sent everything. */
  #complete(stream: ClientStream): void {
    // It does not want the rest of the request.
    if (!stream.isEnded || stream.pendingBytes > 0) this.#output.frames.reset(stream.id, errorCodes.cancel);
    this.#end(stream, undefined);
  }

  #onReset({ id }: FrameHead, payload: Buffer): void {
    const stream = this.#streams.get(id);
    if (stream !== undefined) this.#end(stream, payload.readUInt32BE(0) as ErrorCode);
    else if (!this.#wasOpened(id)) this.#fail(errorCodes.protocolError);
  }

  #onWindowUpdate({ id }: FrameHead, payload: Buffer): void {
    const increment = payload.readUInt32BE(0) & maxWindow;
    const stream = this.#streams.get(id);
    const fault = id === 0 ? this.#output.widen(increment) : stream && this.#output.widenStream(stream, increment);
    if (fault !== undefined) this.#fail(fault);
  }

  #onSettings({ flags: flag, length }: FrameHead, payload: Buffer): void {
    if ((flag & flags.ack) !== 0) return;
    for (let at = 0; at < length && !this.isClosed; at += 6) {
      this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    }
    if (this.isClosed) return;
    this.#output.frames.settingsAck();
    if (this.#blocks.mayCome) return;
    this.#blocks.mayCome = true;
    this.#options.onReady();
  }

  #set(setting: number, value: number): void {
    let fault = settingFault(setting, value);
    if (fault === undefined && setting === settings.initialWindowSize) {
      fault = this.#output.setInitialWindow(value, this.#streams.values());
    }
    if (fault !== undefined) this.#fail(fault);
    else if (setting === settings.maxFrameSize) this.#output.maxFrameSize = value;
    else if (setting === settings.maxConcurrentStreams) {
      this.#maxStreams = value;
      this.#openWaiting();
    }
  }

  #onPing({ flags: flag }: FrameHead, payload: Buffer): void {
    if ((flag & flags.ack) === 0) {
      this.#output.frames.ping(payload, flags.ack);
      return;
    }
    const onPong = this.#onPong;
    this.#onPong = undefined;
    onPong?.();
  }

  /** Later requests than the named one have not been seen by the server. */
  #onGoAway(payload: Buffer): void {
    const lastId = payload.readUInt32BE(0) & maxWindow;
    this.#leave();
    const refused = this.#waiting.splice(0).map(({ stream }) => stream);
    for (const stream of this.#streams.values()) if (stream.id > lastId) refused.push(stream);
    for (const stream of refused) this.#end(stream, errorCodes.refusedStream);
  }

  #leave(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#options.onLeaving();
  }

  #end(stream: ClientStream, code: ErrorCode | undefined): void {
    this.#forget(stream);
    stream.reader.onClosed(code);
  }

  #forget(stream: ClientStream): void {
    if (stream.isQueued) this.#output.dequeue(stream);
    this.#streams.delete(stream.id);
    stream.drop();
    if (this.#waiting.length > 0) this.#openWaiting();
  }

  #openWaiting(): void {
    while (this.#waiting.length > 0 && this.#streams.size < this.#maxStreams) this.#open(this.#waiting.shift()!);
  }

  /** A fault of the server. */
  #fail(code: ErrorCode): void {
    if (this.isClosed) return;
    this.close();
    this.#socket.destroy(new Error(`the server broke the rules of HTTP/2 (error ${code})`));
  }
}
