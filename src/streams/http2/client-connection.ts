import type { Duplex } from 'node:stream';
import { IdMap } from '../../meta/id-map.ts';
import { ClientStream, type ClientStreamConnection, type ResponseReader } from './client-stream.ts';
import { FrameConnection } from './frame-connection.ts';
import type { FrameHead } from './frame-reader.ts';
import type { HeaderBlock } from './header-blocks.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { Output } from './output.ts';
import { clientPreface, defaultWindow, type ErrorCode, errorCodes, maxWindow, settings } from './protocol.ts';

export interface ClientConnectionOptions {
  /** The maximum size of the headers of a response, in bytes. */
  readonly maxHeaderSize: number;
  /** How much of a response the server may send before its reader has acknowledged any of it. */
  readonly streamWindow: number;
  /** The connection window for the server. Received data is acknowledged at once. */
  readonly connectionWindow: number;
  /** Called when the settings of the server have arrived, which shows that it speaks HTTP/2. */
  readonly onReady: () => void;
  /** Called when no further request can be made on this connection. Running requests may still get a response. */
  readonly onLeaving: () => void;
}

interface Waiting {
  readonly stream: ClientStream;
  readonly block: Buffer;
}

/**
 * The client's side of an HTTP/2 connection (RFC 9113), for servers that are trusted not to waste memory or time. The
 * caller owns the socket. This class closes it only in reaction to frames of the server.
 */
export class ClientConnection extends FrameConnection<ClientStream> implements ClientStreamConnection {
  protected readonly output: Output<ClientStream>;
  readonly #socket: Duplex;
  readonly #options: ClientConnectionOptions;
  readonly #decoder: HeaderDecoder;
  readonly #streams = new IdMap<ClientStream>();
  /** Requests beyond the server's limit of concurrent streams, in order. */
  readonly #waiting: Waiting[] = [];
  #maxStreams = Number.POSITIVE_INFINITY;
  #nextId = 1;
  #isLeaving = false;

  constructor(socket: Duplex, options: ClientConnectionOptions) {
    const { maxHeaderSize, streamWindow, connectionWindow } = options;
    super({ peer: 'server', maxHeaderSize, window: connectionWindow });
    this.#socket = socket;
    this.#options = options;
    this.#decoder = new HeaderDecoder({ maxListSize: maxHeaderSize });
    this.output = new Output({
      socket,
      onEndSent: () => {},
      onSent: () => {},
      onFlushed: () => {},
      // Requests that are made in one turn of the event loop are sent in one write.
      defer: setImmediate,
    });
    socket.write(clientPreface);
    const { frames } = this.output;
    frames.settings(
      new Map<number, number>([
        [settings.enablePush, 0],
        [settings.initialWindowSize, streamWindow],
        [settings.maxHeaderListSize, maxHeaderSize],
      ]),
    );
    frames.windowUpdate(0, connectionWindow - defaultWindow);
    this.output.flush();
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('end', () => this.close());
    socket.on('close', () => this.close());
  }

  /** Whether a request would be sent at once. */
  get hasRoom(): boolean {
    return this.#streams.size < this.#maxStreams;
  }

  /** Sends the headers of a request, which its body follows. The block is compressed without a table. */
  request(block: Buffer, reader: ResponseReader): ClientStream {
    const receiveWindow = this.#options.streamWindow;
    const stream = new ClientStream({ connection: this, reader, receiveWindow });
    if (this.hasRoom) this.#open({ stream, block });
    else this.#waiting.push({ stream, block });
    return stream;
  }

  /** Sends everything now, instead of at the end of this turn of the event loop. */
  flush(): void {
    this.output.flush();
  }

  /** Ends all streams. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#leave();
    // The server has not received these requests.
    for (const { stream } of this.#waiting.splice(0)) this.#end(stream, errorCodes.refusedStream);
    for (const stream of this.#streams.values()) this.#end(stream, errorCodes.cancel);
  }

  // The methods for streams.

  send(stream: ClientStream): void {
    if (stream.id !== 0) this.output.send(stream);
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
    this.output.frames.reset(stream.id, errorCodes.cancel);
    this.#forget(stream);
    this.output.schedule();
  }

  updateWindow(stream: ClientStream, increment: number): void {
    this.output.frames.windowUpdate(stream.id, increment);
    this.output.schedule();
  }

  // The methods for frames of the server.

  protected streamOf(id: number): ClientStream | undefined {
    return this.#streams.get(id);
  }

  protected openStreams(): Iterable<ClientStream> {
    return this.#streams.values();
  }

  /** Data may still arrive for a cancelled stream. */
  protected streamForData({ id }: FrameHead): ClientStream | undefined {
    if (!this.#wasOpened(id)) this.fail(errorCodes.protocolError);
    return this.#streams.get(id);
  }

  protected onIntroduced(): void {
    this.#options.onReady();
  }

  protected onSetting(setting: number, value: number): void {
    if (setting !== settings.maxConcurrentStreams) return;
    this.#maxStreams = value;
    this.#openWaiting();
  }

  /** A server that breaks the rules for one stream may break them for all. */
  protected breakStream(_stream: ClientStream, code: ErrorCode): void {
    this.fail(code);
  }

  #open({ stream, block }: Waiting): void {
    stream.id = this.#nextId;
    stream.sendWindow = this.output.initialWindow;
    this.#nextId += 2;
    this.#streams.set(stream.id, stream);
    const { frames, maxFrameSize } = this.output;
    frames.headers({ id: stream.id, block, length: block.length, isLast: false, maxFrameSize });
    if (stream.pendingBytes > 0 || stream.isEnded) this.output.send(stream);
    else this.output.schedule();
    // No stream ids are left.
    if (this.#nextId > maxWindow) this.#leave();
  }

  #wasOpened(id: number): boolean {
    return (id & 1) === 1 && id < this.#nextId;
  }

  protected onBlock(block: HeaderBlock): void {
    // Decoded in any case, because later blocks refer to the table entries of this one.
    const fields = this.#decoder.decode(block.bytes);
    if (fields === undefined) {
      this.fail(errorCodes.compressionError);
      return;
    }
    const stream = this.#streams.get(block.id);
    if (stream === undefined) {
      if (!this.#wasOpened(block.id)) this.fail(errorCodes.protocolError);
    } else if (this.#decoder.isTooLarge) {
      this.output.frames.reset(stream.id, errorCodes.enhanceYourCalm);
      this.#end(stream, errorCodes.enhanceYourCalm);
    } else {
      stream.reader.onHeaders(fields, { isLast: block.isLast });
      if (block.isLast && !stream.isClosed) this.complete(stream);
    }
  }

  protected complete(stream: ClientStream): void {
    // The server does not need the rest of the request.
    if (!stream.isEnded || stream.pendingBytes > 0) this.output.frames.reset(stream.id, errorCodes.cancel);
    this.#end(stream, undefined);
  }

  protected onReset({ id }: FrameHead, payload: Buffer): void {
    const stream = this.#streams.get(id);
    if (stream !== undefined) this.#end(stream, payload.readUInt32BE(0) as ErrorCode);
    else if (!this.#wasOpened(id)) this.fail(errorCodes.protocolError);
  }

  /** The server has not processed requests after the named one. */
  protected onGoAway(payload: Buffer): void {
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
    if (stream.isQueued) this.output.dequeue(stream);
    this.#streams.delete(stream.id);
    stream.drop();
    if (this.#waiting.length > 0) this.#openWaiting();
  }

  #openWaiting(): void {
    while (this.#waiting.length > 0 && this.#streams.size < this.#maxStreams) this.#open(this.#waiting.shift()!);
  }

  protected fail(code: ErrorCode): void {
    if (this.isClosed) return;
    this.close();
    this.#socket.destroy(new Error(`the server violated the HTTP/2 protocol (error ${code})`));
  }
}
