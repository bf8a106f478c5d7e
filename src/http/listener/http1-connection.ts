import type { ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Connection } from '../exchange.ts';
import type { Turn } from './stalled-connections.ts';
import { TlsConnection } from './tls-connection.ts';

/** One HTTP/1.1 connection and its way to a graceful end. */
export class Http1Connection implements Turn {
  readonly connection: Connection;
  /** Once true, every answer tells the client to go elsewhere. */
  draining = false;
  readonly #socket: TLSSocket;
  /** The latest answer: with pipelining, those before it are complete when it is. A WebSocket's closes with it. */
  #latest: ServerResponse | undefined = undefined;
  #exchange: Turn | undefined = undefined;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
    this.connection = new TlsConnection(socket);
  }

  /** True while the headers of an answer are out and its end is not. */
  get isAnswering(): boolean {
    return this.#latest?.headersSent === true && !this.#latest.closed;
  }

  /** True when every request so far has been answered to the end. */
  get isIdle(): boolean {
    return this.#latest === undefined || this.#latest.closed;
  }

  get awaitsServer(): boolean {
    return !this.isIdle && this.#exchange?.awaitsServer === true;
  }

  begin(response: ServerResponse): void {
    this.#latest = response;
    this.#exchange = undefined;
  }

  /** The exchange of the latest response. */
  serve(exchange: Turn): void {
    this.#exchange = exchange;
  }

  /** Closes the connection: now if it is idle, else after the answer that is under way. */
  drain(): void {
    this.draining = true;
    const latest = this.#latest;
    if (latest === undefined || latest.closed) {
      this.#socket.destroySoon();
      return;
    }
    if (!latest.headersSent) latest.shouldKeepAlive = false;
    // An answer whose headers are out has promised to keep the connection, which nothing obliges us to do.
    latest.once('close', () => {
      if (this.#latest === latest) this.#socket.destroySoon();
    });
  }
}
