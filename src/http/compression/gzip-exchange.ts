import type { Readable } from 'node:stream';
import type { Connection, Exchange, ResponseHeaders, ResponseStream, UpgradeOffer } from '../exchange.ts';
import { GzipStream } from './gzip-stream.ts';

/** Responses up to this size are not compressed. */
const threshold = 128 * 1024;

/**
 * An exchange whose client accepts gzip. Large responses are compressed, and so are streamed ones of unknown length.
 * Everything else is delegated to the inner exchange.
 */
export class GzipExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #inner: Exchange;

  constructor(inner: Exchange) {
    this.method = inner.method;
    this.path = inner.path;
    this.query = inner.query;
    this.#inner = inner;
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

  get upgrade(): UpgradeOffer | undefined {
    return this.#inner.upgrade;
  }

  get rawHeaders(): readonly string[] {
    return this.#inner.rawHeaders;
  }

  header(name: string): string | undefined {
    return this.#inner.header(name);
  }

  readBody(limit: number): Promise<Buffer> {
    return this.#inner.readBody(limit);
  }

  bodyStream(): Readable | undefined {
    return this.#inner.bodyStream();
  }

  setHeader(name: string, value: string | string[]): void {
    this.#inner.setHeader(name, value);
  }

  setHeaders(shared: Readonly<Record<string, string>>): void {
    this.#inner.setHeaders(shared);
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void {
    const size = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    if (size <= threshold) {
      this.#inner.respond(status, headers, body);
      return;
    }
    const stream = this.respondStream(status, headers);
    stream.write(typeof body === 'string' ? Buffer.from(body) : body);
    stream.end();
  }

  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    const { 'content-length': length, ...others } = headers;
    if (length !== undefined && Number(length) <= threshold) return this.#inner.respondStream(status, headers);
    const compressed = { ...others, 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
    const stream = this.#inner.respondStream(status, compressed);
    // Without a body there is nothing to compress.
    if (this.method === 'HEAD') return stream;
    return new GzipStream(stream, { signal: this.#inner.signal, cut: () => this.#inner.abort() });
  }

  abort(): void {
    this.#inner.abort();
  }
}
