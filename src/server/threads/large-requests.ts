import type { MessagePort } from 'node:worker_threads';
import { certificateChain } from '../../authn/index.ts';
import type { ServedExchange } from '../../http/exchange.ts';
import { isLongRunning, type RequestInfo, type ResourceTarget, requestInfo } from '../../http/request-info.ts';
import { StatusError } from '../../meta/status-error.ts';
import { serverUser } from '../../meta/user.ts';
import type { ConnectionMessage, HandlerMessage, LargeRequest } from './large-request-protocol.ts';

/** How long requests wait for a thread that does not start, in milliseconds. Then this thread handles them. */
const maxWaitMs = 10_000;

type Handle = (exchange: ServedExchange) => void;

export interface LargeRequestOptions {
  /** Handles a request in this thread. */
  readonly handle: Handle;
  /**
   * Starts the thread for large requests, unless it has been started. `connect` is called when it is ready. Returns false
   * while the server itself starts and has no other threads yet.
   */
  readonly start: () => boolean;
  /** The size of a stored object in bytes, if it is known. */
  readonly sizeOf: (target: ResourceTarget) => number | undefined;
  /** The size in bytes from which an object is large. */
  readonly largeBytes: number;
  /** Whether another server responds to requests for the path. */
  readonly isRemote: (path: string) => boolean;
  /** After its abort, this thread handles all of its requests. */
  readonly signal: AbortSignal;
}

/**
 * Passes writes of large objects to a thread that handles nothing else. Such a request can occupy its thread for long,
 * and the other clients of the thread would wait. Until that thread is ready, the requests wait for it.
 */
export class LargeRequests {
  readonly #options: LargeRequestOptions;
  readonly #waiting = new Set<ServedExchange>();
  #passed: PassedRequests | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: LargeRequestOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#release(options.handle), { once: true });
  }

  readonly handle: Handle = (exchange) => {
    if (this.#isLarge(exchange) && this.#mayPass(exchange)) this.#pass(exchange);
    else this.#options.handle(exchange);
  };

  /** Uses this connection to the thread for large requests. */
  connect(port: MessagePort): void {
    const passed = new PassedRequests(port, this.#options.handle);
    this.#passed = passed;
    port.once('close', () => {
      if (this.#passed === passed) this.#passed = undefined;
      for (const exchange of passed.disconnected()) this.handle(exchange);
    });
    this.#release((exchange) => passed.pass(exchange));
  }

  #pass(exchange: ServedExchange): void {
    if (this.#passed !== undefined) {
      this.#passed.pass(exchange);
      return;
    }
    const { start, handle } = this.#options;
    if (!start()) {
      handle(exchange);
      return;
    }
    this.#waiting.add(exchange);
    exchange.signal.addEventListener('abort', () => this.#waiting.delete(exchange), { once: true });
    this.#patience ??= setTimeout(() => this.#release(handle), maxWaitMs).unref();
  }

  /** Ends the wait of all requests. */
  #release(handle: Handle): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const exchange of waiting) handle(exchange);
  }

  /** Whether the request has a large body, or changes a large object. */
  #isLarge(exchange: ServedExchange): boolean {
    const { method } = exchange;
    const { largeBytes, sizeOf } = this.#options;
    // The options of a delete are in its body.
    if (method === 'DELETE') return Number(exchange.header('content-length') ?? 0) >= largeBytes;
    if (method !== 'POST' && method !== 'PUT' && method !== 'PATCH') return false;
    // A body whose length is not known in advance may be large.
    if (Number(exchange.header('content-length') ?? largeBytes) >= largeBytes) return true;
    if (method === 'POST') return false;
    const target = requestInfoOf(exchange)?.target;
    return target !== undefined && (sizeOf(target) ?? 0) >= largeBytes;
  }

  #mayPass(exchange: ServedExchange): boolean {
    const { isRemote, signal } = this.#options;
    if (signal.aborted) return false;
    const info = requestInfoOf(exchange);
    return info?.target !== undefined && !isLongRunning(info) && !isRemote(info.path);
  }
}

/** Undefined when the path is malformed. */
function requestInfoOf({ method, path, query }: ServedExchange): RequestInfo | undefined {
  try {
    return requestInfo(method, path, query);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

interface PassedRequest {
  readonly exchange: ServedExchange;
  /** Whether the body has been sent to the other thread, so that the request cannot be handled here any more. */
  isRead: boolean;
}

/** The requests that have been passed over one connection. */
class PassedRequests {
  readonly #port: MessagePort;
  readonly #handle: Handle;
  readonly #open = new Map<number, PassedRequest>();
  #lastId = 0;

  constructor(port: MessagePort, handle: Handle) {
    this.#port = port;
    this.#handle = handle;
    port.on('message', (message: HandlerMessage) => this.#receive(message));
    // Does not keep the process running.
    port.unref();
  }

  pass(exchange: ServedExchange): void {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#open.set(id, { exchange, isRead: false });
    this.#send({ type: 'begin', id, request: requestOf(exchange) });
    exchange.signal.addEventListener('abort', () => {
      if (this.#open.delete(id)) this.#send({ type: 'end', id });
    });
  }

  /** Must be called when the other thread has ended. Returns the requests that it certainly has not carried out. */
  disconnected(): ServedExchange[] {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { exchange, isRead } of open) if (isRead) exchange.abort();
    return open.filter(({ isRead }) => !isRead).map(({ exchange }) => exchange);
  }

  #receive(message: HandlerMessage): void {
    const { id } = message;
    const request = this.#open.get(id);
    // The client has disconnected.
    if (request === undefined) return;
    const { exchange } = request;
    switch (message.type) {
      case 'read body':
        request.isRead = true;
        this.#readBody(id, exchange, message.limit);
        break;
      case 'respond':
        this.#open.delete(id);
        exchange.respond(message.status, message.headers, asBuffer(message.body));
        break;
      case 'abort':
        this.#open.delete(id);
        exchange.abort();
        break;
      case 'shut down connection':
        exchange.connection.shutDown?.();
        break;
      case 'refuse':
        this.#open.delete(id);
        this.#handle(exchange);
        break;
    }
  }

  #readBody(id: number, exchange: ServedExchange, limit: number): void {
    exchange.readBody(limit).then(
      (bytes) => {
        // A copy of its own: a view would be sent with all of its memory.
        const body = new Uint8Array(bytes);
        this.#send({ type: 'body', id, body }, [body.buffer]);
      },
      (error) => {
        if (error instanceof StatusError) this.#send({ type: 'no body', id, status: error.status });
        else if (this.#open.delete(id)) exchange.abort();
      },
    );
  }

  #send(message: ConnectionMessage, transfer: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function requestOf(exchange: ServedExchange): LargeRequest {
  const { method, path, query, rawHeaders, connection } = exchange;
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    const value = exchange.header(name);
    if (value !== undefined) headers[name] = value;
  }
  const host = exchange.header('host');
  if (host !== undefined) headers.host = host;
  const { remoteAddress, clientCertificateTrusted: certificateTrusted, secure } = connection;
  const isOwn = connection.user === serverUser;
  const certificates = certificateChain(connection);
  return {
    method,
    path,
    query,
    rawHeaders,
    headers,
    remoteAddress,
    isOwn,
    certificates,
    certificateTrusted,
    secure,
  };
}
