import type { Socket } from 'node:net';
import type { Client, Dispatcher } from 'undici';
import { openSocket, type UpstreamServer } from './open-socket.ts';

/** How long unused connections are kept, unless the server announces less, and how many of them. */
const keptMs = 90_000;
const maxKept = 64;
/** How much earlier a connection is closed than the announced timeout of the server. */
const keptMarginMs = 1000;

type ClientClass = typeof Client;

let loaded: ClientClass | Promise<ClientClass> | undefined;

/** Returns the HTTP client. It is loaded by the first request, because many servers never proxy a request. */
export function loadClient(): ClientClass | Promise<ClientClass> {
  loaded ??= import('undici').then(({ default: { Client } }) => {
    loaded = Client;
    return Client;
  });
  return loaded;
}

/** A connection that serves one request at a time. */
export interface ServerConnection {
  /** Whether it has served a request before. The server may have closed it since. */
  readonly isUsed: boolean;
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Makes it available to other requests. The response must be complete. */
  release(): void;
  /** Closes the connection immediately. Its request fails. */
  destroy(): void;
}

/** The connections to one server. Those that are not in use are kept for further requests. */
export class ServerConnections {
  readonly #server: UpstreamServer;
  readonly #onUnused: (() => void) | undefined;
  readonly #kept: Connection[] = [];
  #open = 0;
  #isClosed = false;
  /** The TLS session that the next connection resumes. */
  #session: Buffer | undefined;

  /** `onUnused` is called when no connection is left. */
  constructor(server: UpstreamServer, onUnused?: () => void) {
    this.#server = server;
    this.#onUnused = onUnused;
  }

  /** Takes the most recently used connection first, so that the others can expire. */
  take(ClientOf: ClientClass): ServerConnection {
    const kept = this.#kept.pop();
    if (kept !== undefined) return kept;
    this.#open++;
    return new Connection(ClientOf, {
      open: (signal) => this.#connect(signal),
      onRelease: (connection) => this.#keep(connection),
      onClose: (connection) => this.#forget(connection),
    });
  }

  /** Closes the connections that are not in use, and the others after their request. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#kept.splice(0)) connection.destroy();
  }

  async #connect(signal: AbortSignal): Promise<Socket> {
    const socket = await openSocket(this.#server, { signal, session: this.#session });
    if (this.#server.protocol === 'https:') {
      socket.on('session', (session: Buffer) => {
        this.#session = session;
      });
    }
    return socket;
  }

  #keep(connection: Connection): void {
    if (this.#isClosed || this.#kept.length >= maxKept) connection.destroy();
    else this.#kept.push(connection);
  }

  #forget(connection: Connection): void {
    const index = this.#kept.indexOf(connection);
    if (index >= 0) this.#kept.splice(index, 1);
    if (--this.#open === 0) this.#onUnused?.();
  }
}

interface ConnectionOptions {
  readonly open: (signal: AbortSignal) => Promise<Socket>;
  readonly onRelease: (connection: Connection) => void;
  /** Called once. */
  readonly onClose: (connection: Connection) => void;
}

class Connection implements ServerConnection {
  isUsed = false;
  readonly #options: ConnectionOptions;
  readonly #client: Client;
  readonly #ended = new AbortController();
  #isClosed = false;

  constructor(ClientOf: ClientClass, options: ConnectionOptions) {
    this.#options = options;
    // `open` handles TLS. The client would use the `host` header as the name to verify.
    this.#client = new ClientOf('http://upstream', {
      connect: (_options, callback) => {
        options.open(this.#ended.signal).then(
          (socket) => callback(null, socket),
          (error) => callback(error, null),
        );
      },
      keepAliveTimeout: keptMs,
      keepAliveMaxTimeout: keptMs,
      keepAliveTimeoutThreshold: keptMarginMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const close = (): void => this.#close();
    this.#client.on('disconnect', close).on('connectionError', close);
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(request, handler);
  }

  release(): void {
    this.isUsed = true;
    if (!this.#isClosed) this.#options.onRelease(this);
  }

  destroy(): void {
    this.#ended.abort();
    this.#client.destroy(() => {});
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.onClose(this);
  }
}
