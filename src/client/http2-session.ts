import type { IncomingHttpHeaders } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { ClientConnection, type ErrorCode, errorCodes, literalBlock } from '../streams/http2/index.ts';
import { http, maxInformational, ProtocolError } from './open-call.ts';

/** A request over HTTP/2. */
export interface Http2Call {
  readonly method: string;
  /** The host and the port, as in URLs. */
  readonly authority: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | undefined;
  readonly maxResponseBytes: number;
}

export interface Http2Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Undefined when it is too large. */
  readonly body: Buffer | undefined;
}

/** The server has not processed the request, so that it can be repeated. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

const maxHeaderSize = 16 * 1024;
const streamWindow = 1024 * 1024;
const connectionWindow = 4 * streamWindow;
/** How long a session without calls is kept. */
const idleMs = 90_000;
/** A server that sends more than this without a call is not usable. */
const maxIdleBytes = 1024 * 1024;
/** A server that does not read cannot make this one collect more than this. */
const maxUnsentBytes = 32 * 1024 * 1024;

/** One HTTP/2 connection to a server, which serves many calls at a time. */
export class Http2Session {
  readonly #socket: TLSSocket;
  readonly #connection: ClientConnection;
  readonly #onEnd: (session: Http2Session) => void;
  #running = 0;
  #isLeaving = false;
  #idleBytes = 0;
  #idle: NodeJS.Timeout | undefined;

  private constructor(socket: TLSSocket, { onReady, onEnd }: SessionEvents) {
    this.#socket = socket;
    this.#onEnd = onEnd;
    this.#connection = new ClientConnection(socket, {
      maxHeaderSize,
      streamWindow,
      connectionWindow,
      onReady,
      onLeaving: () => this.leave(),
    });
    socket.on('data', (chunk: Buffer) => this.#limit(chunk));
    socket.on('error', () => {});
    socket.once('close', () => this.leave());
    this.#startIdling();
  }

  /** Resolves when the server has sent its settings. The caller destroys the socket if that takes too long. */
  static open(socket: TLSSocket, onEnd: (session: Http2Session) => void): Promise<Http2Session> {
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('close', () => reject(connectionLost()));
      const session = new Http2Session(socket, { onReady: () => resolve(session), onEnd });
    });
  }

  /** The number of calls. */
  get running(): number {
    return this.#running;
  }

  /** Whether no more calls are accepted. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Whether the server accepts another call now. Others wait. */
  get hasRoom(): boolean {
    return this.#connection.hasRoom;
  }

  /** Rejects with the reason of the signal, with a RefusedError, or with another error when the server fails. */
  call(call: Http2Call, signal: AbortSignal): Promise<Http2Response> {
    const fields = fieldsOf(call);
    const received = this.#socket.bytesRead;
    this.#begin();
    const exchange = new Exchange(call, () => this.#connection.isClosed);
    const stream = this.#connection.request(literalBlock(fields), exchange);
    exchange.stream = stream;
    stream.end(Buffer.from(call.body ?? ''));
    const abort = (): void => {
      exchange.fail(signal.reason as Error);
      // The connection may be broken without a sign.
      if (this.#socket.bytesRead === received) this.leave();
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    return exchange.response.finally(() => {
      signal.removeEventListener('abort', abort);
      this.#end();
    });
  }

  /** Accepts no more calls. The connection is closed after the running ones. */
  leave(): void {
    if (!this.#isLeaving) {
      this.#isLeaving = true;
      this.#onEnd(this);
    }
    if (this.#running === 0) this.#close();
  }

  #begin(): void {
    this.#running++;
    clearTimeout(this.#idle);
    this.#socket.ref();
  }

  #end(): void {
    if (--this.#running > 0) return;
    if (this.#isLeaving) {
      this.#close();
      return;
    }
    this.#startIdling();
  }

  #startIdling(): void {
    this.#idleBytes = 0;
    this.#idle = setTimeout(() => this.leave(), idleMs).unref();
    this.#socket.unref();
  }

  #limit({ length }: Buffer): void {
    if (this.#running === 0) this.#idleBytes += length;
    if (this.#idleBytes > maxIdleBytes || this.#socket.writableLength > maxUnsentBytes) this.#socket.destroy();
  }

  #close(): void {
    clearTimeout(this.#idle);
    this.#socket.destroy();
    this.#connection.close();
  }
}

interface SessionEvents {
  readonly onReady: () => void;
  readonly onEnd: (session: Http2Session) => void;
}

/** Headers that belong to a connection of HTTP/1.1. */
const connectionHeaders = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

function fieldsOf({ method, authority, path, headers }: Http2Call): [string, string][] {
  const fields: [string, string][] = [
    [':method', method],
    [':scheme', 'https'],
    [':authority', authority],
    [':path', path],
  ];
  for (const [name, values] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (connectionHeaders.has(lower)) continue;
    for (const value of [values].flat()) {
      http.validateHeaderValue(lower, value);
      fields.push([lower, value]);
    }
  }
  return fields;
}

function connectionLost(): Error {
  // As Node reports it for HTTP/1.1.
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}

/** Collects the response to one call. */
class Exchange {
  readonly response: Promise<Http2Response>;
  stream: { acknowledge(length: number): void; cancel(): void } | undefined;
  readonly #call: Http2Call;
  readonly #isLost: () => boolean;
  readonly #resolve: (response: Http2Response) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #informational = 0;
  #head: Pick<Http2Response, 'status' | 'headers'> | undefined;

  constructor(call: Http2Call, isLost: () => boolean) {
    this.#call = call;
    this.#isLost = isLost;
    const { promise, resolve, reject } = Promise.withResolvers<Http2Response>();
    this.response = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  fail(error: Error): void {
    this.stream?.cancel();
    this.#reject(error);
  }

  onHeaders(fields: readonly string[]): void {
    // Trailers mean nothing here.
    if (this.#head !== undefined) return;
    const { status, headers } = headOf(fields);
    if (status >= 200 && status <= 599) this.#head = { status, headers };
    else if (status < 100 || status > 199) this.fail(new ProtocolError('the response has no valid status'));
    else if (++this.#informational > maxInformational) {
      this.fail(new ProtocolError('the server sends informational responses only'));
    }
  }

  onData(chunk: Buffer): void {
    this.stream?.acknowledge(chunk.length);
    const head = this.#head;
    if (head === undefined) {
      this.fail(new ProtocolError('the response has a body without a head'));
      return;
    }
    this.#size += chunk.length;
    if (this.#size > this.#call.maxResponseBytes) {
      this.stream?.cancel();
      this.#resolve({ ...head, body: undefined });
    } else this.#chunks.push(chunk);
  }

  onClosed(code: ErrorCode | undefined): void {
    if (code === undefined) this.#complete();
    else if (code === errorCodes.refusedStream) this.#reject(new RefusedError('the server refused the request'));
    else if (!this.#isLost()) this.#reject(new ProtocolError(`the server reset the request with code ${code}`));
    // The same messages as for HTTP/1.1.
    else this.#reject(this.#head === undefined ? connectionLost() : new Error('aborted'));
  }

  #complete(): void {
    const head = this.#head;
    const length = head?.headers['content-length'];
    if (head === undefined) this.#reject(new ProtocolError('the response has no head'));
    else if (length !== undefined && Number(length) !== this.#size) this.#reject(new Error('aborted'));
    else this.#resolve({ ...head, body: Buffer.concat(this.#chunks) });
  }
}

function headOf(fields: readonly string[]): Pick<Http2Response, 'status' | 'headers'> {
  let status = 0;
  const headers: Record<string, string> = {};
  for (let at = 0; at < fields.length; at += 2) {
    const [name, value] = [fields[at]!, fields[at + 1]!];
    if (name === ':status') status = /^\d{3}$/.test(value) ? Number(value) : 0;
    else headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return { status, headers };
}
