import net, { isIP, type Socket } from 'node:net';
import tls, { type ConnectionOptions } from 'node:tls';
import { type NetworkAddress, withRootCertificates } from '../client/index.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';

/** The address of a backend, and how to connect to it. */
export interface UpstreamServer {
  readonly protocol: 'http:' | 'https:';
  readonly host: string;
  readonly port: number;
  /** TLS options for HTTPS. `servername` defaults to the host. */
  readonly tls?: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'> | undefined;
  /** The connect timeout. Default: that of the system. */
  readonly connectTimeoutMs?: number | undefined;
  /** Names the address of each new connection, if it is not the host and the port. TLS still verifies the host. */
  readonly dial?: () => MaybePromise<NetworkAddress>;
}

export interface OpenSocketOptions {
  /** Abort it to destroy the socket while it connects. */
  readonly signal: AbortSignal;
  /** A TLS session to resume. */
  readonly session?: Buffer | undefined;
}

/** Resolves with a socket that is connected and, for HTTPS, has completed the TLS handshake. Rejects with its error. */
export async function openSocket(server: UpstreamServer, { signal, session }: OpenSocketOptions): Promise<Socket> {
  const { protocol, host, port, connectTimeoutMs, dial } = server;
  const address = dial === undefined ? { host, port } : await dial();
  signal.throwIfAborted();
  const isSecure = protocol === 'https:';
  const socket = isSecure ? secureSocket(server, { address, session }) : net.connect({ ...address, noDelay: true });
  // An error while no other listener is attached must not end the process.
  socket.on('error', () => {});
  return new Promise((resolve, reject) => {
    const expire = (): void =>
      void socket.destroy(new Error(`dial tcp ${authority(address.host, address.port)}: i/o timeout`));
    const timer = connectTimeoutMs === undefined ? undefined : setTimeout(expire, connectTimeoutMs);
    const abort = (): void => void socket.destroy(signal.reason as Error);
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.off('error', fail);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    socket.once('error', fail);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      settle();
      resolve(socket);
    });
    signal.addEventListener('abort', abort);
  });
}

function secureSocket(
  { host, tls: options = {} }: UpstreamServer,
  { address, session }: { readonly address: NetworkAddress; readonly session: Buffer | undefined },
): Socket {
  // TLS does not permit an IP address as the name. The certificate must match it anyway.
  const servername = isIP(host) === 0 ? host : '';
  return tls
    .connect({
      ...address,
      servername,
      ALPNProtocols: ['http/1.1'],
      ...(session && { session }),
      ...withRootCertificates(options),
    })
    .setNoDelay();
}

/** A host and a port, as in URLs and in messages. */
export function authority(host: string, port?: number): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}
