import type { ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { beginSoon } from '../../streams/turn-end.ts';
import type { WaitState } from './stalled-connections.ts';
import { TlsConnection } from './tls-connection.ts';

/** One HTTP/1.1 connection and its graceful shutdown. */
export class Http1Connection implements WaitState {
  readonly connection: TlsConnection;
  /** Once true, every response closes the connection. */
  draining = false;
  readonly #socket: TLSSocket;
  /**
   * The latest response. With pipelining, earlier ones are complete when it is. The one of a WebSocket closes with the
   * socket.
   */
  #latest: ServerResponse | undefined = undefined;
  #exchange: WaitState | undefined = undefined;
  /** The requests of this turn of the event loop, which begin at its end. */
  #waiting: (() => void)[] = [];
  #headersTimer: NodeJS.Timeout | undefined = undefined;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
    this.connection = new TlsConnection(socket);
    this.connection.moveClient = () => {
      this.draining = true;
    };
  }

  /** True between the headers and the end of a response. */
  get isResponding(): boolean {
    return this.#latest?.headersSent === true && !this.#latest.closed;
  }

  /** True when all requests so far have been answered completely. */
  get isIdle(): boolean {
    return this.#latest === undefined || this.#latest.closed;
  }

  /** True while nothing is read, because the client does not read the response. */
  get isPaused(): boolean {
    return this.#socket.isPaused();
  }

  get awaitsServer(): boolean {
    return !this.isIdle && this.#exchange?.awaitsServer === true;
  }

  begin(response: ServerResponse): void {
    clearTimeout(this.#headersTimer);
    this.#latest = response;
    this.#exchange = undefined;
  }

  /** Sets the exchange of the latest response. */
  serve(exchange: WaitState): void {
    this.#exchange = exchange;
  }

  /** Begins a request at the end of the turn. Requests of a connection that closes before are not begun. */
  beginSoon(begin: () => void): void {
    this.#waiting.push(begin);
    beginSoon({ begin: () => this.#waiting.shift()?.() });
  }

  /**
   * Limits the time for the headers of the next request, a part of which has been read, from when the rest is read. Node
   * also counts the time for which it has paused the connection, and only once.
   */
  limitNextHeaders(timeout: number): void {
    this.#socket.once('resume', () => {
      this.#headersTimer = setTimeout(() => this.#socket.destroy(), timeout);
    });
  }

  /** Begins all waiting requests now. */
  beginWaiting(): void {
    while (this.#waiting.length > 0) this.#waiting.shift()!();
  }

  /**
   * Ends the request with its connection. Node does so only until the response is complete. After that, what waits for
   * the rest of the body would get neither `end` nor `close`. Only the latest request can be incomplete.
   */
  onClosed(): void {
    this.#waiting = [];
    clearTimeout(this.#headersTimer);
    this.#latest?.req.destroy();
  }

  /** Closes the connection: now if it is idle, else after the current response. */
  drain(): void {
    this.draining = true;
    const latest = this.#latest;
    if (latest === undefined || latest.closed) {
      this.#socket.destroySoon();
      return;
    }
    if (!latest.headersSent) latest.shouldKeepAlive = false;
    // A response whose headers are sent may have announced keep-alive. Closing the connection afterwards is still
    // allowed.
    latest.once('close', () => {
      if (this.#latest === latest) this.#socket.destroySoon();
    });
  }
}
