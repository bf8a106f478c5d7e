import { constants } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type TLSSocket,
  type Server as TlsServer,
} from 'node:tls';
import type { ServedExchange } from '../exchange.ts';
import { defaultCiphers } from './ciphers.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { ConnectionPacer } from './connection-pacer.ts';
import { Http1Server } from './http1-server.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { closeStalled, type WaitState } from './stalled-connections.ts';
import { defaultTimeouts, type ListenerTimeouts } from './timeouts.ts';

/**
 * The connections that the system accepts until this process takes them. It is the default limit of Linux
 * (`net.core.somaxconn`), which a lower limit of the system reduces, and so what programs in Go get. Node's default of
 * 511 is too small when all clients of a restarted server come back within a turn of the event loop.
 */
const backlog = 4_096;
/** How long to wait before a port is tried again, in milliseconds. */
const retryMs = 50;

/** The serving certificate and the CAs of client certificates. */
export interface TlsMaterial {
  /** PEM: the serving certificate, followed by intermediate ones, and its key. */
  readonly cert: string;
  readonly key: string;
  /** PEM: the CAs whose client certificates are trusted. Without any, clients are not asked for a certificate. */
  readonly clientCa?: string | readonly string[];
}

export interface ListenerOptions extends TlsMaterial {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Whether other listeners of this process share the port. The system spreads connections over them. */
  readonly reusePort?: boolean;
  readonly minTlsVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL names. By default only ciphers with forward secrecy and authenticated encryption. */
  readonly ciphers?: readonly string[];
  /** The maximum number of concurrent streams on one HTTP/2 connection. */
  readonly maxConcurrentStreams?: number;
  /** The maximum size of all headers of a request, in bytes. */
  readonly maxHeaderSize?: number;
  /** The maximum number of connections from one address. Unlimited by default. */
  readonly maxConnectionsPerClient?: number;
  readonly timeouts?: Partial<ListenerTimeouts>;
  /** Whether to reset a new connection. Default: never. */
  readonly refuses?: ((remoteAddress: string) => boolean) | undefined;
  /**
   * Called for every connection before its handshake, which uses the certificates that are set when the callback
   * returns.
   */
  readonly onConnection?: (() => void) | undefined;
  /** Called for every request, in the turn in which its headers arrive. An exception aborts the exchange. */
  readonly onExchange: (exchange: ServedExchange) => void;
  /** Called when a TLS handshake fails or takes too long. */
  readonly onHandshakeError?: () => void;
  /** Called when a connection could not be accepted. Node.js does not report all of them. */
  readonly onRefused?: (error: Error) => void;
  /** Called with exceptions of `onExchange`. */
  readonly onFault?: (error: unknown) => void;
}

export interface DrainOptions {
  /** After this time in milliseconds, remaining connections are destroyed. */
  readonly timeout?: number;
  /** When it aborts, remaining connections are destroyed. */
  readonly signal?: AbortSignal;
}

export interface Listener {
  readonly address: string;
  readonly port: number;
  /** The number of open connections. */
  readonly connections: number;
  /**
   * Replaces the certificates for new connections. Throws when certificate and key cannot be used. Whether clients are
   * asked for a certificate does not change.
   */
  exchangeTls(material: TlsMaterial): void;
  /** Closes the port. Open connections stay and may make further requests. */
  stopAccepting(): void;
  /** Closes the port until `resumeListening`. */
  pauseListening(): void;
  resumeListening(): void;
  /**
   * Stops accepting, closes idle connections at once and the others after their current responses. A connection without
   * traffic, while the client has to send or read something, is closed too (`timeouts.stall`). Resolves when no
   * connection is left.
   */
  drain(options?: DrainOptions): Promise<void>;
  /** Destroys every connection. Resolves when all resources are released. May be called at any time, and repeatedly. */
  close(): Promise<void>;
}

/**
 * Listens for HTTP/2 and HTTP/1.1 over TLS. Resolves once connections are accepted. Rejects when the port is not
 * available.
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const listener = new TlsListener(options);
  await listener.listen(options);
  return listener;
}

class TlsListener implements Listener {
  address = '';
  port = 0;
  /** Accepts TCP connections. */
  readonly #server: Server;
  readonly #tls: TlsServer;
  readonly #pacer = new ConnectionPacer();
  readonly #secure: Pick<SecureContextOptions, 'minVersion' | 'ciphers' | 'honorCipherOrder' | 'secureOptions'>;
  readonly #http1: Http1Server;
  readonly #http2: Http2Sessions;
  /** Every TCP connection, including those in a handshake, with the state of its requests. */
  readonly #sockets = new Map<Socket, WaitState | undefined>();
  /**
   * The TCP sockets in a TLS handshake by their remote address and port, the only link between a TCP socket and its TLS
   * socket.
   */
  readonly #handshaking = new Map<string, Socket>();
  readonly #limits: ConnectionLimits;
  readonly #refuses: ListenerOptions['refuses'];
  readonly #stallTimeout: number;
  readonly #onFault: ListenerOptions['onFault'];
  readonly #onRefused: ListenerOptions['onRefused'];
  #gone: Promise<void> | undefined;
  #accepting = false;
  /** Whether the port is temporarily closed. */
  #isPaused = false;
  #draining = false;

  constructor(options: ListenerOptions) {
    const timeouts = { ...defaultTimeouts, ...options.timeouts };
    const shared = { timeouts, maxHeaderSize: options.maxHeaderSize ?? 64 * 1024, onExchange: guarded(options) };
    this.#limits = new ConnectionLimits(options.maxConnectionsPerClient ?? Number.POSITIVE_INFINITY);
    this.#refuses = options.refuses;
    this.#stallTimeout = timeouts.stall;
    this.#onFault = options.onFault;
    this.#onRefused = options.onRefused;
    this.#http1 = new Http1Server(shared);
    this.#http2 = new Http2Sessions({ ...shared, maxConcurrentStreams: options.maxConcurrentStreams ?? 250 });
    this.#secure = {
      minVersion: options.minTlsVersion ?? 'TLSv1.2',
      ciphers: (options.ciphers ?? defaultCiphers).join(':'),
      honorCipherOrder: true,
      // A resumed session has the client's certificate without the intermediate CAs.
      secureOptions: constants.SSL_OP_NO_TICKET,
    };
    this.#tls = createTlsServer({
      ...this.#secure,
      ...secrets(options),
      requestCert: options.clientCa !== undefined,
      // Authentication decides whether a certificate is required, and what an untrusted one means.
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: timeouts.handshake,
    });
    this.#server = createServer({
      pauseOnConnect: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 180_000,
    });
    this.#server.on('connection', (socket) => {
      options.onConnection?.();
      this.#track(socket);
    });
    this.#tls.on('secureConnection', (socket) => {
      // The protocols have error listeners, but remove them when they are done with a socket.
      socket.on('error', () => {});
      // A signature that cannot be verified leaves an error in OpenSSL, and the next read of the socket would fail with
      // it. Reading the certificate clears it.
      if (!socket.authorized) socket.getPeerX509Certificate();
      this.#pacer.pace(socket, () => this.#serve(socket));
    });
    // This event is also emitted when the handshake times out. Node leaves the socket open in this case.
    this.#tls.on('tlsClientError', (_error, socket) => {
      options.onHandshakeError?.();
      socket.destroy();
    });
  }

  async listen({ host, port, reusePort = false }: ListenerOptions): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject);
        this.#server.listen({ host, port, reusePort, backlog }, () => {
          this.#server.off('error', reject);
          resolve();
        });
      });
    } catch (error) {
      this.#http1.close();
      throw error;
    }
    // Failing to accept a connection must not end the server.
    this.#server.on('error', (error) => this.#onRefused?.(error));
    this.#accepting = true;
    ({ address: this.address, port: this.port } = this.#server.address() as AddressInfo);
  }

  get connections(): number {
    return this.#sockets.size;
  }

  exchangeTls(material: TlsMaterial): void {
    this.#tls.setSecureContext({ ...this.#secure, ...secrets(material) });
  }

  stopAccepting(): void {
    if (!this.#accepting) return;
    this.#accepting = false;
    this.#gone = new Promise((resolve) => this.#server.close(() => resolve()));
  }

  pauseListening(): void {
    this.#isPaused = true;
    if (this.#accepting) this.#server.close();
  }

  resumeListening(): void {
    this.#isPaused = false;
    this.#listenAgain();
  }

  #listenAgain(): void {
    if (!this.#accepting || this.#isPaused || this.#server.listening) return;
    const { address: host, port } = this;
    // Retries later, because another program may have taken the port.
    const again = (): void => void setTimeout(() => this.#listenAgain(), retryMs).unref();
    this.#server.once('error', again);
    this.#server.listen({ host, port, backlog }, () => {
      this.#server.off('error', again);
      if (!this.#accepting || this.#isPaused) this.#server.close();
    });
  }

  async drain({ timeout, signal }: DrainOptions = {}): Promise<void> {
    this.stopAccepting();
    this.#draining = true;
    for (const socket of this.#handshaking.values()) socket.destroy();
    this.#http1.drain();
    this.#http2.drain();
    const close = (): void => this.#destroySockets();
    const timer = timeout === undefined ? undefined : setTimeout(close, timeout);
    if (signal?.aborted) close();
    signal?.addEventListener('abort', close);
    const stopWatching = closeStalled({ connections: this.#sockets, timeout: this.#stallTimeout });
    await this.#gone;
    stopWatching();
    clearTimeout(timer);
    signal?.removeEventListener('abort', close);
    this.#http1.close();
  }

  async close(): Promise<void> {
    this.stopAccepting();
    this.#draining = true;
    this.#destroySockets();
    this.#http1.close();
    await this.#gone;
  }

  #destroySockets(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  #track(socket: Socket): void {
    if (this.#refuses?.(socket.remoteAddress ?? '')) {
      socket.resetAndDestroy();
      return;
    }
    if (!this.#limits.admit(socket)) return;
    const end = remoteEnd(socket);
    this.#sockets.set(socket, undefined);
    // The reader of the socket handles the error. Without a listener it would be uncaught.
    socket.on('error', () => {});
    this.#handshaking.set(end, socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#handshaking.get(end) === socket) this.#handshaking.delete(end);
    });
    this.#pacer.pace(socket, () => this.#tls.emit('connection', socket));
  }

  #serve(socket: TLSSocket): void {
    const end = remoteEnd(socket);
    const tcpSocket = this.#handshaking.get(end);
    this.#handshaking.delete(end);
    if (this.#draining || tcpSocket === undefined) {
      socket.destroy();
      return;
    }
    const protocol = socket.alpnProtocol === 'h2' ? this.#http2 : this.#http1;
    try {
      this.#sockets.set(tcpSocket, protocol.take(socket));
    } catch (error) {
      // A client that has already disconnected can leave an unusable socket.
      if (!tcpSocket.destroyed) this.#onFault?.(error);
      socket.destroy();
    }
  }
}

function secrets({ cert, key, clientCa }: TlsMaterial): SecureContextOptions {
  // Without `ca`, Node would trust certificates of public CAs.
  return { cert, key, ...(clientCa !== undefined && { ca: [clientCa].flat() }) };
}

function remoteEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function guarded({ onExchange, onFault }: ListenerOptions): (exchange: ServedExchange) => void {
  return (exchange) => {
    try {
      onExchange(exchange);
    } catch (error) {
      exchange.abort();
      onFault?.(error);
    }
  };
}
