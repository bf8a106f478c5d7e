import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Exchange } from '../exchange.ts';
import { Http1Connection } from './http1-connection.ts';
import { Http1Exchange } from './http1-exchange.ts';
import { createServer } from './node-http.ts';
import { refuseMalformed } from './refuse-malformed.ts';
import type { ListenerTimeouts } from './timeouts.ts';

export interface Http1ServerOptions {
  readonly timeouts: ListenerTimeouts;
  readonly maxHeaderSize: number;
  readonly onExchange: (exchange: Exchange) => void;
}

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
    });
    this.#server.on('request', (request, response) => this.#begin(request, response, { awaitsContinue: false }));
    this.#server.on('checkContinue', (request, response) => this.#begin(request, response, { awaitsContinue: true }));
    // Any other expectation is not understood, and kube-apiserver does not mind either.
    this.#server.on('checkExpectation', (request, response) =>
      this.#begin(request, response, { awaitsContinue: false }),
    );
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // Nothing can be put into the middle of an answer.
      if (socket.writable && this.#connections.get(socket)?.isAnswering === false) refuseMalformed(socket, error.code);
      else socket.destroy();
    });
    // Node watches over slow requests from this event on; this server listens only in a manner of speaking.
    this.#server.emit('listening');
  }

  take(socket: TLSSocket): void {
    this.#connections.set(socket, new Http1Connection(socket));
    socket.once('close', () => this.#connections.delete(socket));
    this.#server.emit('connection', socket);
  }

  drain(): void {
    for (const connection of this.#connections.values()) connection.drain();
  }

  /** Stops the watch over slow requests. The sockets are their owner's to destroy. */
  close(): void {
    // The callback takes the error that says that the server was not listening.
    this.#server.close(() => {});
  }

  #begin(request: IncomingMessage, response: ServerResponse, options: { awaitsContinue: boolean }): void {
    const http1Connection = this.#connections.get(request.socket);
    // Parsed from what a closing socket had left behind: nobody can be answered any more.
    if (http1Connection === undefined) return;
    http1Connection.begin(response);
    this.#options.onExchange(
      new Http1Exchange({
        request,
        response,
        http1Connection,
        bodyTimeout: this.#options.timeouts.request,
        awaitsContinue: options.awaitsContinue,
      }),
    );
  }
}
