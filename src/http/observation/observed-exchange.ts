import type { Duplex, Readable } from 'node:stream';
import type { Connection, EventReader, Exchange, ResponseHeaders, ResponseStream, UpgradeOffer } from '../exchange.ts';

/** An exchange that remembers what was sent. Everything is delegated to the inner exchange. */
export class ObservedExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly upgrade: UpgradeOffer | undefined;
  readonly eventReader: EventReader | undefined;
  /** Of the response. 0 before it, and when the client has disconnected without one. */
  status = 0;
  /** The size of the response's body, as sent. Not counted for long-running requests. */
  sentBytes = 0;
  /** The size of the request's body. Undefined when it has not been read. */
  bodyBytes: number | undefined = undefined;
  readonly #inner: Exchange;
  readonly #isLongRunning: boolean;

  constructor(inner: Exchange, { isLongRunning }: { isLongRunning: boolean }) {
    this.method = inner.method;
    this.path = inner.path;
    this.query = inner.query;
    this.#inner = inner;
    this.#isLongRunning = isLongRunning;
    const { upgrade, eventReader } = inner;
    this.upgrade = upgrade && { ...upgrade, accept: (headers) => this.#switch(upgrade, headers) };
    this.eventReader = eventReader && {
      accept: (options) => {
        this.status = 200;
        return eventReader.accept(options);
      },
    };
  }

  get connection(): Connection {
    return this.#inner.connection;
  }

  get signal(): AbortSignal {
    return this.#inner.signal;
  }

  get responded(): boolean {
    return this.#inner.responded;
  }

  get rawHeaders(): readonly string[] {
    return this.#inner.rawHeaders;
  }

  header(name: string): string | undefined {
    return this.#inner.header(name);
  }

  async readBody(limit: number): Promise<Buffer> {
    const body = await this.#inner.readBody(limit);
    this.bodyBytes = body.length;
    return body;
  }

  bodyStream(): Readable | undefined {
    return this.#inner.bodyStream();
  }

  setHeader(name: string, value: string | string[]): void {
    this.#inner.setHeader(name, value);
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void {
    this.status = status;
    if (this.method !== 'HEAD') this.sentBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    this.#inner.respond(status, headers, body);
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    this.status = status;
    const stream = this.#inner.respondStream(status, headers);
    return this.#isLongRunning || this.method === 'HEAD' ? stream : new CountedStream(stream, this);
  }

  abort(): void {
    this.#inner.abort();
  }

  #switch(offer: UpgradeOffer, headers: ResponseHeaders): Duplex {
    this.status = 101;
    return offer.accept(headers);
  }
}

class CountedStream implements ResponseStream {
  readonly #inner: ResponseStream;
  readonly #exchange: { sentBytes: number };

  constructor(inner: ResponseStream, exchange: { sentBytes: number }) {
    this.#inner = inner;
    this.#exchange = exchange;
  }

  get pendingBytes(): number {
    return this.#inner.pendingBytes;
  }

  get closed(): boolean {
    return this.#inner.closed;
  }

  write(chunk: Buffer): boolean {
    this.#exchange.sentBytes += chunk.length;
    return this.#inner.write(chunk);
  }

  drained(): Promise<void> {
    return this.#inner.drained();
  }

  end(): void {
    this.#inner.end();
  }
}
