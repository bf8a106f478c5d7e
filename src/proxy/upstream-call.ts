import { type Duplex, Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { ServerConnection } from './server-connections.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The response of another server. */
export interface UpstreamResponse {
  readonly status: number;
  /** With lower-case names. */
  readonly headers: Headers;
  /** The other side of the connection, if the server has switched to another protocol. */
  readonly socket: Duplex | undefined;
  /** The whole body, if it has arrived together with the head, as most small bodies do. */
  readonly wholeBody: Buffer | undefined;
  /** The body as it arrives, with backpressure. Destroying it closes the connection. Call it once. */
  bodyStream(): Readable;
  /** Discards the rest of the response and closes the connection. */
  destroy(): void;
}

/** Sends one request over a connection and releases the connection after the response. */
export class UpstreamCall implements UpstreamResponse, Dispatcher.DispatchHandler {
  /** Rejects with the error of the connection. */
  readonly response: Promise<UpstreamResponse>;
  status = 0;
  headers: Headers = {};
  socket: Duplex | undefined = undefined;
  readonly #connection: ServerConnection;
  readonly #resolve: (response: UpstreamResponse) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined = undefined;
  /** Data that arrived before the body stream was requested, at most one read of the socket. */
  readonly #first: Buffer[] = [];
  #body: Readable | undefined = undefined;
  #isComplete = false;
  #failure: Error | undefined = undefined;

  constructor(connection: ServerConnection, request: Dispatcher.DispatchOptions) {
    this.#connection = connection;
    const { promise, resolve, reject } = Promise.withResolvers<UpstreamResponse>();
    this.response = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    connection.dispatch(request, this);
  }

  get wholeBody(): Buffer | undefined {
    const [first] = this.#first;
    return this.#isComplete && this.#first.length === 1 ? first : undefined;
  }

  bodyStream(): Readable {
    const body = new Readable({
      read: () => this.#controller?.resume(),
      destroy: (error, done) => {
        if (!this.#isComplete) this.destroy();
        done(error);
      },
    });
    this.#body = body;
    for (const chunk of this.#first.splice(0)) this.#push(body, chunk);
    if (this.#isComplete) body.push(null);
    if (this.#failure !== undefined) body.destroy(this.#failure);
    return body;
  }

  /** Rejects with the error, if there is no response yet. */
  abort(error: Error): void {
    this.#reject(error);
    this.destroy();
  }

  destroy(): void {
    if (!this.#isComplete) this.#connection.destroy();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onRequestUpgrade(_controller: unknown, status: number, headers: Headers, socket: Duplex): void {
    this.#isComplete = true;
    this.socket = socket;
    this.#receiveHead(status, headers);
  }

  onResponseStart(_controller: unknown, status: number, headers: Headers): void {
    if (status >= 200) this.#receiveHead(status, headers);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#body === undefined) this.#first.push(chunk);
    else this.#push(this.#body, chunk);
  }

  onResponseEnd(): void {
    this.#isComplete = true;
    this.#connection.release();
    this.#body?.push(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#failure = error;
    this.#reject(error);
    this.destroy();
    this.#body?.destroy(error);
  }

  #receiveHead(status: number, headers: Headers): void {
    this.status = status;
    this.headers = headers;
    this.#resolve(this);
  }

  #push(body: Readable, chunk: Buffer): void {
    if (!body.push(chunk)) this.#controller?.pause();
  }
}
