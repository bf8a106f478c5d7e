import type { OnReadOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { LoadRequest, Protocol, SlowReading, Target } from './load-plan.ts';

/** A connection that repeats one request. It sends a request only when `start` is called. */
export interface LoadConnection {
  /** Sends the request. */
  start(): void;
  close(): void;
}

export interface LoadConnectionOptions {
  readonly target: Target;
  readonly request: LoadRequest;
  readonly slowReading?: SlowReading | undefined;
  readonly serialsBelow?: number | undefined;
  /** Returns a number that is unique among the requests of the run. */
  readonly nextSerial: () => number;
  readonly onResponse: (connection: LoadConnection, response: LoadResponse) => void;
  readonly onError: (error: Error) => void;
}

export interface LoadResponse {
  readonly startedAt: number;
  readonly bodyBytes: number;
}

export interface SocketOptions {
  readonly target: Target;
  readonly protocol: Protocol;
  readonly slowReading?: SlowReading | undefined;
  /** The connection below TLS. A new one is opened if it is omitted. */
  readonly transport?: Duplex | undefined;
  /** The bytes are valid only during the call, because the buffer is reused. */
  readonly onBytes: (bytes: Buffer) => void;
  readonly onError: (error: Error) => void;
}

/**
 * Opens a TLS connection that passes received bytes to a callback, without a stream in between. The connections
 * implement HTTP on top of it: Node's own clients cost about as much per request as the server under load, so the
 * benchmark would measure the client.
 */
export function openSocket(options: SocketOptions): Promise<TLSSocket> {
  const { target, protocol, slowReading, transport, onBytes, onError } = options;
  let untilPause = slowReading?.bytes ?? Number.POSITIVE_INFINITY;
  const connectionOptions: ConnectionOptions & { onread: OnReadOpts } = {
    host: target.host,
    port: target.port,
    ...(transport && { socket: transport }),
    secureContext: contextOf(target),
    ALPNProtocols: [protocol],
    onread: {
      buffer: Buffer.allocUnsafeSlow(256 * 1024),
      callback: (length, buffer) => {
        onBytes((buffer as Buffer).subarray(0, length));
        untilPause -= length;
        if (!slowReading || untilPause > 0) return true;
        untilPause = slowReading.bytes;
        setTimeout(() => socket.resume(), slowReading.pauseMs);
        return false;
      },
    },
  };
  let socket: TLSSocket;
  return new Promise((resolve, reject) => {
    socket = connect(connectionOptions, () => {
      socket.off('error', reject);
      socket.on('error', onError);
      socket.on('close', () => onError(new Error('the server closed the connection')));
      if (socket.alpnProtocol === protocol) resolve(socket);
      else reject(new Error(`the server speaks ${socket.alpnProtocol || 'no ALPN protocol'}, wanted ${protocol}`));
    });
    // Node.js ignores `onread` above a given transport.
    if (transport) socket.on('data', onBytes);
    else socket.setNoDelay(true);
    socket.once('error', reject);
  });
}

const contexts = new Map<string, SecureContext>();

/** Made once for each server and user: it takes longer than the rest of a connection. */
function contextOf({ ca, cert, key }: Target): SecureContext {
  const name = `${ca}${cert ?? ''}`;
  const known = contexts.get(name) ?? createSecureContext({ ca, ...(cert && { cert }), ...(key && { key }) });
  contexts.set(name, known);
  return known;
}

export function refused(status: number, body: string): Error {
  return new Error(`the server answered ${status}: ${body.slice(0, 500)}`);
}
