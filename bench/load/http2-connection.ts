import { frameFlag } from './http2-frames.ts';
import { Http2Request } from './http2-request.ts';
import { type Http2Handler, Http2Session } from './http2-session.ts';
import { type LoadConnection, type LoadConnectionOptions, refused } from './load-connection.ts';

interface Exchange {
  startedAt: number;
  status: number;
  bodyBytes: number;
  /** Bytes received but not yet returned to the stream's flow-control window. */
  unacknowledged: number;
  errorBody: string;
}

/** One HTTP/2 connection with any number of requests in flight. */
export class Http2Connection implements LoadConnection, Http2Handler {
  readonly #options: LoadConnectionOptions;
  readonly #request: Http2Request;
  readonly #exchanges = new Map<number, Exchange>();
  #session!: Http2Session;
  /** Requests that wait for space in the server's flow-control window. */
  #waiting = 0;

  private constructor(options: LoadConnectionOptions) {
    this.#options = options;
    this.#request = new Http2Request(options);
  }

  static async open(options: LoadConnectionOptions): Promise<Http2Connection> {
    const { target, slowReading } = options;
    const connection = new Http2Connection(options);
    connection.#session = await Http2Session.open({ target, slowReading, handler: connection });
    return connection;
  }

  start(): void {
    const stream = this.#session.newStream(this.#request.bodyLength);
    if (stream === undefined) {
      this.#waiting++;
      return;
    }
    this.#exchanges.set(stream, {
      startedAt: performance.now(),
      status: 0,
      bodyBytes: 0,
      unacknowledged: 0,
      errorBody: '',
    });
    this.#session.send(this.#request.make(stream, this.#options.nextSerial));
  }

  close(): void {
    this.#session.close();
  }

  onError(error: Error): void {
    this.#options.onError(error);
  }

  onWindow(): void {
    const waiting = this.#waiting;
    this.#waiting = 0;
    for (let i = 0; i < waiting; i++) this.start();
  }

  onHeaders(stream: number, flags: number, status: number): void {
    const exchange = this.#exchanges.get(stream);
    if (!exchange) return;
    exchange.status = status || exchange.status;
    if (flags & frameFlag.endStream) this.#finish(stream, exchange);
  }

  onData(stream: number, flags: number, payload: Buffer): void {
    const exchange = this.#exchanges.get(stream);
    if (!exchange) return;
    exchange.bodyBytes += payload.length;
    if (exchange.status >= 300) exchange.errorBody += payload.toString();
    if (flags & frameFlag.endStream) this.#finish(stream, exchange);
    else exchange.unacknowledged = this.#session.returnCredit(stream, exchange.unacknowledged + payload.length);
  }

  #finish(stream: number, exchange: Exchange): void {
    this.#exchanges.delete(stream);
    if (exchange.status < 200 || exchange.status >= 300) this.onError(refused(exchange.status, exchange.errorBody));
    else this.#options.onResponse(this, exchange);
  }
}
