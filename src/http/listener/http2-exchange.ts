import type { Duplex, Readable } from 'node:stream';
import { BodyStream, errorCodes, type Http2Stream, type StreamOwner, Tunnel } from '../../streams/http2/index.ts';
import type { Connection, ResponseHeaders, ResponseStream, ServedExchange, UpgradeOffer } from '../exchange.ts';
import { destroyWhenIdle, emptyBody, refusalByLength } from './collect-body.ts';
import { exchangeEnded } from './exchange-signal.ts';
import { Http2Body } from './http2-body.ts';
import { Http2ResponseStream } from './http2-response-stream.ts';
import { parseRequestTarget } from './request-target.ts';
import { hasNoBody } from './response-headers.ts';

export interface Http2ExchangeOptions {
  readonly connection: Connection;
  /** The time limit for the body in milliseconds. */
  readonly bodyTimeout: number;
  readonly onExchange: (exchange: ServedExchange) => void;
}

export class Http2Exchange implements ServedExchange, StreamOwner {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly connection: Connection;
  readonly upgrade: UpgradeOffer | undefined;
  status = 0;
  bodyBytes: number | undefined = undefined;
  readonly #stream: Http2Stream;
  readonly #options: Http2ExchangeOptions;
  readonly #hasBody: boolean;
  #end: AbortController | undefined = undefined;
  #early: Readonly<ResponseHeaders> | undefined = undefined;
  #readingBody = false;

  /** Serves a stream whose headers have just arrived. */
  constructor(stream: Http2Stream, options: Http2ExchangeOptions) {
    const { head } = stream;
    const { path, query } = parseRequestTarget(head.target ?? '/');
    const isWebSocket = head.protocol === 'websocket';
    this.method = isWebSocket ? 'GET' : head.method;
    this.upgrade = isWebSocket
      ? { protocol: 'websocket', needsKey: false, accept: (headers) => this.#switch(headers) }
      : undefined;
    this.path = path;
    this.query = query;
    this.connection = options.connection;
    this.#stream = stream;
    this.#options = options;
    this.#hasBody = !isWebSocket && !stream.isRequestComplete;
    stream.owner = this;
  }

  /** A client that has cancelled the request in the turn in which it arrived gets no work done. */
  begin(): void {
    if (!this.#stream.isClosed) this.#options.onExchange(this);
  }

  get signal(): AbortSignal {
    this.#end ??= new AbortController();
    // The reason why a response is no longer possible.
    if (this.#stream.isClosed) this.#end.abort(exchangeEnded);
    return this.#end.signal;
  }

  onClosed(): void {
    this.#end?.abort(exchangeEnded);
  }

  get responded(): boolean {
    return this.#stream.hasResponded;
  }

  get sentBytes(): number {
    return this.#stream.writtenBytes;
  }

  get awaitsServer(): boolean {
    if (!this.responded) return !this.#readingBody;
    return !this.#stream.isEnded && this.#stream.isFlushed;
  }

  get rawHeaders(): readonly string[] {
    return this.#stream.head.fields;
  }

  header(name: string): string | undefined {
    // HTTP/2 uses the method and `:protocol` instead of this header.
    if (name === 'upgrade') return this.upgrade?.protocol;
    return this.#stream.head.value(name);
  }

  readBody(limit: number): Promise<Buffer> {
    if (!this.#hasBody) {
      this.bodyBytes = 0;
      return Promise.resolve(emptyBody);
    }
    const refusal = refusalByLength(this.header('content-length'), limit);
    if (refusal !== undefined) return Promise.reject(refusal);
    this.#readingBody = true;
    this.#inviteBody();
    return new Promise((resolve, reject) => {
      const timeout = this.#options.bodyTimeout;
      const done = (body: Buffer): void => {
        this.#readingBody = false;
        this.bodyBytes = body.length;
        resolve(body);
      };
      this.#stream.read(new Http2Body(this.#stream, { limit, timeout, resolve: done, reject }));
    });
  }

  bodyStream(): Readable | undefined {
    if (!this.#hasBody) return undefined;
    this.#inviteBody();
    const body = new BodyStream(this.#stream);
    destroyWhenIdle(body, this.#options.bodyTimeout);
    return body;
  }

  setHeader(name: string, value: string | string[]): void {
    // The headers may be a shared object, so they are copied.
    this.#early = { ...this.#early, [name]: value };
  }

  setHeaders(shared: Readonly<Record<string, string>>): void {
    this.#early = this.#early === undefined ? shared : { ...this.#early, ...shared };
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void {
    const stream = this.#stream;
    this.status = status;
    if (stream.isClosed) return;
    if (this.#wouldAccept(status)) {
      this.#declineUpgrade();
      return;
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const isEmpty = hasNoBody(status);
    const length = isEmpty ? undefined : bytes.length;
    const isLast = isEmpty || length === 0 || this.method === 'HEAD';
    this.#respond(status, { headers, length, isLast });
    if (!isLast) stream.end(bytes);
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    const stream = this.#stream;
    this.status = status;
    if (this.#wouldAccept(status)) {
      this.#declineUpgrade();
      return new Http2ResponseStream(stream, { omitsBody: true });
    }
    const omitsBody = this.method === 'HEAD' || hasNoBody(status);
    if (!stream.isClosed) this.#respond(status, { headers, isLast: omitsBody });
    return new Http2ResponseStream(stream, { omitsBody });
  }

  abort(): void {
    // Without an error a partial response would look complete.
    this.#stream.reset(errorCodes.internalError);
  }

  #inviteBody(): void {
    if (this.header('expect') === '100-continue') this.#stream.inform(100);
  }

  /** Whether the client would take a response for a WebSocket: any success is one, unlike in HTTP/1.1. */
  #wouldAccept(status: number): boolean {
    return this.upgrade !== undefined && status < 300;
  }

  #declineUpgrade(): void {
    this.status = 400;
    if (this.#stream.isClosed) return;
    this.#respond(400, { headers: { 'content-type': 'text/plain; charset=utf-8' }, isLast: false });
    this.#stream.end(Buffer.from('there is no WebSocket at this path'));
  }

  #switch(headers: ResponseHeaders): Duplex {
    // The status is recorded as 101, as over HTTP/1.1, although HTTP/2 transmits it differently.
    this.status = 101;
    this.#stream.respond({ status: 200, headers, date: httpDate() }, { isLast: false });
    return new Tunnel(this.#stream);
  }

  #respond(
    status: number,
    { headers, length, isLast }: { headers: ResponseHeaders; length?: number | undefined; isLast: boolean },
  ): void {
    if (this.#stream.hasResponded) throw new Error('the response has already begun');
    if (!(status >= 200 && status <= 599)) throw new RangeError(`${status} is not the status of a response`);
    this.#stream.respond({ status, early: this.#early, headers, length, date: httpDate() }, { isLast });
  }
}

let second = 0;
let text = '';

/** Returns the current time in the format of the `date` header. */
function httpDate(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1000).toUTCString();
  }
  return text;
}
