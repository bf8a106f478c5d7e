import { connect as connectSocket, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  ClientConnection,
  type ClientStream,
  type ErrorCode,
  errorCodes,
  literalBlock,
} from '../../streams/http2/index.ts';
import { closedError } from '../preconditions.ts';
import type { Endpoint } from './endpoint.ts';
import { framed, MessageReader } from './grpc-messages.ts';

/** PEM. Undefined: the public CAs, or no client certificate. */
export interface EtcdTls {
  readonly ca?: Buffer | undefined;
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
}

export interface ChannelOptions {
  readonly endpoint: Endpoint;
  /** Called for each connection with TLS. */
  readonly tls: () => Promise<EtcdTls>;
}

/** A failed call, as gRPC describes it. */
export class CallError extends Error {
  readonly code: number;
  readonly details: string;

  constructor(code: number, details: string, options?: ErrorOptions) {
    super(`${code}: ${details}`, options);
    this.code = code;
    this.details = details;
  }
}

export interface UnaryCall {
  readonly method: string;
  /** The parts of the message. They must not change until the call has ended. */
  readonly request: readonly Buffer[];
  readonly timeoutMs: number;
  /** Whether it is sent together with the other calls of this turn of the event loop. */
  readonly isBatched?: boolean;
  /** Called once. */
  readonly onDone: (error: Error | undefined, response: Buffer | undefined) => void;
}

export interface StreamCall {
  readonly method: string;
  readonly onMessage: (message: Buffer) => void;
  /** Called once, unless the stream is cancelled. */
  readonly onEnd: (error: Error) => void;
}

export interface ChannelStream {
  write(message: Buffer): void;
  /** No message is delivered until `resume`. */
  pause(): void;
  resume(): void;
  /** Cancels the stream. No callback is called afterwards. */
  cancel(): void;
}

// Codes of gRPC.
const cancelled = 1;
const unknown = 2;
const deadlineExceeded = 4;
const resourceExhausted = 8;
const unavailable = 14;

/** A page of large objects may have any size. Callers request smaller pages when this limit is exceeded. */
const maxMessageBytes = 256 * 1024 * 1024;
const streamWindow = 4 * 1024 * 1024;
const connectionWindow = 4 * streamWindow;
const maxHeaderSize = 64 * 1024;
/** The number of cached request headers: there are a few methods and timeouts. */
const maxKeptBlocks = 256;
/** etcd closes connections that send pings more often than every 5 s. */
const pingMs = 6000;
const pingTimeoutMs = 3000;
const connectMs = 20_000;
const minBackoffMs = 100;
const maxBackoffMs = 2000;

/** A connection: the HTTP/2 engine and its socket. */
interface Connection {
  readonly http2: ClientConnection;
  readonly socket: Socket;
}

/**
 * gRPC over one HTTP/2 connection to a member of etcd, which is opened on demand. It implements only what etcd needs:
 * no retries, no compression, no metadata except `hasleader`.
 */
export class Channel {
  readonly #options: ChannelOptions;
  readonly #authority: string;
  readonly #blocks = new Map<string, Buffer>();
  #connection: Connection | undefined;
  #connecting: Promise<void> | undefined;
  /** All open sockets, also those of connections that are not ready yet or take no more calls. */
  readonly #sockets = new Set<Socket>();
  #closed = false;
  #failure: Error | undefined;
  #backoffMs = minBackoffMs;
  /** Before this time, every attempt fails with the last error. */
  #retryAt = 0;

  constructor(options: ChannelOptions) {
    const { endpoint } = options;
    this.#options = options;
    this.#authority = 'path' in endpoint.address ? 'localhost' : endpoint.target;
  }

  get ready(): boolean {
    return this.#connection !== undefined;
  }

  /** Connects. Rejects when the connection fails or takes too long, or when an earlier attempt has just failed. */
  async connect(timeoutMs: number): Promise<void> {
    if (this.#connection !== undefined) return;
    if (this.#closed) throw closedError();
    if (this.#connecting === undefined) {
      if (performance.now() < this.#retryAt) throw this.#failure!;
      this.#connecting = this.#connect().finally(() => {
        this.#connecting = undefined;
      });
      this.#connecting.catch(() => {});
    }
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer from ${this.#options.endpoint.target}`)), timeoutMs);
    });
    try {
      await Promise.race([this.#connecting, expired]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Calls a method with one request and one response. Returns a function that cancels it. */
  call({ method, request, timeoutMs, isBatched = false, onDone }: UnaryCall): () => void {
    const connection = this.#connection?.http2;
    if (connection === undefined) {
      const error = notSent(this.#failure);
      queueMicrotask(() => onDone(error, undefined));
      return () => {};
    }
    const timeout = Math.ceil(timeoutMs);
    const reader = new MessageReader(maxMessageBytes);
    let message: Buffer | undefined;
    let status: Status | undefined;
    let isDone = false;
    const done = (error: Error | undefined, response?: Buffer): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      onDone(error, response);
    };
    const end = (error: CallError): void => {
      if (isDone) return;
      stream.cancel();
      done(error);
    };
    const timer = setTimeout(() => end(new CallError(deadlineExceeded, 'Deadline exceeded')), timeout);
    const stream = connection.request(this.#block(method, timeout), {
      onHeaders: (fields, options) => {
        status ??= statusOf(fields, options);
      },
      onData: (chunk) => {
        stream.acknowledge(chunk.length);
        if (status !== undefined) return;
        reader.push(chunk);
        try {
          message ??= reader.next();
        } catch (error) {
          end(new CallError(resourceExhausted, (error as Error).message));
        }
      },
      onClosed: (code) => {
        const error = status === undefined ? lost(code) : errorOf(status);
        if (error !== undefined) done(error);
        else if (message === undefined) done(new CallError(unknown, 'a response without a message'));
        else done(undefined, message);
      },
    });
    stream.end(...framed(request));
    if (!isBatched) connection.flush();
    return () => end(new CallError(cancelled, 'Cancelled'));
  }

  /** Opens a stream of requests and responses, which lasts until it fails or is cancelled. */
  stream({ method, onMessage, onEnd }: StreamCall): ChannelStream {
    const connection = this.#connection?.http2;
    if (connection === undefined) {
      const error = notSent(this.#failure);
      queueMicrotask(() => onEnd(error));
      return { write: () => {}, pause: () => {}, resume: () => {}, cancel: () => {} };
    }
    const reader = new MessageReader(maxMessageBytes);
    let status: Status | undefined;
    let isPaused = false;
    /** Bytes that arrived during the pause. */
    let unread = 0;
    const end = (error: Error): void => {
      stream.cancel();
      onEnd(error);
    };
    const deliver = (): void => {
      try {
        while (!stream.isClosed && !isPaused) {
          const message = reader.next();
          if (message === undefined) return;
          onMessage(message);
        }
      } catch (error) {
        end(error as Error);
      }
    };
    const stream: ClientStream = connection.request(this.#block(method), {
      onHeaders: (fields, options) => {
        status ??= statusOf(fields, options);
      },
      onData: (chunk) => {
        if (isPaused) unread += chunk.length;
        else stream.acknowledge(chunk.length);
        if (status !== undefined) return;
        reader.push(chunk);
        deliver();
      },
      onClosed: (code) => {
        const error = status === undefined ? lost(code) : errorOf(status);
        onEnd(error ?? new CallError(unavailable, 'the stream has ended'));
      },
    });
    return {
      write: (message) => stream.write(...framed([message])),
      pause: () => {
        isPaused = true;
      },
      resume: () => {
        isPaused = false;
        stream.acknowledge(unread);
        unread = 0;
        deliver();
      },
      cancel: () => stream.cancel(),
    };
  }

  close(): void {
    this.#closed = true;
    this.#connection?.http2.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The headers of a request. Those of one method differ only in the timeout. */
  #block(method: string, timeoutMs?: number): Buffer {
    const name = `${method} ${timeoutMs}`;
    const kept = this.#blocks.get(name);
    if (kept !== undefined) return kept;
    const block = literalBlock([
      [':method', 'POST'],
      [':scheme', this.#options.endpoint.tls ? 'https' : 'http'],
      [':path', method],
      [':authority', this.#authority],
      ['content-type', 'application/grpc+proto'],
      ['te', 'trailers'],
      // A member without a leader then rejects the call at once and ends its streams, instead of keeping them forever.
      ['hasleader', 'true'],
      ...(timeoutMs === undefined ? [] : [['grpc-timeout', `${timeoutMs}m`] as const]),
    ]);
    if (this.#blocks.size >= maxKeptBlocks) this.#blocks.clear();
    this.#blocks.set(name, block);
    return block;
  }

  async #connect(): Promise<void> {
    try {
      const connection = await this.#open();
      if (this.#closed) {
        connection.socket.destroy();
        throw closedError();
      }
      this.#connection = connection;
      this.#backoffMs = minBackoffMs;
      this.#keepAlive(connection);
    } catch (error) {
      const { target } = this.#options.endpoint;
      this.#failure = new Error(`no connection to ${target}: ${(error as Error).message}`, { cause: error });
      this.#retryAt = performance.now() + this.#backoffMs;
      this.#backoffMs = Math.min(this.#backoffMs * 2, maxBackoffMs);
      throw this.#failure;
    }
  }

  async #open(): Promise<Connection> {
    const { endpoint, tls } = this.#options;
    const { address, name } = endpoint;
    const socket = endpoint.tls
      ? connectTls({
          ...address,
          ...(await tls()),
          ...(name !== undefined && { servername: name }),
          ALPNProtocols: ['h2'],
        })
      : connectSocket(address);
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => failed(new Error(`no answer within ${connectMs / 1000} s`)), connectMs);
      const failed = (error: Error): void => {
        clearTimeout(timer);
        reject(error);
        socket.destroy();
      };
      socket.on('error', failed);
      socket.on('close', () => failed(new Error('the connection was closed')));
      const http2 = new ClientConnection(socket, {
        maxHeaderSize,
        streamWindow,
        connectionWindow,
        // Only now it is certain that the member speaks HTTP/2 and accepts the certificate.
        onReady: () => {
          clearTimeout(timer);
          resolve({ http2, socket });
        },
        // Calls in flight may still succeed. New calls need another connection.
        onLeaving: () => {
          if (this.#connection?.http2 === http2) this.#connection = undefined;
        },
      });
    });
  }

  /** Sends pings, because a failed member or network sends no notification. */
  #keepAlive({ http2, socket }: Connection): void {
    let expired: NodeJS.Timeout | undefined;
    const timer = setInterval(() => {
      expired = setTimeout(() => socket.destroy(), pingTimeoutMs);
      http2.ping(() => clearTimeout(expired));
    }, pingMs);
    timer.unref();
    socket.on('close', () => {
      clearInterval(timer);
      clearTimeout(expired);
    });
  }
}

/** The error for a request that was not sent. */
function notSent(cause: Error | undefined): CallError {
  return new CallError(unavailable, 'the request was not sent: there is no connection', { cause });
}

/** The error for a stream that ended without a status. */
function lost(code: ErrorCode | undefined): CallError {
  if (code === errorCodes.refusedStream) return new CallError(unavailable, 'Stream refused by server');
  return new CallError(unavailable, 'the connection was lost');
}

/** The result of a call, at the level of HTTP and of gRPC. */
interface Status {
  readonly http: number;
  readonly grpc: string | undefined;
  readonly message: string;
}

/** The status in headers or trailers. Undefined when the response continues. */
function statusOf(fields: readonly string[], { isLast }: { readonly isLast: boolean }): Status | undefined {
  const value = (name: string): string | undefined => {
    for (let at = 0; at < fields.length; at += 2) if (fields[at] === name) return fields[at + 1];
    return undefined;
  };
  const http = Number(value(':status') ?? 200);
  const grpc = value('grpc-status');
  // A failure may consist of headers only.
  return isLast || grpc !== undefined || http !== 200
    ? { http, grpc, message: value('grpc-message') ?? '' }
    : undefined;
}

function errorOf({ http, grpc, message }: Status): CallError | undefined {
  if (grpc === '0') return undefined;
  if (grpc !== undefined) return new CallError(Number(grpc), decoded(message));
  return new CallError([429, 502, 503, 504].includes(http) ? unavailable : unknown, `HTTP status ${http}`);
}

/** Messages are percent-encoded. A message that cannot be decoded is used unchanged. */
function decoded(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
