import type { Faults } from '../fault-injection/index.ts';
import type { ServedExchange } from '../http/exchange.ts';
import { ciphersOf, type Listener, startListener } from '../http/listener/index.ts';
import type { OptionFiles } from './files/option-files.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';
import { RefusedConnections } from './refused-connections.ts';
import type { ServerMetrics } from './server-metrics.ts';
import type { AdditionalThread } from './threads/additional-thread.ts';
import { LargeRequestListener } from './threads/large-request-listener.ts';

interface ListenerDependencies {
  readonly material: KeyMaterial;
  /** Set in an additional thread. */
  readonly additionalThread: AdditionalThread | undefined;
  readonly files: OptionFiles;
  readonly metrics: ServerMetrics;
  readonly faults: Pick<Faults, 'refuses'> | undefined;
  readonly handle: (exchange: ServedExchange) => void;
  readonly signal: AbortSignal;
}

/** Starts the listener according to the options of a server. */
export async function serverListener(
  options: ResolvedOptions,
  { material, additionalThread, files, metrics, faults, handle, signal }: ListenerDependencies,
): Promise<Listener> {
  if (additionalThread?.role === 'large requests') {
    const listener = new LargeRequestListener({ port: additionalThread.port, handle });
    additionalThread.onLargeRequests = (port) => listener.accept(port);
    return listener;
  }
  const refused = new RefusedConnections(options);
  // The threads of a process share its file descriptors.
  if (additionalThread === undefined) refused.watch(signal);
  return startListener({
    host: options.bindAddress,
    port: additionalThread?.port ?? options.securePort,
    reusePort: options.threads > 1,
    ...material.tls,
    ...(options.tlsMinVersion === 'VersionTLS13' && { minTlsVersion: 'TLSv1.3' }),
    ...(options.tlsCipherSuites !== undefined && { ciphers: ciphersOf(options.tlsCipherSuites) }),
    maxConcurrentStreams: options.http2MaxStreamsPerConnection,
    maxConnectionsPerClient: options.maxConnectionsPerClient,
    // A connection uses the certificates that are current when it is accepted.
    onConnection: additionalThread && (() => files.catchUp()),
    onExchange: handle,
    refuses: faults?.refuses,
    onHandshakeError: metrics.onHandshakeError,
    onRefused: (error) => refused.report(error),
    onFault: (err) => options.log.error('request handler failed', { err }),
  });
}
