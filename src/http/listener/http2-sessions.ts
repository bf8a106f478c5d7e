import {
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Exchange } from '../exchange.ts';
import { Http2Exchange } from './http2-exchange.ts';
import type { WaitState } from './stalled-connections.ts';
import type { ListenerTimeouts } from './timeouts.ts';
import { TlsConnection } from './tls-connection.ts';

/** The flow-control window of a stream. Nearly all bodies fit. */
const streamWindow = 256 * 1024;

export interface Http2SessionsOptions {
  readonly timeouts: ListenerTimeouts;
  readonly maxHeaderSize: number;
  readonly maxConcurrentStreams: number;
  readonly onExchange: (exchange: Exchange) => void;
}

/** Serves HTTP/2 on sockets that the listener has accepted. */
export class Http2Sessions {
  readonly #options: Http2SessionsOptions;
  readonly #sessionOptions: ServerOptions;
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(options: Http2SessionsOptions) {
    this.#options = options;
    this.#sessionOptions = {
      settings: {
        maxConcurrentStreams: options.maxConcurrentStreams,
        initialWindowSize: streamWindow,
        maxHeaderListSize: options.maxHeaderSize,
        enableConnectProtocol: true,
      },
      // In megabytes. Responses that wait for their client count. With the default of 10, new streams would be refused
      // while two large lists are being sent. Most of the bytes are shared with the cache.
      maxSessionMemory: 1024,
    };
  }

  take(socket: TLSSocket): WaitState {
    const { timeouts, maxConcurrentStreams, onExchange } = this.#options;
    const connection = new TlsConnection(socket);
    const session = performServerHandshake(socket, this.#sessionOptions);
    this.#sessions.add(session);
    session.on('close', () => this.#sessions.delete(session));
    // The session closes itself and its streams. Nothing else is to be done.
    session.on('error', ignore);
    // Room for the window of every stream. With the default of 64 KiB for all, large bodies would need many round
    // trips.
    session.setLocalWindowSize(maxConcurrentStreams * streamWindow);
    // After an idle timeout open streams continue, but new ones need another connection.
    session.setTimeout(timeouts.idle, () => {
      // Once only: a session that is closing cannot send a ping.
      if (!session.closed) destroyUnlessAlive(session, socket, timeouts.handshake);
      session.close();
    });
    const bodyTimeout = timeouts.request;
    const open = new OpenExchanges();
    session.on('stream', (stream, headers: IncomingHttpHeaders, flags: number, rawHeaders: string[]) => {
      stream.on('error', ignore);
      stream.on('aborted', destroy);
      const exchange = new Http2Exchange({ stream, headers, rawHeaders, flags, connection, bodyTimeout });
      open.add(exchange);
      stream.on('close', () => open.delete(exchange));
      onExchange(exchange);
    });
    return open;
  }

  /** Lets the streams finish and rejects new ones. Sessions without streams close at once. */
  drain(): void {
    for (const session of this.#sessions) session.close();
  }
}

/** The open exchanges of one session. */
class OpenExchanges extends Set<WaitState> implements WaitState {
  get awaitsServer(): boolean {
    return this.values().some(({ awaitsServer }) => awaitsServer);
  }
}

function ignore(): void {}

/**
 * Destroys the socket unless the client answers a ping. A session with pending data for a client that is gone would
 * otherwise stay open forever.
 */
function destroyUnlessAlive(session: ServerHttp2Session, socket: TLSSocket, timeout: number): void {
  const timer = setTimeout(() => socket.destroy(), timeout);
  const stop = (): void => clearTimeout(timer);
  session.once('close', stop);
  session.ping((error) => {
    if (error !== null) return;
    stop();
    session.off('close', stop);
  });
}

/** A stream that its client resets without an error code would not close while data is pending. */
function destroy(this: ServerHttp2Stream): void {
  this.destroy();
}
