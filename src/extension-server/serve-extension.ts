import type { InFlightLimits } from '../flow-control/in-flight-limit.ts';
import { HealthChecks, logCheck, pingCheck, shutdownCheck } from '../http/health/index.ts';
import { withTimeout } from '../http/health/with-timeout.ts';
import { type Listener, startListener, type TlsMaterial } from '../http/listener/index.ts';
import { type Compatibility, type CompatibilityName, compatibilityOf } from '../meta/compatibility.ts';
import { type Logger, silentLogger } from '../meta/logger.ts';
import { MetricsEndpoint, MetricsRegistry, measureHealth, measureProcess } from '../metrics/index.ts';
import { Cluster, ClusterNamespaces, type ClusterOptions, clusterAccess } from './cluster.ts';
import type { AnyResource } from './define-resource.ts';
import { DelegatedAuthentication } from './delegated-authentication.ts';
import { delegatedAuthorizer } from './delegated-authorization.ts';
import { type ExtensionHandler, extensionHandler } from './extension-handler.ts';
import { type Registered, type RegistrationOptions, register, unregister } from './registration.ts';
import { servedResources } from './served-resources.ts';
import { OwnCertificate, type ServingCertificate } from './serving-certificate.ts';
import { Storages } from './stored-objects.ts';

export interface ExtensionOptions {
  /** The API group, such as `metrics.k8s.io`. */
  readonly group: string;
  /** The version, such as `v1beta1`. */
  readonly version: string;
  readonly resources: readonly AnyResource[];
  /** Default: a free port of the loopback address. */
  readonly listen?: { readonly host?: string; readonly port?: number };
  /**
   * The serving certificate, and the CA (PEM) for the API server to verify it, if needed. By default the server creates
   * a certificate at every start.
   */
  readonly tls?: ServingCertificate & { readonly ca?: string };
  readonly cluster?: ClusterOptions;
  /** Registers the group version with the API server. By default nothing is registered. */
  readonly register?: RegistrationOptions;
  /** How long a request other than a watch may take. Default: one minute. */
  readonly requestTimeoutMs?: number;
  /**
   * Maximum numbers of concurrent reads and writes; others are rejected with 429. 0: no limit. Default: 400 and 200.
   */
  readonly maxRequestsInFlight?: number;
  readonly maxMutatingRequestsInFlight?: number;
  /**
   * What decides where the specification of Keelson and kube-apiserver differ. Default: `specification`. A create
   * returns 201 in any case.
   */
  readonly compatibility?: CompatibilityName;
  /** Receives log messages; silent by default. */
  readonly log?: Logger;
}

/** A running extension server. */
export interface ExtensionServer {
  readonly url: string;
  readonly port: number;
  /** The CA (PEM) for `caBundle` of the APIService. Undefined when the option `tls` has none. */
  readonly ca: string | undefined;
  /** Uses another serving certificate for new connections, such as a renewed one. Throws when it cannot be used. */
  replaceCertificate(certificate: ServingCertificate): void;
  /** Ends watches, lets other requests finish and releases everything. Idempotent. */
  stop(): Promise<void>;
}

const renewalCheckMs = 12 * 60 * 60 * 1000;

/**
 * Starts an API server for one group version and resolves when it is ready. Rejects with a RangeError for invalid
 * options, and with an Error when the API server of the cluster cannot be reached or refuses the registration.
 */
export async function serveExtension(options: ExtensionOptions): Promise<ExtensionServer> {
  const { requestTimeoutMs = 60_000, maxRequestsInFlight = 400, maxMutatingRequestsInFlight = 200 } = options;
  if (!(requestTimeoutMs > 0)) throw new RangeError('requestTimeoutMs must be positive');
  const limits = { maxRequestsInFlight, maxMutatingRequestsInFlight };
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isInteger(limit) || limit < 0) throw new RangeError(`${name} must be a number of requests`);
  }
  if (options.resources.length === 0) throw new RangeError('resources: at least one is required');
  const compatibility = { ...compatibilityOf(options.compatibility ?? 'specification'), createdStatus: 201 as const };
  const server = new Extension({ ...options, ...limits, requestTimeoutMs, compatibility });
  try {
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

type ResolvedOptions = Omit<ExtensionOptions, 'compatibility'> &
  InFlightLimits & { readonly requestTimeoutMs: number; readonly compatibility: Compatibility };

class Extension implements ExtensionServer {
  url = '';
  port = 0;
  readonly #options: ResolvedOptions;
  readonly #log: Logger;
  readonly #registry = new MetricsRegistry();
  readonly #cluster: Cluster;
  readonly #authentication: DelegatedAuthentication;
  readonly #storages: Storages;
  readonly #own: OwnCertificate | undefined;
  #certificate: ServingCertificate;
  /** Abort it to make `/readyz` fail. */
  readonly #shutdown = new AbortController();
  readonly #stopWatches = new AbortController();
  readonly #stopping = new AbortController();
  #listener: Listener | undefined;
  #handler: ExtensionHandler | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #registered: Registered | undefined;
  #stopped: Promise<void> | undefined;

  /** Throws a RangeError for a cluster that cannot be used. */
  constructor(options: ResolvedOptions) {
    const { log = silentLogger, tls } = options;
    this.#options = options;
    this.#log = log;
    this.#cluster = new Cluster(clusterAccess(options.cluster ?? {}), this.#registry);
    this.#authentication = new DelegatedAuthentication(this.#cluster, log);
    this.#storages = new Storages((err) => log.error('compaction failed', { err }), this.#stopping.signal);
    this.#own = tls === undefined ? new OwnCertificate(servingHosts(options)) : undefined;
    this.#certificate = tls ?? this.#own!.pair;
  }

  get ca(): string | undefined {
    return this.#own?.ca ?? this.#options.tls?.ca;
  }

  async start(): Promise<void> {
    const { group, version, resources, compatibility, listen: { host = '127.0.0.1', port = 0 } = {} } = this.#options;
    const { signal } = this.#stopping;
    const log = this.#log;
    const namespaces = new ClusterNamespaces(this.#cluster, log, signal);
    const [served] = await Promise.all([
      servedResources({ group, version, resources, storages: this.#storages, namespaces, compatibility, log, signal }),
      this.#authentication.load(),
    ]);
    if (!this.#authentication.hasFrontProxy) {
      log.info('the API server has not published its CA for proxied requests: it cannot forward requests yet');
    }
    const indicators = new MetricsRegistry();
    const registries = { '/metrics': this.#registry, '/metrics/slis': indicators };
    measureProcess(this.#registry, signal);
    const health = new HealthChecks({ log: (message) => log.error(message), onOutcome: measureHealth(indicators) });
    health.add(
      pingCheck,
      logCheck(() => log.flush()),
      { name: 'storage', endpoints: ['livez', 'readyz', 'healthz'], run: (probe) => this.#storages.probe(probe) },
      {
        name: 'backends',
        endpoints: ['readyz'],
        run: () => {
          const missing = served.notLoaded();
          if (missing.length > 0) throw new Error(`not loaded yet: ${missing.join(', ')}`);
        },
      },
      shutdownCheck(this.#shutdown.signal),
    );
    const shownHost = host.includes(':') ? `[${host}]` : host;
    const handler = extensionHandler({
      resources: served.set,
      health,
      authentication: this.#authentication.chain,
      authorizer: delegatedAuthorizer(this.#cluster),
      requestTimeoutMs: this.#options.requestTimeoutMs,
      limits: this.#options,
      compatibility,
      meter: this.#registry,
      pathHandlers: [new MetricsEndpoint({ registries, allowsReset: false })],
      stopWatches: this.#stopWatches.signal,
      serverAddress: () => `${shownHost}:${this.port}`,
      log,
    });
    this.#handler = handler;
    this.#listener = await startListener({
      host,
      port,
      ...this.#tls,
      onExchange: handler.handle,
      onFault: (err) => log.error('request handler failed', { err }),
    });
    this.port = this.#listener.port;
    this.url = `https://${isUnspecified(host) ? '127.0.0.1' : shownHost}:${this.port}`;
    this.#authentication.follow(() => this.#listener?.exchangeTls(this.#tls), signal);
    if (this.#own !== undefined) this.#renewal = setInterval(() => this.#renew(), renewalCheckMs).unref();
    await this.#register();
  }

  get #tls(): TlsMaterial {
    return { ...this.#certificate, clientCa: this.#authentication.trusted };
  }

  async #register(): Promise<void> {
    const { group, version, register: registration } = this.#options;
    if (registration === undefined) return;
    const { client } = this.#cluster;
    this.#registered = { client, options: registration, group, version, ca: this.ca, port: this.port };
    await register(this.#registered);
  }

  replaceCertificate(certificate: ServingCertificate): void {
    const before = this.#certificate;
    this.#certificate = certificate;
    try {
      this.#listener?.exchangeTls(this.#tls);
    } catch (error) {
      this.#certificate = before;
      throw error;
    }
  }

  /** Renews the serving certificate. Clients trust the CA, which stays the same. */
  #renew(): void {
    if (this.#own?.renew(new Date())) this.replaceCertificate(this.#own.pair);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#shutdown.abort();
    clearInterval(this.#renewal);
    if (this.#registered?.options.removeOnStop) {
      await unregister(this.#registered).catch((err) => this.#log.error('registration not removed', { err }));
    }
    this.#listener?.stopAccepting();
    this.#stopWatches.abort();
    const timeout = this.#options.requestTimeoutMs;
    const expired = (): Error => new Error('requests are still running');
    await Promise.all([
      this.#listener?.drain({ timeout }),
      withTimeout(async () => this.#handler?.inFlight.close(), { timeout, expired }),
    ]).catch((err) => this.#log.error('the drain took too long', { err }));
    await this.#listener?.close();
    this.#stopping.abort();
    this.#cluster.close();
    await this.#storages.close();
  }
}

function servingHosts({ listen, register: registration }: Pick<ExtensionOptions, 'listen' | 'register'>): string[] {
  const { host } = listen ?? {};
  const { service, address } = registration ?? {};
  const names = service === undefined ? [] : [`${service.name}.${service.namespace}.svc`];
  return [...names, ...[host, address].filter((one) => one !== undefined && !isUnspecified(one))] as string[];
}

function isUnspecified(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
