import type { TLSSocket } from 'node:tls';
import { StatusReader } from './hpack.ts';
import { type Frame, FrameReader, frame, frameFlag, frameType, settings, windowUpdate } from './http2-frames.ts';
import { Http2Request } from './http2-request.ts';
import { type LoadConnection, type LoadConnectionOptions, openSocket, refused } from './load-connection.ts';

/** The windows that Go's client, which is what kubectl and controllers use, gives to a server. */
const streamWindow = 4 * 1024 * 1024;
const connectionWindow = 1024 * 1024 * 1024;
const initialWindow = 65_535;
const setting = { enablePush: 2, initialWindowSize: 4 } as const;

interface Exchange {
  startedAt: number;
  status: number;
  bodyBytes: number;
  /** Received and not yet given back to the stream's window. */
  unacknowledged: number;
  errorBody: string;
}

/** One HTTP/2 connection with any number of requests in flight. */
export class Http2Connection implements LoadConnection {
  readonly #options: LoadConnectionOptions;
  readonly #request: Http2Request;
  readonly #frames = new FrameReader((received) => this.#onFrame(received));
  readonly #statuses = new StatusReader();
  readonly #exchanges = new Map<number, Exchange>();
  #socket!: TLSSocket;
  #closed = false;
  #nextStream = 1;
  /** How much of our bodies the server is ready to take. */
  #sendWindow = initialWindow;
  #waiting = 0;
  #unacknowledged = 0;
  /** Frames that leave in one write when all that has been read is dealt with: one TLS record for many requests. */
  #outgoing: Buffer[] = [];
  #isReading = false;

  private constructor(options: LoadConnectionOptions) {
    this.#options = options;
    this.#request = new Http2Request(options.target, options.request);
  }

  static async open(options: LoadConnectionOptions): Promise<Http2Connection> {
    const connection = new Http2Connection(options);
    connection.#socket = await openSocket({
      target: options.target,
      protocol: 'h2',
      onBytes: (bytes) => connection.#read(bytes),
      onError: (error) => connection.#fail(error),
    });
    connection.#send(
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      settings(
        new Map([
          [setting.enablePush, 0],
          [setting.initialWindowSize, streamWindow],
        ]),
      ),
      windowUpdate(0, connectionWindow - initialWindow),
    );
    return connection;
  }

  start(): void {
    if (this.#sendWindow < this.#request.bodyLength) {
      this.#waiting++;
      return;
    }
    this.#sendWindow -= this.#request.bodyLength;
    const stream = this.#nextStream;
    this.#nextStream += 2;
    this.#exchanges.set(stream, {
      startedAt: performance.now(),
      status: 0,
      bodyBytes: 0,
      unacknowledged: 0,
      errorBody: '',
    });
    this.#send(this.#request.make(stream, this.#options.nextSerial));
  }

  close(): void {
    this.#closed = true;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    if (!this.#closed) this.#options.onError(error);
  }

  #send(...frames: Buffer[]): void {
    this.#outgoing.push(...frames);
    if (!this.#isReading) this.#flush();
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
    else if (type === frameType.windowUpdate && stream === 0) this.#onWindow(payload.readUInt32BE());
    else if (type === frameType.settings && !(flags & frameFlag.ack)) {
      this.#send(frame({ type, flags: frameFlag.ack, stream: 0 }));
    } else if (type === frameType.ping && !(flags & frameFlag.ack)) {
      this.#send(frame({ type, flags: frameFlag.ack, stream: 0 }, payload));
    } else if (type === frameType.reset) this.#fail(new Error(`stream reset, code ${payload.readUInt32BE()}`));
    else if (type === frameType.goAway) {
      this.#fail(new Error(`the server ends the connection, code ${payload.readUInt32BE(4)}`));
    }
  }

  #onWindow(increment: number): void {
    this.#sendWindow += increment;
    const waiting = this.#waiting;
    this.#waiting = 0;
    for (let i = 0; i < waiting; i++) this.start();
  }

  #onHeaders(stream: number, flags: number, payload: Buffer): void {
    const plain = flags & frameFlag.endHeaders && !(flags & (frameFlag.padded | frameFlag.priority));
    const exchange = this.#exchanges.get(stream);
    if (!plain || !exchange) {
      this.#fail(new Error('an HTTP/2 header frame of a kind that the load generator does not read'));
      return;
    }
    // Trailers carry no status.
    exchange.status = this.#statuses.read(payload) || exchange.status;
    if (flags & frameFlag.endStream) this.#finish(stream, exchange);
  }

  #onData(stream: number, flags: number, payload: Buffer): void {
    const exchange = this.#exchanges.get(stream);
    if (!exchange) return;
    exchange.bodyBytes += payload.length;
    if (exchange.status >= 300) exchange.errorBody += payload.toString();
    this.#unacknowledged += payload.length;
    if (this.#unacknowledged > connectionWindow / 2) {
      this.#send(windowUpdate(0, this.#unacknowledged));
      this.#unacknowledged = 0;
    }
    if (flags & frameFlag.endStream) {
      this.#finish(stream, exchange);
      return;
    }
    exchange.unacknowledged += payload.length;
    if (exchange.unacknowledged > streamWindow / 4) {
      this.#send(windowUpdate(stream, exchange.unacknowledged));
      exchange.unacknowledged = 0;
    }
  }

  #finish(stream: number, exchange: Exchange): void {
    this.#exchanges.delete(stream);
    if (exchange.status < 200 || exchange.status >= 300) this.#fail(refused(exchange.status, exchange.errorBody));
    else this.#options.onAnswer(this, exchange);
  }
}
