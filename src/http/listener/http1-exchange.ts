import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { Connection, ResponseHeaders, ResponseStream, ServedExchange, UpgradeOffer } from '../exchange.ts';
import {
  announcesBody,
  type BodyReading,
  collectBody,
  destroyWhenIdle,
  emptyBody,
  incompleteBody,
  refusalByLength,
} from './collect-body.ts';
import { signalOfClosing } from './exchange-signal.ts';
import type { Http1Connection } from './http1-connection.ts';
import { parseRequestTarget } from './request-target.ts';
import { addLength, mergeHeaders } from './response-headers.ts';
import { SinkStream } from './sink-stream.ts';
import type { WaitState } from './stalled-connections.ts';
import type { UpgradeHandshake } from './upgrade-handshake.ts';

/** How much of an unwanted body is read, so that the client gets to read the response. */
const discardLimit = 16 * 1024 * 1024;

export interface Http1ExchangeOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly http1Connection: Http1Connection;
  /** The time limit for the body in milliseconds. */
  readonly bodyTimeout: number;
  /** Whether the client waits for a `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean;
  /** Set for a request for another protocol. Then `response` is the one of the handshake. */
  readonly handshake?: UpgradeHandshake;
}

export class Http1Exchange implements ServedExchange, WaitState {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly connection: Connection;
  readonly upgrade: UpgradeOffer | undefined;
  status = 0;
  bodyBytes: number | undefined = undefined;
  readonly #options: Http1ExchangeOptions;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined = undefined;
  #early: ResponseHeaders | undefined = undefined;
  #reading: BodyReading | undefined = undefined;
  #bodyTaken = false;
  /** Whether the response precedes the end of the body, the rest of which is read. */
  #isDiscarding = false;
  #awaitsContinue: boolean;
  #switched = false;
  #stream: SinkStream | undefined = undefined;
  #wholeBytes = 0;

  constructor(options: Http1ExchangeOptions) {
    const { path, query } = parseRequestTarget(options.request.url ?? '/');
    this.method = options.request.method ?? 'GET';
    this.path = path;
    this.query = query;
    this.connection = options.http1Connection.connection;
    this.#options = options;
    this.#response = options.response;
    this.#awaitsContinue = options.awaitsContinue;
    const { handshake } = options;
    this.upgrade = handshake && {
      protocol: handshake.protocol,
      needsKey: true,
      accept: (headers) => this.#switch(handshake, headers),
    };
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOfClosing(this.#response);
    return this.#signal;
  }

  get responded(): boolean {
    return this.#switched || this.#response.headersSent;
  }

  get sentBytes(): number {
    return this.#stream === undefined ? this.#wholeBytes : this.#stream.writtenBytes;
  }

  get awaitsServer(): boolean {
    if (!this.responded) return this.#reading === undefined;
    // A connection of another protocol is closed when its client confirms the end.
    return !this.#switched && !this.#response.writableEnded && this.#response.writableLength === 0;
  }

  get rawHeaders(): readonly string[] {
    return this.#options.request.rawHeaders;
  }

  header(name: string): string | undefined {
    const value = this.#options.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async readBody(limit: number): Promise<Buffer> {
    const { request, bodyTimeout } = this.#options;
    if (!this.#hasBody()) {
      this.bodyBytes = 0;
      return emptyBody;
    }
    const refusal = refusalByLength(request.headers['content-length'], limit);
    if (refusal !== undefined) throw refusal;
    // The deadline may have responded before the handler came to the body, which is being discarded now.
    if (this.responded) throw incompleteBody();
    if (this.#awaitsContinue) this.#response.writeContinue();
    this.#awaitsContinue = false;
    this.#reading = collectBody(request, { limit, timeout: bodyTimeout, isComplete: () => request.complete });
    try {
      const body = await this.#reading.body;
      this.#bodyTaken = true;
      this.bodyBytes = body.length;
      return body;
    } finally {
      this.#reading = undefined;
    }
  }

  bodyStream(): Readable | undefined {
    const { request, response, bodyTimeout } = this.#options;
    if (!this.#hasBody()) return undefined;
    if (this.#awaitsContinue) this.#response.writeContinue();
    this.#awaitsContinue = false;
    this.#bodyTaken = true;
    destroyWhenIdle(request, bodyTimeout);
    response.once('finish', () => {
      if (!request.complete) this.#discardBody();
    });
    return request;
  }

  setHeader(name: string, value: string | string[]): void {
    this.#early ??= {};
    this.#early[name] = value;
  }

  setHeaders(shared: Readonly<Record<string, string>>): void {
    this.#early = { ...this.#early, ...shared };
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void {
    const merged = mergeHeaders(this.#early, headers);
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    addLength(merged, status, length);
    if (this.method !== 'HEAD') this.#wholeBytes = length;
    this.#writeHead(status, merged);
    const { request } = this.#options;
    if (!this.#isDiscarding || this.#response.shouldKeepAlive) {
      this.#response.end(body);
      return;
    }
    // Node.js closes such a connection at the end of the response, and the client could not send the rest of the body.
    if (length > 0) this.#response.write(body);
    else this.#response.flushHeaders();
    request.once('close', () => this.#response.end());
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    this.#writeHead(status, mergeHeaders(this.#early, headers));
    const { socket } = this.#response;
    // Data written in the same tick shares a packet with the headers.
    socket?.cork();
    this.#response.flushHeaders();
    process.nextTick(() => socket?.uncork());
    const sink = this.#options.handshake?.responseSink ?? this.#response;
    this.#stream = new SinkStream(sink, { omitsBody: this.method === 'HEAD' });
    return this.#stream;
  }

  abort(): void {
    this.#options.request.socket.destroy();
  }

  #hasBody(): boolean {
    return announcesBody(this.#options.request.headers);
  }

  #switch(handshake: UpgradeHandshake, headers: ResponseHeaders): Duplex {
    this.#switched = true;
    this.status = 101;
    return handshake.accept(headers);
  }

  #writeHead(status: number, headers: ResponseHeaders): void {
    const response = this.#response;
    this.status = status;
    if (this.#options.http1Connection.draining) response.shouldKeepAlive = false;
    if (!this.#bodyTaken && this.#hasBody()) {
      // The deadline responds while the handler still waits for the body.
      this.#reading?.stop();
      this.#discardBody();
    }
    response.writeHead(status, headers);
  }

  /**
   * Handles a response that precedes the end of the request body. Closing at once would make the client's kernel drop
   * the response with the connection. So the rest is read and discarded, up to a limit. If the body ends before, the
   * connection stays usable.
   */
  #discardBody(): void {
    const { request, response } = this.#options;
    if (this.#awaitsContinue) {
      // The client may or may not send the body now. Only a new connection is unambiguous.
      response.shouldKeepAlive = false;
      return;
    }
    // The client has disconnected, and no event would stop the timer.
    if (request.destroyed) return;
    this.#isDiscarding = !request.complete;
    let left = discardLimit;
    const timer = setTimeout(() => request.socket.destroy(), this.#options.bodyTimeout);
    request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) request.socket.destroy();
    });
    request.resume();
  }
}
