import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import type { Readable } from 'node:stream';
import type { TestApi } from './api.ts';

export type Protocol = 'HTTP/1.1' | 'HTTP/2';

/** A response with its unchanged bytes. */
export interface RawResponse extends RawHead {
  readonly bytes: Buffer;
}

/** The head of a response whose body has not been read. */
export interface RawHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface OpenResponse extends RawHead {
  readonly body: Readable;
  /** Closes the stream without reading the rest. */
  readonly close: () => void;
}

export interface RawCall {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
  readonly protocol?: Protocol;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | undefined;
}

/** A client for binary responses, over HTTP/1.1 or HTTP/2. */
export class RawClient {
  readonly #api: TestApi;
  readonly #agent: Agent;
  #session: ClientHttp2Session | undefined;

  constructor(api: TestApi) {
    this.#api = api;
    this.#agent = new Agent({ ...api.tls, keepAlive: true });
  }

  async call(method: string, path: string, call: RawCall = {}): Promise<RawResponse> {
    const { status, headers, body } = await this.open(method, path, call);
    return { status, headers, bytes: Buffer.concat(await body.toArray()) };
  }

  get(path: string, accept?: string): Promise<RawResponse> {
    return this.call('GET', path, { headers: accept === undefined ? {} : { accept } });
  }

  open(
    method: string,
    path: string,
    { headers = {}, body, protocol = 'HTTP/1.1' }: RawCall = {},
  ): Promise<OpenResponse> {
    const length: Record<string, string> = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
    const sent: Sent = { method, path, headers: { ...length, ...headers }, body };
    return protocol === 'HTTP/2' ? this.#http2(sent) : this.#http1(sent);
  }

  close(): void {
    this.#agent.destroy();
    this.#session?.destroy();
  }

  async #http1({ method, path, headers, body }: Sent): Promise<OpenResponse> {
    const sent = request(this.#api.server.url, { method, path, headers, agent: this.#agent });
    const responded = once(sent, 'response');
    sent.end(body);
    const [response] = (await responded) as [IncomingMessage];
    // Errors after the client has closed the stream do not matter.
    const leave = (): void => {
      sent.on('error', () => {});
      response.on('error', () => {});
      sent.destroy();
    };
    return { status: response.statusCode!, headers: response.headers, body: response, close: leave };
  }

  async #http2({ method, path, headers, body }: Sent): Promise<OpenResponse> {
    if (this.#session === undefined) {
      // In megabytes. Bodies that the server does not read count as long as the session is open.
      this.#session = connect(this.#api.server.url, { ...this.#api.tls, maxSessionMemory: 1000 });
      this.#session.on('error', () => {});
    }
    const endStream = body === undefined;
    const stream = this.#session.request({ ':method': method, ':path': path, ...headers }, { endStream });
    const responded = once(stream, 'response');
    if (!endStream) stream.end(body);
    const [{ ':status': status, ...head }] = await responded;
    return { status: status as number, headers: head, body: stream, close: () => stream.close() };
  }
}
