import { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { withIssuers } from '../../authn/index.ts';
import type { Connection, ResponseHeaders, ResponseStream, ServedExchange } from '../../http/exchange.ts';
import { bodyLimit } from '../../http/handlers/read-body.ts';
import { type DrainOptions, exchangeEnded, incompleteBody, type Listener } from '../../http/listener/index.ts';
import { type Status, StatusError } from '../../meta/status-error.ts';
import { serverUser } from '../../meta/user.ts';
import type { ConnectionMessage, HandlerMessage, LargeRequest } from './large-request-protocol.ts';
import { asBuffer } from './large-requests.ts';

/** Several times the size of the largest object. */
const maxResponseBytes = 16 * 1024 * 1024;

type Handle = (exchange: ServedExchange) => void;
type Send = (message: HandlerMessage, transfer?: ArrayBuffer[]) => void;

/** The listener of the thread for large requests. Its requests come from the threads that have the connections. */
export class LargeRequestListener implements Listener {
  readonly address = '';
  /** The port on which the other threads listen. */
  readonly port: number;
  /** The connections belong to the other threads. */
  readonly connections = 0;
  readonly #handle: Handle;
  readonly #ports = new Set<MessagePort>();
  readonly #open = new Set<PassedExchange>();
  #isAccepting = true;
  #onEmpty: () => void = () => {};

  constructor({ port, handle }: { port: number; handle: Handle }) {
    this.port = port;
    this.#handle = handle;
  }

  /** Takes the requests of another thread. */
  accept(port: MessagePort): void {
    const exchanges = new Map<number, PassedExchange>();
    const send: Send = (message, transfer = []) => port.postMessage(message, transfer);
    port.on('message', (message: ConnectionMessage) => {
      const { id } = message;
      if (message.type !== 'begin') exchanges.get(id)?.receive(message);
      else if (!this.#isAccepting) send({ type: 'refuse', id });
      else this.#begin(new PassedExchange(id, message.request, send), exchanges);
    });
    port.once('close', () => {
      this.#ports.delete(port);
      for (const exchange of exchanges.values()) exchange.end();
    });
    this.#ports.add(port);
  }

  #begin(exchange: PassedExchange, exchanges: Map<number, PassedExchange>): void {
    exchanges.set(exchange.id, exchange);
    this.#open.add(exchange);
    exchange.signal.addEventListener('abort', () => {
      exchanges.delete(exchange.id);
      this.#open.delete(exchange);
      if (this.#open.size === 0) this.#onEmpty();
    });
    this.#handle(exchange);
  }

  /** The other threads have the certificates for their connections. */
  exchangeTls(): void {}

  stopAccepting(): void {
    this.#isAccepting = false;
  }

  pauseListening(): void {
    this.#isAccepting = false;
  }

  resumeListening(): void {
    this.#isAccepting = true;
  }

  async drain({ timeout, signal }: DrainOptions = {}): Promise<void> {
    this.stopAccepting();
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    const timer = timeout === undefined ? undefined : setTimeout(() => this.#abortAll(), timeout);
    if (signal?.aborted) this.#abortAll();
    signal?.addEventListener('abort', () => this.#abortAll(), { once: true });
    await promise;
    clearTimeout(timer);
  }

  async close(): Promise<void> {
    this.stopAccepting();
    this.#abortAll();
    for (const port of this.#ports) port.close();
  }

  #abortAll(): void {
    for (const exchange of [...this.#open]) exchange.abort();
  }
}

/** A request whose connection belongs to another thread. */
class PassedExchange implements ServedExchange {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly rawHeaders: readonly string[];
  readonly connection: Connection;
  readonly upgrade = undefined;
  status = 0;
  sentBytes = 0;
  bodyBytes: number | undefined = undefined;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #send: Send;
  readonly #ended = new AbortController();
  #early: ResponseHeaders = {};
  #body: PromiseWithResolvers<Buffer> | undefined;

  constructor(id: number, request: LargeRequest, send: Send) {
    this.id = id;
    this.method = request.method;
    this.path = request.path;
    this.query = request.query;
    this.rawHeaders = request.rawHeaders;
    this.#headers = request.headers;
    this.#send = send;
    this.connection = {
      remoteAddress: request.remoteAddress,
      clientCertificate: withIssuers(request.certificates),
      clientCertificateTrusted: request.certificateTrusted,
      secure: request.secure,
      user: request.isOwn ? serverUser : undefined,
      shutDown: () => send({ type: 'shut down connection', id }),
    };
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get responded(): boolean {
    return this.status !== 0;
  }

  header(name: string): string | undefined {
    return this.#headers[name];
  }

  /** The other thread reads the body, because only it can invite or refuse it. */
  readBody(limit: number): Promise<Buffer> {
    if (this.#body === undefined) {
      this.#body = Promise.withResolvers();
      if (this.signal.aborted) this.#body.reject(incompleteBody());
      else this.#send({ type: 'read body', id: this.id, limit });
    }
    return this.#body.promise;
  }

  bodyStream(): Readable {
    return Readable.from(this.#chunks());
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    yield await this.readBody(bodyLimit);
  }

  setHeader(name: string, value: string | string[]): void {
    this.#early[name] = value;
  }

  setHeaders(shared: Readonly<Record<string, string>>): void {
    Object.assign(this.#early, shared);
  }

  respond(status: number, headers: ResponseHeaders, body: Buffer | string): void {
    const bytes = new Uint8Array(typeof body === 'string' ? Buffer.from(body) : body);
    this.#respond(status, { ...this.#early, ...headers }, bytes);
  }

  /** The responses to writes are small enough to be sent as a whole. A longer one is aborted. */
  respondStream(status: number, headers: ResponseHeaders): ResponseStream {
    const all = { ...this.#early, ...headers };
    const chunks: Buffer[] = [];
    let size = 0;
    const exchange = this;
    this.status = status;
    return {
      write: (chunk) => {
        size += chunk.length;
        if (size > maxResponseBytes) this.abort();
        else chunks.push(Buffer.from(chunk));
        return true;
      },
      drained: () => Promise.resolve(),
      pendingBytes: 0,
      get closed() {
        return exchange.signal.aborted;
      },
      end: () => this.#respond(status, all, new Uint8Array(Buffer.concat(chunks))),
    };
  }

  #respond(status: number, headers: ResponseHeaders, body: Uint8Array<ArrayBuffer>): void {
    this.status = status;
    if (this.signal.aborted) return;
    this.sentBytes = body.length;
    this.#send({ type: 'respond', id: this.id, status, headers, body }, [body.buffer]);
    this.end();
  }

  abort(): void {
    if (this.signal.aborted) return;
    this.#send({ type: 'abort', id: this.id });
    this.end();
  }

  receive(message: Exclude<ConnectionMessage, { readonly type: 'begin' }>): void {
    switch (message.type) {
      case 'body':
        this.bodyBytes = message.body.length;
        this.#body?.resolve(asBuffer(message.body));
        break;
      case 'no body':
        this.#body?.reject(statusError(message.status));
        break;
      case 'end':
        this.end();
        break;
    }
  }

  /** The response has been sent, or can no longer be sent. */
  end(): void {
    this.#ended.abort(exchangeEnded);
    this.#body?.reject(incompleteBody());
  }
}

function statusError({ code, reason = '', message = '', details }: Status & { readonly code: number }): StatusError {
  return new StatusError({ code, reason, message, ...(details !== undefined && { details }) });
}
