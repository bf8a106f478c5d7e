import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Exchange } from '../exchange.ts';
import { declineUpgrade, type Upgrade } from './decline-upgrade.ts';
import { Http1Connection } from './http1-connection.ts';
import { Http1Exchange, type Http1ExchangeOptions } from './http1-exchange.ts';
import { createServer } from './node-http.ts';
import { refuseMalformed } from './refuse-malformed.ts';
import type { Turn } from './stalled-connections.ts';
import type { ListenerTimeouts } from './timeouts.ts';
import { asksForWebSocket, WebSocketHandshake } from './web-socket-handshake.ts';

export interface Http1ServerOptions {
  readonly timeouts: ListenerTimeouts;
  readonly maxHeaderSize: number;
  readonly onExchange: (exchange: Exchange) => void;
}

type BeginOptions = Pick<Http1ExchangeOptions, 'awaitsContinue' | 'handshake'>;

/** HTTP/1.1 on sockets that somebody else has accepted. */
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
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: Math.min(5_000, timeouts.headers, timeouts.request),
      // Not known to Node.js before 24.9.
      shouldUpgradeCallback: (request) => asksForWebSocket(request) && this.#isIdle(request.socket),
    });
    this.#server.on('request', (request, response) => this.#begin(request, response, { awaitsContinue: false }));
    this.#server.on('checkContinue', (request, response) => this.#begin(request, response, { awaitsContinue: true }));
    // Any other expectation is not understood, and kube-apiserver does not mind either.
    this.#server.on('checkExpectation', (request, response) =>
      this.#begin(request, response, { awaitsContinue: false }),
    );
    this.#server.on('upgrade', (request, socket, head) =>
      this.#beginUpgrade({ request, socket: socket as TLSSocket, head }),
    );
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // Nothing can be put into the middle of an answer.
      if (socket.writable && this.#connections.get(socket)?.isAnswering === false) refuseMalformed(socket, error.code);
      else socket.destroy();
    });
    // Node watches over slow requests from this event on; this server listens only in a manner of speaking.
    this.#server.emit('listening');
  }

  take(socket: TLSSocket): Turn {
    const connection = new Http1Connection(socket);
    this.#connections.set(socket, connection);
    socket.once('close', () => this.#connections.delete(socket));
    this.#server.emit('connection', socket);
    return connection;
  }

  drain(): void {
    for (const connection of this.#connections.values()) connection.drain();
  }

  /** Stops the watch over slow requests. The sockets are their owner's to destroy. */
  close(): void {
    // The callback takes the error that says that the server was not listening.
    this.#server.close(() => {});
  }

  #isIdle(socket: object): boolean {
    return this.#connections.get(socket)?.isIdle === true;
  }

  #beginUpgrade(upgrade: Upgrade & { socket: TLSSocket }): void {
    const { request, socket } = upgrade;
    // Only before Node.js 24.9, which by now has stopped telling the earlier answer that its socket has drained.
    if (!this.#isIdle(socket)) {
      socket.destroy();
    } else if (asksForWebSocket(request)) {
      const handshake = new WebSocketHandshake({ ...upgrade, endTimeout: this.#options.timeouts.webSocketEnd });
      this.#begin(request, handshake.response, { awaitsContinue: false, handshake });
    } else {
      declineUpgrade(this.#server, upgrade);
    }
  }

  #begin(request: IncomingMessage, response: ServerResponse, options: BeginOptions): void {
    const http1Connection = this.#connections.get(request.socket);
    // Parsed from what a closing socket had left behind: nobody can be answered any more.
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
    http1Connection.serve(exchange);
    this.#options.onExchange(exchange);
  }
}

/** Whoever stands between the client and this server may have gone by the other one. Node.js joins them. */
function refuseHosts(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response
    .writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
    .end('400 Bad Request: too many Host headers');
}
