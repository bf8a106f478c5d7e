import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import {
  AdmissionChain,
  admissionPlugins,
  certificateSubjectRestriction,
  quotaMeasure,
  resourceQuota,
} from '../admission/index.ts';
import { TokenIssuer } from '../authn/index.ts';
import { Client } from '../client/index.ts';
import { builtInControllers, type Controller, runControllers, selectControllers } from '../controllers/index.ts';
import { type Listener, startListener } from '../http/listener/index.ts';
import { ResourceSet } from '../registry/index.ts';
import { builtInResources, isBuiltInKind, requestedOrganizations } from '../resources/index.ts';
import {
  ensureDefaultServiceCidr,
  parseNodePortRange,
  parseServiceRanges,
  ServiceTransactions,
  serviceAddress,
} from '../service-addresses/index.ts';
import { createMemoryStorage, openEmbeddedStorage, type Storage, startCompactor } from '../storage/index.ts';
import { CachedObjectStore, RecentBytes } from '../store/index.ts';
import { apiHandler } from './api-handler.ts';
import { ensureKubernetesService, ensureSystemNamespaces, ensureSystemPriorityClasses } from './bootstrap-objects.ts';
import { buildInfo } from './build-info.ts';
import {
  adminKubeconfig,
  type Certificates,
  ensureCertificates,
  ensureServiceAccountKey,
  servingHosts,
  writeKubeconfig,
} from './certificates/index.ts';
import { serverHealth } from './health.ts';
import { inProcessFetch } from './in-process-fetch.ts';
import { type ResolvedOptions, resolveOptions, type ServerOptions } from './options.ts';
import { applyRuntimeConfig } from './runtime-config.ts';
import { virtualResources } from './virtual/index.ts';

/** A running API server. */
export interface Server {
  readonly version: string;
  readonly url: string;
  /** For the administrator: YAML with everything that a client needs. */
  readonly kubeconfig: string;
  /** Where the kubeconfig has been written; undefined when the server has no data directory. */
  readonly kubeconfigFile: string | undefined;
  readonly dataDir: string | undefined;
  /** The administrator's client, without a socket in between. */
  readonly client: Client;
  /** Drains and ends the server: nothing of it is left when this resolves. Idempotent. */
  stop(): Promise<void>;
}

/** What may be kept of lists in the form in which they are sent. */
const encodedListBudget = 64 * 1024 * 1024;
/** Who has signed a service account's token, and for whom it is unless it says otherwise. */
const serviceAccountIssuer = 'https://kubernetes.default.svc.cluster.local';

/**
 * Starts a server and resolves when it is ready. Any number of them live in one process. Rejects with a RangeError for bad
 * options, and with a StorageError of code `InUse` when the data directory belongs to another server.
 */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const resolved = resolveOptions(options);
  const definitions = applyRuntimeConfig(builtInResources, resolved.runtimeConfig);
  const dataDir = resolved.dataDir === undefined ? undefined : resolve(resolved.dataDir);
  // First of all, because who has the store has the directory: nobody else writes certificates into it from here on.
  const storage = await openStorage(resolved, dataDir);
  const stopping = new AbortController();
  try {
    const certificates = await loadCertificates(resolved, dataDir);
    return await run({ options: resolved, definitions, dataDir, storage, certificates, stopping });
  } catch (error) {
    stopping.abort();
    await storage.close();
    throw error;
  }
}

function openStorage({ storage }: ResolvedOptions, dataDir: string | undefined): Promise<Storage> {
  if (storage === 'memory') return Promise.resolve(createMemoryStorage());
  return openEmbeddedStorage({ directory: join(dataDir!, 'store') });
}

interface ServingMaterial {
  readonly own: Certificates;
  /** PEM: signs service account tokens. */
  readonly serviceAccountKey: string;
  readonly cert: string;
  readonly key: string;
  /** The CAs whose client certificates are trusted. The server's own stays among them: its kubeconfig must work. */
  readonly clientCa: readonly string[];
}

async function loadCertificates(options: ResolvedOptions, dataDir: string | undefined): Promise<ServingMaterial> {
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile, bindAddress } = options;
  // Where programs inside the cluster find the server.
  const serviceIp = serviceAddress(parseServiceRanges(options.serviceClusterIpRange));
  const hosts = servingHosts({ bindAddress, extraHosts: [serviceIp] });
  const [own, serviceAccountKey, cert, key, clientCa] = await Promise.all([
    ensureCertificates({ hosts, ...(dataDir !== undefined && { directory: join(dataDir, 'pki') }) }),
    ensureServiceAccountKey(dataDir === undefined ? undefined : join(dataDir, 'pki', 'service-account.key')),
    tlsCertFile === undefined ? undefined : readFile(tlsCertFile, 'utf8'),
    tlsPrivateKeyFile === undefined ? undefined : readFile(tlsPrivateKeyFile, 'utf8'),
    clientCaFile === undefined ? undefined : readFile(clientCaFile, 'utf8'),
  ]);
  return {
    own,
    serviceAccountKey,
    cert: cert ?? own.servingCert,
    key: key ?? own.servingKey,
    clientCa: clientCa === undefined ? [own.caCert] : [own.caCert, clientCa],
  };
}

interface Parts {
  readonly options: ResolvedOptions;
  readonly definitions: ConstructorParameters<typeof ResourceSet>[0]['definitions'];
  readonly dataDir: string | undefined;
  readonly storage: Storage;
  readonly certificates: ServingMaterial;
  readonly stopping: AbortController;
}

async function run({ options, definitions, dataDir, storage, certificates, stopping }: Parts): Promise<Server> {
  const { signal } = stopping;
  const selected = selectControllers(
    options.controllers,
    builtInControllers({ caCert: servedCa(options, certificates), quotaMeasure }),
  );
  const encoded = new RecentBytes(encodedListBudget);
  const tokens = new TokenIssuer({ key: certificates.serviceAccountKey, issuer: serviceAccountIssuer });
  const virtual = virtualResources({ storage, tokens });
  const ranges = parseServiceRanges(options.serviceClusterIpRange);
  const resources = new ResourceSet({
    definitions,
    isKind: isBuiltInKind,
    openStore: (prefix) => new CachedObjectStore({ storage, prefix, encoded, signal }),
    admission: (objects) => {
      const subjects = certificateSubjectRestriction(requestedOrganizations);
      return new AdmissionChain([...admissionPlugins, subjects, resourceQuota(objects)], objects);
    },
    transactions: ({ group, resource }, set) =>
      group === '' && resource === 'services'
        ? new ServiceTransactions({
            resources: set,
            ranges,
            nodePorts: parseNodePortRange(options.serviceNodePortRange),
          })
        : undefined,
    virtual: virtual.resource,
    subresource: virtual.subresource,
  });
  const shutdown = new AbortController();
  const stopWatches = new AbortController();
  const health = serverHealth({
    options,
    storage,
    resources,
    servingCert: certificates.cert,
    shutdown: shutdown.signal,
    hooks: {
      'start-system-namespaces-controller': () => ensureSystemNamespaces(client),
      'scheduling/bootstrap-system-priority-classes': () => ensureSystemPriorityClasses(client),
      'start-kubernetes-service-cidr-controller': () => ensureDefaultServiceCidr(client, ranges),
      'bootstrap-controller': () =>
        ensureKubernetesService(client, { port: listener.port, ip: serviceAddress(ranges) }),
    },
  });
  const serverAddress = (): string => `${urlHost(options.bindAddress)}:${listener.port}`;
  const api = apiHandler({ options, resources, health: health.checks, stopWatches: stopWatches.signal, serverAddress });
  const client = new Client(inProcessFetch(api.handle));
  startCompactor({
    storage,
    retention: options.compactionRetentionMs,
    signal,
    onError: (err) => options.log.error('compaction failed', { err }),
  });
  const listener = await startListener({
    host: options.bindAddress,
    port: options.securePort,
    cert: certificates.cert,
    key: certificates.key,
    clientCa: certificates.clientCa,
    maxConcurrentStreams: options.http2MaxStreamsPerConnection,
    onExchange: api.handle,
    onFault: (err) => options.log.error('request handler failed', { err }),
  });
  const controllers = new RunningControllers({ options, client, controllers: selected });
  const stop = stopper({ options, storage, stopping, shutdown, stopWatches, listener, api, controllers });
  try {
    await health.hooks.start(shutdown.signal);
    // Behind the namespaces, in one of which their lease is. Nobody has to wait for them.
    controllers.start();
    const url = `https://${urlHost(options.bindAddress)}:${listener.port}`;
    const { adminCert, adminKey } = certificates.own;
    const kubeconfig = adminKubeconfig({
      server: url,
      caCert: servedCa(options, certificates),
      cert: adminCert,
      key: adminKey,
    });
    const kubeconfigFile = dataDir === undefined ? undefined : join(dataDir, 'admin.kubeconfig');
    if (kubeconfigFile !== undefined) await writeKubeconfig(kubeconfigFile, kubeconfig);
    return { version: buildInfo().packageVersion, url, kubeconfig, kubeconfigFile, dataDir, client, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A certificate of the user's own is trusted as it is: who signed it is not known here. */
function servedCa({ tlsCertFile }: ResolvedOptions, { cert, own }: ServingMaterial): string {
  return tlsCertFile === undefined ? own.caCert : cert;
}

/** Where clients on this machine find a server that listens everywhere. */
function urlHost(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}

interface Running {
  readonly options: ResolvedOptions;
  readonly storage: Storage;
  readonly stopping: AbortController;
  readonly stopWatches: AbortController;
  readonly listener: Listener;
  readonly api: ReturnType<typeof apiHandler>;
  /** Its abort makes the server say that it is not ready any more. */
  readonly shutdown: AbortController;
  readonly controllers: RunningControllers;
}

/** First the server says that it goes, then it goes: watches end, writes in flight finish, then everything is released. */
function stopper(running: Running): () => Promise<void> {
  const { options, storage, stopping, shutdown, stopWatches, listener, api, controllers } = running;
  const sequence = async (): Promise<void> => {
    shutdown.abort();
    if (options.shutdownDelayMs > 0) await new Promise((done) => setTimeout(done, options.shutdownDelayMs));
    listener.stopAccepting();
    // They end in order as long as their requests are answered.
    const controllersStopped = controllers.stop();
    stopWatches.abort();
    const drained = listener.drain({ timeout: options.requestTimeoutMs });
    await controllersStopped;
    await Promise.all([drained, api.inFlight.close()]);
    await listener.close();
    stopping.abort();
    await storage.close();
  };
  let stopped: Promise<void> | undefined;
  return () => {
    stopped ??= sequence();
    return stopped;
  };
}

interface ControllerParts {
  readonly options: ResolvedOptions;
  readonly client: Client;
  readonly controllers: readonly Controller[];
}

/** The controllers of this server, from the first moment at which they can run. */
class RunningControllers {
  readonly #parts: ControllerParts;
  readonly #end = new AbortController();
  #done: Promise<void> | undefined;

  constructor(parts: ControllerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { options, client, controllers } = this.#parts;
    this.#done = runControllers(
      {
        client,
        controllers,
        identity: `${hostname()}_${randomUUID()}`,
        version: buildInfo().packageVersion,
        report: (err, controller) => options.log.error('controller failed', { controller, err }),
        // Both kinds of storage belong to one server at a time.
        election: { isAlone: true },
      },
      this.#end.signal,
    );
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#done;
  }
}
