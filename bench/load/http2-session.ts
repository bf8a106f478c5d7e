import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { StatusReader } from './hpack.ts';
import { type Frame, FrameReader, frame, frameFlag, frameType, settings, windowUpdate } from './http2-frames.ts';
import { openSocket } from './load-connection.ts';
import type { SlowReading, Target } from './load-plan.ts';

export interface Windows {
  readonly stream: number;
  readonly connection: number;
}

/** The flow-control windows of Go's HTTP/2 client, which kubectl and controllers use. */
const goWindows: Windows = { stream: 4 * 1024 * 1024, connection: 1024 * 1024 * 1024 };
const initialWindow = 65_535;
const setting = { enablePush: 2, initialWindowSize: 4 } as const;

/** Callbacks for the streams of a session. */
export interface Http2Handler {
  /** The status is 0 for trailers. */
  onHeaders(stream: number, flags: number, status: number): void;
  /** The payload is valid only during the call. */
  onData(stream: number, flags: number, payload: Buffer): void;
  /** The server's flow-control window has grown. */
  onWindow(): void;
  /** Not called after `close`. */
  onError(error: Error): void;
}

export interface Http2SessionOptions {
  readonly target: Target;
  readonly handler: Http2Handler;
  readonly slowReading?: SlowReading | undefined;
  /** The connection below TLS. A new one is opened if it is omitted. */
  readonly transport?: Duplex | undefined;
  readonly windows?: Windows | undefined;
}

/** The client side of one HTTP/2 connection: frames, settings, pings and flow control. */
export class Http2Session {
  readonly #handler: Http2Handler;
  readonly #windows: Windows;
  readonly #frames = new FrameReader((received) => this.#onFrame(received));
  readonly #statuses = new StatusReader();
  #socket!: TLSSocket;
  #closed = false;
  #nextStream = 1;
  /** The remaining size of the server's flow-control window for our bodies. */
  #sendWindow = initialWindow;
  #unacknowledged = 0;
  /** Frames to send in one write after all received bytes are processed: one TLS record for many requests. */
  #outgoing: Buffer[] = [];
  #isReading = false;

  private constructor(handler: Http2Handler, windows: Windows) {
    this.#handler = handler;
    this.#windows = windows;
  }

  static async open(options: Http2SessionOptions): Promise<Http2Session> {
    const { target, handler, slowReading, transport, windows = goWindows } = options;
    const session = new Http2Session(handler, windows);
    session.#socket = await openSocket({
      target,
      protocol: 'h2',
      slowReading,
      transport,
      onBytes: (bytes) => session.#read(bytes),
      onError: (error) => session.#fail(error),
    });
    session.send(
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      settings(
        new Map([
          [setting.enablePush, 0],
          [setting.initialWindowSize, windows.stream],
        ]),
      ),
      windowUpdate(0, windows.connection - initialWindow),
    );
    return session;
  }

  /** Returns the number of a new stream for a body of this length, or undefined when the window is too small for it. */
  newStream(bodyLength: number): number | undefined {
    if (this.#sendWindow < bodyLength) return undefined;
    this.#sendWindow -= bodyLength;
    const stream = this.#nextStream;
    this.#nextStream += 2;
    return stream;
  }

  send(...frames: Buffer[]): void {
    this.#outgoing.push(...frames);
    if (!this.#isReading) this.#flush();
  }

  /** Returns received bytes to the stream's window once they are worth a frame. Returns the number still pending. */
  returnCredit(stream: number, bytes: number): number {
    if (bytes <= this.#windows.stream / 4) return bytes;
    this.send(windowUpdate(stream, bytes));
    return 0;
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    if (!this.#closed) this.#handler.onError(error);
  }

  #flush(): void {
    if (this.#outgoing.length === 0 || this.#closed) return;
    this.#socket.write(this.#outgoing.length === 1 ? this.#outgoing[0]! : Buffer.concat(this.#outgoing));
    this.#outgoing = [];
  }

  #read(bytes: Buffer): void {
    this.#isReading = true;
    this.#frames.read(bytes);
    this.#isReading = false;
    this.#flush();
  }

  #onFrame({ type, flags, stream, payload }: Frame): void {
    if (type === frameType.data) this.#onData(stream, flags, payload);
    else if (type === frameType.headers) this.#onHeaders(stream, flags, payload);
    else if (type === frameType.windowUpdate && stream === 0) {
      this.#sendWindow += payload.readUInt32BE();
      this.#handler.onWindow();
    } else if (type === frameType.settings && !(flags & frameFlag.ack)) {
      this.send(frame({ type, flags: frameFlag.ack, stream: 0 }));
    } else if (type === frameType.ping && !(flags & frameFlag.ack)) {
      this.send(frame({ type, flags: frameFlag.ack, stream: 0 }, payload));
    } else if (type === frameType.reset) this.#fail(new Error(`stream reset, code ${payload.readUInt32BE()}`));
    else if (type === frameType.goAway) {
      this.#fail(new Error(`the server ends the connection, code ${payload.readUInt32BE(4)}`));
    }
  }

  #onHeaders(stream: number, flags: number, payload: Buffer): void {
    const plain = flags & frameFlag.endHeaders && !(flags & (frameFlag.padded | frameFlag.priority));
    if (plain) this.#handler.onHeaders(stream, flags, this.#statuses.read(payload));
    else this.#fail(new Error('an HTTP/2 header frame of a kind that the load generator does not read'));
  }

  #onData(stream: number, flags: number, payload: Buffer): void {
    this.#unacknowledged += payload.length;
    if (this.#unacknowledged > this.#windows.connection / 2) {
      this.send(windowUpdate(0, this.#unacknowledged));
      this.#unacknowledged = 0;
    }
    this.#handler.onData(stream, flags, payload);
  }
}
