import { Readable } from 'node:stream';
import type { Peer } from '../../authn/index.ts';
import type { ApiRequest, ApiResponse } from '../../client/index.ts';
import type { EventReader, ResponseHeaders, ResponseStream, ServedExchange } from '../../http/exchange.ts';
import type { WatchOutput, WatchOutputOptions } from '../../http/watch/watch-output.ts';
import { ByteQueue } from './byte-queue.ts';
import { EventQueue } from './event-queue.ts';

/** A shared abort reason: creating an Error with its stack for every request would be expensive. */
const endReason = new Error('the exchange is over');

/** A request of the server to itself. It passes the whole pipeline, but no socket. */
export class InProcessExchange implements ServedExchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly connection: Peer;
  readonly upgrade = undefined;
  readonly eventReader: EventReader | undefined;
  readonly response: Promise<ApiResponse>;
  status = 0;
  bodyBytes: number | undefined = undefined;
  readonly #request: ApiRequest;
  readonly #ended = new AbortController();
  readonly #extraHeaders: ResponseHeaders = {};
  #resolve!: (response: ApiResponse) => void;
  #reject!: (error: Error) => void;
  #bytes: ByteQueue | undefined = undefined;

  constructor(request: ApiRequest, connection: Peer) {
    const mark = request.path.indexOf('?');
    this.method = request.method;
    this.path = mark < 0 ? request.path : request.path.slice(0, mark);
    this.query = mark < 0 ? '' : request.path.slice(mark + 1);
    this.connection = connection;
    this.#request = request;
    this.eventReader = request.takesEvents ? { accept: (options) => this.#acceptEvents(options) } : undefined;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { signal } = request;
    if (signal?.aborted) this.abort();
    // An aborted request must not wait for its response.
    else signal?.addEventListener('abort', () => this.abort(), { once: true, signal: this.#ended.signal });
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get responded(): boolean {
    return this.status !== 0;
  }

  get sentBytes(): number {
    return this.#bytes?.writtenBytes ?? 0;
  }

  get rawHeaders(): readonly string[] {
    return Object.entries(this.#request.headers ?? {}).flat();
  }

  header(name: string): string | undefined {
    if (name === 'content-length') return String(Buffer.byteLength(this.#request.body ?? ''));
    return this.#request.headers?.[name];
  }

  async readBody(): Promise<Buffer> {
    const body = Buffer.from(this.#request.body ?? '');
    this.bodyBytes = body.length;
    return body;
  }

  bodyStream(): Readable | undefined {
    const { body } = this.#request;
    return body === undefined ? undefined : Readable.from([Buffer.from(body)]);
  }

  setHeader(name: string, value: string | string[]): void {
    this.#extraHeaders[name] = value;
  }

  setHeaders(shared: Readonly<Record<string, string>>): void {
    Object.assign(this.#extraHeaders, shared);
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void {
    const stream = this.respondStream(status, headers);
    stream.write(typeof body === 'string' ? Buffer.from(body) : body);
    stream.end();
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    this.status = status;
    const queue = new ByteQueue(this.#ended);
    this.#bytes = queue;
    const all = Object.entries({ ...headers, ...this.#extraHeaders });
    this.#resolve({
      status,
      headers: Object.fromEntries(all.map(([name, value]) => [name, String(value)])),
      body: queue,
    });
    return queue;
  }

  #acceptEvents({ onEnd }: WatchOutputOptions): WatchOutput {
    this.status = 200;
    const events = new EventQueue({ stop: this.#ended, onEnd });
    this.#resolve({ status: 200, headers: {}, body: new ByteQueue(this.#ended), events });
    return events;
  }

  abort(): void {
    this.#reject(new Error('the request was aborted'));
    this.#ended.abort(endReason);
  }
}
