import type { TLSSocket } from 'node:tls';
import { Http2Connection } from '../../streams/http2/index.ts';
import { beginSoon } from '../../streams/turn-end.ts';
import type { ServedExchange } from '../exchange.ts';
import { Http2Exchange } from './http2-exchange.ts';
import type { WaitState } from './stalled-connections.ts';
import type { ListenerTimeouts } from './timeouts.ts';
import { TlsConnection } from './tls-connection.ts';

export interface Http2SessionsOptions {
  readonly timeouts: ListenerTimeouts;
  readonly maxHeaderSize: number;
  readonly maxConcurrentStreams: number;
  readonly onExchange: (exchange: ServedExchange) => void;
}

/** Serves HTTP/2 on sockets that the listener has accepted. */
export class Http2Sessions {
  readonly #options: Http2SessionsOptions;
  readonly #connections = new Set<Http2Connection>();

  constructor(options: Http2SessionsOptions) {
    this.#options = options;
  }

  take(socket: TLSSocket): WaitState {
    const { timeouts, maxConcurrentStreams, maxHeaderSize, onExchange } = this.#options;
    const peer = new TlsConnection(socket);
    const options = { connection: peer, bodyTimeout: timeouts.request, onExchange };
    const connection = new Http2Connection(socket, {
      maxConcurrentStreams,
      maxHeaderSize,
      headersTimeout: timeouts.headers,
      onStream: (stream) => beginSoon(new Http2Exchange(stream, options)),
    });
    peer.shutDown = () => connection.shutDown();
    peer.moveClient = () => connection.shutDownGently();
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
    // After an idle timeout, open streams continue, but new ones need a new connection.
    socket.setTimeout(timeouts.idle, () => {
      destroyUnlessAlive(connection, socket, timeouts.handshake);
      connection.shutDown();
    });
    return connection;
  }

  /** Lets the streams finish and rejects new ones. Connections without streams close at once. */
  drain(): void {
    for (const connection of this.#connections) connection.shutDown();
  }
}

/**
 * Destroys the socket unless the client answers a ping. A connection with pending data for a disconnected client would
 * otherwise stay open forever.
 */
function destroyUnlessAlive(connection: Http2Connection, socket: TLSSocket, timeout: number): void {
  if (connection.isPinged) return;
  const timer = setTimeout(() => socket.destroy(), timeout);
  const stop = (): void => clearTimeout(timer);
  socket.once('close', stop);
  connection.ping(() => {
    stop();
    socket.off('close', stop);
  });
}
