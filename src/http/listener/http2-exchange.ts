import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Duplex, Readable } from 'node:stream';
import type { Connection, Exchange, ResponseHeaders, ResponseStream, UpgradeOffer } from '../exchange.ts';
import { addLength, mergeHeaders } from './answer-headers.ts';
import { collectBody, cutWhenSilent, emptyBody, refusalByLength } from './collect-body.ts';
import { signalOfClosing } from './exchange-signal.ts';
import { parseRequestTarget } from './request-target.ts';
import { SinkStream } from './sink-stream.ts';
import type { WaitState } from './stalled-connections.ts';

const { NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR } = constants;
/** Shared, because it is never inspected: the client sees INTERNAL_ERROR. */
const aborted = new Error('the exchange was aborted');

export interface Http2ExchangeOptions {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  /** The flags of the HEADERS frame. */
  readonly flags: number;
  readonly rawHeaders: readonly string[];
  readonly connection: Connection;
  /** The time limit for the body in milliseconds. */
  readonly bodyTimeout: number;
}

export class Http2Exchange implements Exchange, WaitState {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly connection: Connection;
  readonly upgrade: UpgradeOffer | undefined;
  readonly #stream: ServerHttp2Stream;
  readonly #options: Http2ExchangeOptions;
  #signal: AbortSignal | undefined = undefined;
  #early: ResponseHeaders | undefined = undefined;
  #readingBody = false;

  constructor(options: Http2ExchangeOptions) {
    const { path, query } = parseRequestTarget(options.headers[':path'] ?? '/');
    const isWebSocket = options.headers[':protocol'] === 'websocket';
    this.method = isWebSocket ? 'GET' : (options.headers[':method'] ?? 'GET');
    this.upgrade = isWebSocket
      ? { protocol: 'websocket', needsKey: false, accept: (headers) => this.#switch(headers) }
      : undefined;
    this.path = path;
    this.query = query;
    this.connection = options.connection;
    this.#stream = options.stream;
    this.#options = options;
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOfClosing(this.#stream);
    return this.#signal;
  }

  get responded(): boolean {
    return this.#stream.headersSent;
  }

  get awaitsServer(): boolean {
    if (!this.responded) return !this.#readingBody;
    return !this.#stream.writableEnded && this.#stream.writableLength === 0;
  }

  get rawHeaders(): readonly string[] {
    return this.#options.rawHeaders;
  }

  header(name: string): string | undefined {
    const value = this.#options.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async readBody(limit: number): Promise<Buffer> {
    const stream = this.#stream;
    const { headers, flags, bodyTimeout } = this.#options;
    if (this.upgrade !== undefined || (flags & NGHTTP2_FLAG_END_STREAM) !== 0) return emptyBody;
    const refusal = refusalByLength(headers['content-length'], limit);
    if (refusal !== undefined) throw refusal;
    this.#readingBody = true;
    if (headers.expect === '100-continue' && !stream.destroyed) stream.additionalHeaders({ ':status': 100 });
    // A stream that the client resets ends like any other. Only the code differs.
    const isComplete = (): boolean => !stream.aborted && (stream.rstCode ?? NGHTTP2_NO_ERROR) === NGHTTP2_NO_ERROR;
    const body = await collectBody(stream, { limit, timeout: bodyTimeout, isComplete });
    this.#readingBody = false;
    return body;
  }

  bodyStream(): Readable | undefined {
    const stream = this.#stream;
    const { headers, flags, bodyTimeout } = this.#options;
    if (this.upgrade !== undefined || (flags & NGHTTP2_FLAG_END_STREAM) !== 0) return undefined;
    if (headers.expect === '100-continue' && !stream.destroyed) stream.additionalHeaders({ ':status': 100 });
    cutWhenSilent(stream, bodyTimeout);
    stream.once('finish', () => {
      if (!stream.readableEnded) stream.close(NGHTTP2_NO_ERROR);
    });
    return stream;
  }

  setHeader(name: string, value: string | string[]): void {
    this.#early ??= {};
    this.#early[name] = value;
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    if (this.#wouldAccept(status)) {
      this.#declineUpgrade();
      return;
    }
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    const answer = this.#head(status, headers);
    addLength(answer, status, length);
    if (length === 0 || this.method === 'HEAD') {
      stream.respond(answer, { endStream: true });
    } else {
      stream.respond(answer);
      stream.end(body);
    }
    // After the response, tell the client to stop sending a body that was rejected halfway.
    if (this.#readingBody) stream.close(NGHTTP2_NO_ERROR);
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    const stream = this.#stream;
    if (this.#wouldAccept(status)) {
      this.#declineUpgrade();
      return new SinkStream(stream, { mute: true });
    }
    const mute = this.method === 'HEAD';
    if (!stream.destroyed && !stream.closed) stream.respond(this.#head(status, headers), { endStream: mute });
    return new SinkStream(stream, { mute });
  }

  abort(): void {
    // Closing with a code would end the stream first, and a partial response would look complete.
    this.#stream.destroy(aborted);
  }

  /** Whether the client would take a response for a WebSocket: any success is one, unlike in HTTP/1.1. */
  #wouldAccept(status: number): boolean {
    return this.upgrade !== undefined && status < 300;
  }

  #declineUpgrade(): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    stream.respond(this.#head(400, { 'content-type': 'text/plain; charset=utf-8' }));
    stream.end('there is no WebSocket at this path');
  }

  #switch(headers: ResponseHeaders): Duplex {
    const stream = this.#stream;
    if (!stream.destroyed && !stream.closed) stream.respond({ ...headers, ':status': 200 });
    return stream;
  }

  #head(status: number, headers: ResponseHeaders): ResponseHeaders {
    const answer = mergeHeaders(this.#early, headers);
    answer[':status'] = status;
    // HTTP/2 forbids this header.
    if (answer.connection !== undefined) delete answer.connection;
    return answer;
  }
}
