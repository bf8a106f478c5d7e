import { constants } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from 'node:tls';
import type { Exchange } from '../exchange.ts';
import { defaultCiphers } from './ciphers.ts';
import { Http1Server } from './http1-server.ts';
import { Http2Sessions } from './http2-sessions.ts';
import { closeStalled, type Turn } from './stalled-connections.ts';
import { defaultTimeouts, type ListenerTimeouts } from './timeouts.ts';

/** By what both ends prove who they are. */
export interface TlsMaterial {
  /** PEM: the serving certificate, with intermediate ones behind it, and its key. */
  readonly cert: string;
  readonly key: string;
  /** PEM: the CAs whose client certificates are trusted. Without any, clients are not asked for a certificate. */
  readonly clientCa?: string | readonly string[];
}

export interface ListenerOptions extends TlsMaterial {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly minTlsVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** OpenSSL's names. Those without forward secrecy or authenticated encryption are left out by default. */
  readonly ciphers?: readonly string[];
  /** Streams at a time on one HTTP/2 connection. */
  readonly maxConcurrentStreams?: number;
  /** Of all headers of a request, in bytes. */
  readonly maxHeaderSize?: number;
  readonly timeouts?: Partial<ListenerTimeouts>;
  /** Called for every request, in the tick in which its headers arrive. What it throws ends the exchange without an answer. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Told what `onExchange` has thrown, and why a connection could not be taken. */
  readonly onFault?: (error: unknown) => void;
}

export interface DrainOptions {
  /** After so many milliseconds, what is still open is closed hard. */
  readonly timeout?: number;
  /** When it aborts, what is still open is closed hard. */
  readonly signal?: AbortSignal;
}

export interface Listener {
  readonly address: string;
  readonly port: number;
  /**
   * For the connections that come. Throws when certificate and key cannot be used. Whether clients are asked for a
   * certificate at all stays as it is.
   */
  exchangeTls(material: TlsMaterial): void;
  /** Gives the port back. Connections that are open stay and may make further requests. */
  stopAccepting(): void;
  /**
   * Stops accepting, closes idle connections at once and the others after the answers that are under way. A connection on
   * which nothing moves while the client has to send or to read something is closed, too (`timeouts.stall`). Resolves when no
   * connection is left.
   */
  drain(options?: DrainOptions): Promise<void>;
  /** Cuts every connection. Resolves when nothing of the listener is left. May be called at any time, and again. */
  close(): Promise<void>;
}

/** Listens for HTTP/2 and HTTP/1.1 over TLS. Resolves once connections are accepted; rejects when the port cannot be had. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const listener = new TlsListener(options);
  await listener.listen(options);
  return listener;
}

class TlsListener implements Listener {
  address = '';
  port = 0;
  readonly #server: Server;
  readonly #secure: Pick<SecureContextOptions, 'minVersion' | 'ciphers' | 'honorCipherOrder' | 'secureOptions'>;
  readonly #http1: Http1Server;
  readonly #http2: Http2Sessions;
  /** Every TCP connection, also while its handshake is under way; behind it, what is known of its requests. */
  readonly #sockets = new Map<Socket, Turn | undefined>();
  /** Those whose handshake is under way, by their remote end, which is all that links a TCP to its TLS socket. */
  readonly #handshaking = new Map<string, Socket>();
  readonly #stallTimeout: number;
  readonly #onFault: ListenerOptions['onFault'];
  readonly #gone: Promise<void>;
  #accepting = false;
  #draining = false;

  constructor(options: ListenerOptions) {
    const timeouts = { ...defaultTimeouts, ...options.timeouts };
    const shared = { timeouts, maxHeaderSize: options.maxHeaderSize ?? 64 * 1024, onExchange: guarded(options) };
    this.#stallTimeout = timeouts.stall;
    this.#onFault = options.onFault;
    this.#http1 = new Http1Server(shared);
    this.#http2 = new Http2Sessions({ ...shared, maxConcurrentStreams: options.maxConcurrentStreams ?? 250 });
    this.#secure = {
      minVersion: options.minTlsVersion ?? 'TLSv1.2',
      ciphers: (options.ciphers ?? defaultCiphers).join(':'),
      honorCipherOrder: true,
      // A resumed session has the client's certificate without those of the CAs between it and the one that is trusted.
      secureOptions: constants.SSL_OP_NO_TICKET,
    };
    this.#server = createServer({
      ...this.#secure,
      ...secrets(options),
      requestCert: options.clientCa !== undefined,
      // Whether a certificate is needed, and what a bad one means, is for authentication to say.
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
      handshakeTimeout: timeouts.handshake,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 180_000,
    });
    this.#server.on('connection', (socket: Socket) => this.#track(socket));
    this.#server.on('secureConnection', (socket) => this.#serve(socket));
    // Also for a handshake that takes too long, after which node leaves the socket open.
    this.#server.on('tlsClientError', (_error, socket) => socket.destroy());
    this.#gone = new Promise((resolve) => this.#server.once('close', () => resolve()));
  }

  async listen({ host, port }: ListenerOptions): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject);
        this.#server.listen({ host, port }, () => {
          this.#server.off('error', reject);
          resolve();
        });
      });
    } catch (error) {
      this.#http1.close();
      throw error;
    }
    // A connection that cannot be accepted, because too many files are open, is the client's loss and not the server's end.
    this.#server.on('error', (error) => this.#onFault?.(error));
    this.#accepting = true;
    ({ address: this.address, port: this.port } = this.#server.address() as AddressInfo);
  }

  exchangeTls(material: TlsMaterial): void {
    this.#server.setSecureContext({ ...this.#secure, ...secrets(material) });
  }

  stopAccepting(): void {
    if (!this.#accepting) return;
    this.#accepting = false;
    this.#server.close();
  }

  async drain({ timeout, signal }: DrainOptions = {}): Promise<void> {
    this.stopAccepting();
    this.#draining = true;
    for (const socket of this.#handshaking.values()) socket.destroy();
    this.#http1.drain();
    this.#http2.drain();
    const cut = (): void => this.#cut();
    const timer = timeout === undefined ? undefined : setTimeout(cut, timeout);
    if (signal?.aborted) cut();
    signal?.addEventListener('abort', cut);
    const stopWatching = closeStalled({ connections: this.#sockets, timeout: this.#stallTimeout });
    await this.#gone;
    stopWatching();
    clearTimeout(timer);
    signal?.removeEventListener('abort', cut);
    this.#http1.close();
  }

  async close(): Promise<void> {
    this.stopAccepting();
    this.#draining = true;
    this.#cut();
    this.#http1.close();
    await this.#gone;
  }

  #cut(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  #track(socket: Socket): void {
    const end = remoteEnd(socket);
    this.#sockets.set(socket, undefined);
    // Whoever reads from it hears of it, too.
    socket.on('error', () => {});
    this.#handshaking.set(end, socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#handshaking.get(end) === socket) this.#handshaking.delete(end);
    });
  }

  #serve(socket: TLSSocket): void {
    const end = remoteEnd(socket);
    const tcpSocket = this.#handshaking.get(end);
    this.#handshaking.delete(end);
    // The protocols have listeners of their own, but not after they are done with a socket.
    socket.on('error', () => {});
    if (this.#draining || tcpSocket === undefined) {
      socket.destroy();
      return;
    }
    const protocol = socket.alpnProtocol === 'h2' ? this.#http2 : this.#http1;
    try {
      this.#sockets.set(tcpSocket, protocol.take(socket));
    } catch (error) {
      // A client that is gone already can leave a socket with which nothing can be begun.
      if (!tcpSocket.destroyed) this.#onFault?.(error);
      socket.destroy();
    }
  }
}

function secrets({ cert, key, clientCa }: TlsMaterial): SecureContextOptions {
  // Without CAs of our own node would trust certificates of the public ones.
  return { cert, key, ...(clientCa !== undefined && { ca: [clientCa].flat() }) };
}

function remoteEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function guarded({ onExchange, onFault }: ListenerOptions): (exchange: Exchange) => void {
  return (exchange) => {
    try {
      onExchange(exchange);
    } catch (error) {
      exchange.abort();
      onFault?.(error);
    }
  };
}
