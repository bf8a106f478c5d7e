import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ServedExchange } from '../exchange.ts';
import { declineUpgrade, type Upgrade } from './decline-upgrade.ts';
import { Http1Connection } from './http1-connection.ts';
import { Http1Exchange, type Http1ExchangeOptions } from './http1-exchange.ts';
import { createServer } from './node-http.ts';
import { refuseMalformed } from './refuse-malformed.ts';
import type { WaitState } from './stalled-connections.ts';
import type { ListenerTimeouts } from './timeouts.ts';
import { requestedProtocol, UpgradeHandshake } from './upgrade-handshake.ts';

export interface Http1ServerOptions {
  readonly timeouts: ListenerTimeouts;
  readonly maxHeaderSize: number;
  readonly onExchange: (exchange: ServedExchange) => void;
}

type BeginOptions = Pick<Http1ExchangeOptions, 'awaitsContinue' | 'handshake'>;

/** Serves HTTP/1.1 on sockets that the listener has accepted. */
export class Http1Server {
  readonly #server: Server;
  readonly #options: Http1ServerOptions;
  readonly #connections = new Map<object, Http1Connection>();

  constructor(options: Http1ServerOptions) {
    this.#options = options;
    const { timeouts, maxHeaderSize } = options;
    this.#server = createServer({
      maxHeaderSize,
      joinDuplicateHeaders: true,
      keepAliveTimeout: timeouts.idle,
      headersTimeout: Math.min(timeouts.headers, timeouts.request),
      // The reader of a body limits its time. A forwarded body has no limit.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(1_000, timeouts.headers, timeouts.request),
      // Ignored by Node.js before 24.9.
      shouldUpgradeCallback: (request) => requestedProtocol(request) !== undefined && this.#isIdle(request.socket),
    });
    this.#server.on('request', (request, response) => this.#begin(request, response, { awaitsContinue: false }));
    this.#server.on('checkContinue', (request, response) => this.#begin(request, response, { awaitsContinue: true }));
    // Other expectations are ignored, as in kube-apiserver.
    this.#server.on('checkExpectation', (request, response) =>
      this.#begin(request, response, { awaitsContinue: false }),
    );
    this.#server.on('upgrade', (request, socket, head) =>
      this.#beginUpgrade({ request, socket: socket as TLSSocket, head }),
    );
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const connection = this.#connections.get(socket);
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection?.isPaused) {
        connection.limitNextHeaders(timeouts.headers);
        return;
      }
      // Requests before the malformed one, or before its malformed body, get their own response if it is immediate.
      connection?.beginWaiting();
      // A response in progress cannot be interrupted by another one.
      if (socket.writable && connection?.isResponding === false) refuseMalformed(socket, error.code);
      else socket.destroy();
    });
    // Node enforces the request timeouts from this event on. The server never listens itself.
    this.#server.emit('listening');
  }

  take(socket: TLSSocket): WaitState {
    const connection = new Http1Connection(socket);
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#connections.delete(socket);
      connection.onClosed();
    });
    this.#server.emit('connection', socket);
    keepUnread(socket);
    return connection;
  }

  drain(): void {
    for (const connection of this.#connections.values()) connection.drain();
  }

  /** Stops enforcing request timeouts. The owner of the sockets destroys them. */
  close(): void {
    // The callback ignores the error of a server that was not listening.
    this.#server.close(() => {});
  }

  #isIdle(socket: object): boolean {
    return this.#connections.get(socket)?.isIdle === true;
  }

  #beginUpgrade(upgrade: Upgrade & { socket: TLSSocket }): void {
    const { request, socket } = upgrade;
    const protocol = requestedProtocol(request);
    // Happens only before Node.js 24.9. The earlier response no longer gets drain events of its socket.
    if (!this.#isIdle(socket)) {
      socket.destroy();
    } else if (protocol !== undefined) {
      const handshake = new UpgradeHandshake(protocol, upgrade);
      this.#begin(request, handshake.response, { awaitsContinue: false, handshake });
    } else {
      declineUpgrade(this.#server, upgrade);
    }
  }

  #begin(request: IncomingMessage, response: ServerResponse, options: BeginOptions): void {
    const http1Connection = this.#connections.get(request.socket);
    // Parsed from the remaining bytes of a closing socket: no response is possible.
    if (http1Connection === undefined) return;
    http1Connection.begin(response);
    if (request.headers.host?.includes(',')) {
      refuseHosts(response);
      return;
    }
    const exchange = new Http1Exchange({
      request,
      response,
      http1Connection,
      bodyTimeout: this.#options.timeouts.request,
      ...options,
    });
    const begin = (): void => this.#options.onExchange(exchange);
    http1Connection.serve(exchange);
    // Node.js has already detached the socket of an upgrade from its parser.
    if (options.handshake === undefined) http1Connection.beginSoon(begin);
    else begin();
  }
}

/** A proxy may have routed the request by another one of the hosts. Node.js joins repeated Host headers. */
function refuseHosts(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response
    .writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
    .end('400 Bad Request: too many Host headers');
}

/**
 * Makes Node.js read the socket as a stream, which keeps what arrives while Node.js has paused it. That is the case when
 * a request arrives before the client has read the previous response. Otherwise Node.js passes decrypted bytes directly
 * to its parser, also while the parser is paused: then they are lost, and the request is malformed for it (`HPE_PAUSED`).
 * Any listener of data has this effect.
 */
function keepUnread(socket: TLSSocket): void {
  const listener = (): void => {};
  socket.on('data', listener).off('data', listener);
}
