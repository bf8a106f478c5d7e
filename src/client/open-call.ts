import type { ClientRequest, IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';

/** Not imported, because an import evaluates all exports, one of which loads Node's whole fetch implementation. */
export const http = process.getBuiltinModule('node:http');

/** How many responses with a status below 200 a server may send before the response. */
export const maxInformational = 100;

export interface Call {
  /** The address, the method, the path and the headers. The protocol is HTTPS, unless it says otherwise. */
  readonly request: RequestOptions;
  readonly body?: string | Buffer | undefined;
  /** Abort it to end the call, also while the body of the response is being read. */
  readonly signal?: AbortSignal | undefined;
  /** Limits the time until the head of the response arrives. */
  readonly headTimeoutMs?: number;
  /** Whether the request asks the server to switch to another protocol. */
  readonly mayUpgrade?: boolean;
  /** Limits the time until the connection is ready for the request. */
  readonly connectTimeoutMs?: number;
}

export interface CallResponse {
  readonly head: IncomingMessage;
  /** The other side of the connection, if the server has switched to another protocol. */
  readonly socket: Duplex | undefined;
}

/** There was no complete response in time. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(options?: ErrorOptions) {
    super('no answer in time', options);
  }
}

/** The server has sent something that is not a response to the request. Its code distinguishes it for messages. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code = 'UNEXPECTED_RESPONSE';
}

/**
 * Sends a request over HTTP/1.1 and resolves with the head of the response. Settles whatever the server does, and at
 * the abort or the timeout at the latest. Redirects are not followed.
 */
export function openCall(call: Call): Promise<CallResponse> {
  const { request, body, signal, mayUpgrade = false } = call;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const sent = request.protocol === 'http:' ? http.request(request) : https.request(request);
    const fail = (error: Error): void => {
      // A request that waits for a connection of its agent emits no event when it is destroyed.
      reject(error);
      sent.destroy(error);
    };
    const release = settleInTime(sent, call, fail);
    limitInformation(sent, fail);
    sent.once('response', (head) => {
      release.timer();
      resolve({ head, socket: undefined });
    });
    // Without a listener, Node closes the connection and emits no error.
    sent.once('upgrade', (head, socket: Duplex, first: Buffer) => {
      if (!mayUpgrade) {
        socket.destroy();
        fail(new ProtocolError('the server switched to another protocol without being asked'));
        return;
      }
      if (first.length > 0) socket.unshift(first);
      resolve({ head, socket });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection, which says nothing about its health.
      const isStale = sent.reusedSocket && error.code === 'ECONNRESET' && !signal?.aborted;
      if (isStale) resolve(openCall(call));
      else reject(error);
    });
    sent.once('close', () => {
      release.all();
      reject(new ProtocolError('the server closed the connection without a response'));
    });
    sent.end(body);
  });
}

interface Limits {
  timer(): void;
  all(): void;
}

/** Fails the call at the abort, and when the connection or the head of the response takes too long. */
function settleInTime(
  sent: ClientRequest,
  { signal, headTimeoutMs, connectTimeoutMs }: Call,
  fail: (error: Error) => void,
): Limits {
  const abort = (): void => fail(signal!.reason as Error);
  signal?.addEventListener('abort', abort, { once: true });
  const timer = headTimeoutMs === undefined ? undefined : setTimeout(() => fail(new DeadlineError()), headTimeoutMs);
  if (connectTimeoutMs !== undefined) limitConnecting(sent, connectTimeoutMs, fail);
  return {
    timer: () => clearTimeout(timer),
    all: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

function limitConnecting(sent: ClientRequest, timeoutMs: number, fail: (error: Error) => void): void {
  sent.once('socket', (socket) => {
    if (sent.reusedSocket) return;
    const expire = (): void => fail(new Error(`dial tcp ${sent.getHeader('host')}: i/o timeout`));
    const timer = setTimeout(expire, timeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once('secureConnect', stop);
    socket.once('close', stop);
  });
}

function limitInformation(sent: ClientRequest, fail: (error: Error) => void): void {
  let count = 0;
  sent.on('information', () => {
    if (++count > maxInformational) fail(new ProtocolError('the server sends informational responses only'));
  });
}
