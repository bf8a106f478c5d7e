import type { Exchange, ResponseHeaders, ResponseStream } from '../exchange.ts';

export interface InMemoryResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

/** A request without a network, and its response. Sufficient to test handlers that respond synchronously. */
export class InMemoryExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly connection = {
    remoteAddress: '127.0.0.1',
    clientCertificate: undefined,
    clientCertificateTrusted: false,
    user: undefined,
    secure: false,
  };
  readonly upgrade = undefined;
  readonly signal = new AbortController().signal;
  readonly #requestHeaders: Readonly<Record<string, string>>;
  #response: InMemoryResponse | undefined;

  constructor(url: string, { method = 'GET', headers = {} as Readonly<Record<string, string>> } = {}) {
    const [path = '', query = ''] = url.split('?', 2);
    this.method = method;
    this.path = path;
    this.query = query;
    this.#requestHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
  }

  get response(): InMemoryResponse {
    if (this.#response === undefined) throw new Error(`${this.method} ${this.path} has not been answered`);
    return this.#response;
  }

  get responded(): boolean {
    return this.#response !== undefined;
  }

  get rawHeaders(): readonly string[] {
    return Object.entries(this.#requestHeaders).flat();
  }

  header(name: string): string | undefined {
    return this.#requestHeaders[name];
  }

  readBody(): Promise<Buffer> {
    return Promise.resolve(Buffer.alloc(0));
  }

  bodyStream(): undefined {
    return undefined;
  }

  setHeader(): void {}

  setHeaders(): void {}

  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void {
    if (this.#response !== undefined) throw new Error(`${this.method} ${this.path} is answered more than once`);
    this.#response = { status, headers, body: Buffer.from(body) };
  }

  respondStream(): ResponseStream {
    throw new Error('streamed responses are not supported');
  }

  abort(): void {}
}
