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
import type { Turn } from './stalled-connections.ts';
import type { ListenerTimeouts } from './timeouts.ts';
import { TlsConnection } from './tls-connection.ts';

/** What one stream may send before somebody reads it; nearly all bodies fit. */
const streamWindow = 256 * 1024;

export interface Http2SessionsOptions {
  readonly timeouts: ListenerTimeouts;
  readonly maxHeaderSize: number;
  readonly maxConcurrentStreams: number;
  readonly onExchange: (exchange: Exchange) => void;
}

/** HTTP/2 on sockets that somebody else has accepted. */
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
      },
      // In megabytes. Answers that wait for their client count, and the default of 10 refuses new streams while two
      // large lists are on their way. The bytes themselves are mostly shared with the cache.
      maxSessionMemory: 1024,
    };
  }

  take(socket: TLSSocket): Turn {
    const { timeouts, maxConcurrentStreams, onExchange } = this.#options;
    const connection = new TlsConnection(socket);
    const session = performServerHandshake(socket, this.#sessionOptions);
    this.#sessions.add(session);
    session.on('close', () => this.#sessions.delete(session));
    // The session closes itself and its streams; there is nobody to tell.
    session.on('error', ignore);
    // Room for every stream's window: with the usual 64 KiB for all, large bodies would wait for many round trips.
    session.setLocalWindowSize(maxConcurrentStreams * streamWindow);
    // Streams that are still open after so much silence go on; only new ones have to come on another connection.
    session.setTimeout(timeouts.idle, () => {
      // Once only: a session that is closing cannot ask any more.
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

  /** Lets the streams finish and refuses new ones. Sessions without streams close at once. */
  drain(): void {
    for (const session of this.#sessions) session.close();
  }
}

/** Those of one session. */
class OpenExchanges extends Set<Turn> implements Turn {
  get awaitsServer(): boolean {
    return this.values().some(({ awaitsServer }) => awaitsServer);
  }
}

function ignore(): void {}

/** A session that still has something to say to a client that is gone would wait for ever. */
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

/** A stream that its client resets without an error code would never close while something waits to be written. */
function destroy(this: ServerHttp2Stream): void {
  this.destroy();
}
