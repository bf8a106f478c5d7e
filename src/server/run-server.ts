import { checkPolicyTypes } from '../admission/index.ts';
import type { AuthenticationChain } from '../authn/index.ts';
import { ensureAuthenticationConfigMap } from '../bootstrap/authentication-config-map.ts';
import { ensureSystemNamespaces } from '../bootstrap/bootstrap-objects.ts';
import { Client, meteredFetch } from '../client/index.ts';
import { type CheckTypes, selectControllers } from '../controllers/index.ts';
import { buildInfo } from '../http/discovery/index.ts';
import { OpenId } from '../http/openid/index.ts';
import { podSubresources } from '../kubelet/index.ts';
import { largeDocument } from '../meta/turns.ts';
import type { MetricsRegistry } from '../metrics/index.ts';
import { ProfilingEndpoint } from '../profiling/index.ts';
import { proxySubresources } from '../proxy/index.ts';
import { type ResourceDefinition, servedTypes } from '../registry/index.ts';
import { parseServiceRanges } from '../service-addresses/index.ts';
import type { Storage } from '../storage/index.ts';
import type { ReviewToken } from '../virtual/reviews/index.ts';
import { AdminKubeconfig } from './admin-kubeconfig.ts';
import { loadAdmissionConfiguration } from './admission/admission-configuration.ts';
import { advertisedAddress } from './advertised-address.ts';
import { Aggregation } from './aggregation.ts';
import { apiHandler } from './api-handler.ts';
import { BackgroundWork } from './background-work.ts';
import { admittedConnections } from './connections.ts';
import { CorruptObjects } from './corrupt-objects.ts';
import { serveCustomResources } from './custom-resources.ts';
import { defaultObjectCreator } from './default-objects.ts';
import type { ServerEncryption } from './encryption.ts';
import type { OptionFiles } from './files/option-files.ts';
import { serverFlowControl } from './flow-control.ts';
import { followAdmission } from './follow-admission.ts';
import { serverHealth } from './health.ts';
import { authentication, loadPermissions, publishedTrust, serverAuthorization, tokenIssuer } from './identity/index.ts';
import { inProcessFetch } from './in-process/in-process-fetch.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';
import {
  afterStorageVersions,
  finishedHooks,
  hooksInCopy,
  type LoadedAtStart,
  postStartHooks,
} from './post-start-hooks.ts';
import { recentAudit } from './recent-audit.ts';
import { serverControllers } from './running-controllers.ts';
import { hasSeveralWriters, servedResources } from './served-resources.ts';
import type { Server } from './server.ts';
import { serverAudit } from './server-audit.ts';
import type { StartInternals } from './server-components.ts';
import { serverConsole } from './server-console.ts';
import { serverFaults } from './server-faults.ts';
import { serverKubelets } from './server-kubelets.ts';
import { serverListener } from './server-listener.ts';
import { ServerMetrics } from './server-metrics.ts';
import { statusPage, type ThreadRequestCounts } from './server-status.ts';
import { serverTracing } from './server-tracing.ts';
import { defaultSettleMs } from './sharing-timings.ts';
import { createStop } from './stop-server.ts';
import type { AdditionalThread } from './threads/additional-thread.ts';
import type { ApiThreads } from './threads/api-threads.ts';
import { afterCatchingUp } from './threads/catching-up.ts';
import { ConnectionRebalancing } from './threads/connection-rebalancing.ts';
import { LargeRequests } from './threads/large-requests.ts';
import type { ServingThread } from './threads/thread-protocol.ts';

export interface RunOptions {
  readonly options: ResolvedOptions;
  readonly definitions: readonly ResourceDefinition[];
  readonly dataDir: string | undefined;
  readonly internals: StartInternals;
  /** The additional threads. Undefined if there are none, and in the additional threads. */
  readonly threads?: ApiThreads | undefined;
  /** Resolves when the storage thread that all threads share has ended. */
  readonly failed?: Promise<Error> | undefined;
  /** Set in an additional thread. */
  readonly additionalThread?: AdditionalThread | undefined;
  /** The storage as it was opened, without wrappers. */
  readonly store: Storage;
  readonly encryption: ServerEncryption;
  readonly material: KeyMaterial;
  readonly files: OptionFiles;
  /** Keeps the metrics of the server. Undefined when metrics are off. */
  readonly registry: MetricsRegistry | undefined;
  readonly stopping: AbortController;
}

export interface RunningServer {
  readonly server: Server;
  readonly thread: ServingThread;
}

/** Creates and connects the parts of a server, starts them, and resolves when the server is ready. */
export async function runServer({
  options,
  definitions,
  dataDir,
  store,
  encryption,
  material,
  files,
  registry,
  stopping,
  internals: { onReady, isCopy = false, findDecoded, observers = [], largeRequestBytes = largeDocument, ...timings },
  threads,
  failed = new Promise(() => {}),
  additionalThread: additional,
}: RunOptions): Promise<RunningServer> {
  const startTime = additional?.startTime ?? new Date();
  // The first thread does the work that only one thread may do.
  const isFirstThread = additional === undefined;
  const otherThreads = threads ?? additional;
  const { signal } = stopping;
  const { storage } = encryption;
  const isShared = storage.watchesLag;
  const publishesStorageVersions = options.featureGates.StorageVersionAPI;
  const stopCalls = new AbortController();
  signal.addEventListener('abort', () => stopCalls.abort(), { once: true });
  const metrics = new ServerMetrics({ options, dataDir, store, registry, others: otherThreads, signal });
  const permissions = await loadPermissions(options, { files, meter: metrics.meter, stopCalls: stopCalls.signal });
  const admissionConfiguration = await loadAdmissionConfiguration(options.admissionControlConfigFile, {
    enabled: options.admissionPlugins,
    files,
  });
  const issuer = tokenIssuer(options, material);
  // `resources` is assigned below, before the controllers start.
  const checkTypes: CheckTypes = (policy) => checkPolicyTypes(policy, servedTypes(resources));
  const settleMs = isShared ? (timings.settleMs ?? defaultSettleMs) : 0;
  // `thread` is assigned below, before the controllers start.
  const createsEnded: ServingThread['createsEnded'] = (scope) => thread.createsEnded(scope);
  const known = serverControllers({
    material,
    tokens: issuer,
    checkPolicyTypes: checkTypes,
    namespaces: { graceMs: settleMs, createsEnded: (namespace) => createsEnded({ namespace }) },
    collectsStorageVersions: publishesStorageVersions,
  });
  const selected = selectControllers(options.controllers, known);
  const ranges = parseServiceRanges(options.serviceClusterIpRange);
  // `tokens` is assigned below, before the first review.
  const reviewToken: ReviewToken = (token, audiences) => tokens.authenticate(token, audiences);
  const corrupt = new CorruptObjects(options.log, metrics.meter);
  const resources = servedResources({
    options,
    files,
    definitions,
    storage,
    corrupt,
    ranges,
    permissions,
    admissionConfiguration,
    issuer,
    reviewToken,
    kept: selected.flatMap(({ keeps }) => keeps ?? []),
    findDecoded,
    meter: metrics.meter,
    stopCalls: stopCalls.signal,
    signal,
  });
  // Started here and awaited later, because there may be many definitions.
  const stopWatches = new AbortController();
  const aggregation = new Aggregation({
    options,
    resources,
    corrupt,
    material,
    isShared,
    meter: metrics.meter,
    serverId: otherThreads?.serverId,
    recheck: additional && ((name) => additional.recheck(name)),
    stopWatches: stopWatches.signal,
    stopCalls: stopCalls.signal,
    signal,
  });
  const onGroup = (group: string): void => aggregation.groupChanged(group);
  const customResources = serveCustomResources({
    options,
    resources,
    definitions,
    client: () => client,
    onGroup,
    settleMs,
    createsEnded,
    meter: metrics.meter,
    stopCalls: stopCalls.signal,
    signal,
  });
  customResources.catch(() => {});
  const loading: LoadedAtStart = {
    admission: followAdmission({ options, resources, signal }),
    definitions: customResources,
    apiServices: aggregation.follow(),
  };
  const [createDefault] = await Promise.all([
    defaultObjectCreator({ options, storage, resources }),
    permissions.follow(resources, signal),
    loading.admission,
    loading.apiServices,
  ]);
  const flowControl = await serverFlowControl({
    options,
    resources,
    meter: metrics.meter,
    others: otherThreads,
    client: () => client,
    createDefault,
    isCopy,
    signal,
  });
  const authenticate: AuthenticationChain['authenticate'] = (credentials) => chain.authenticate(credentials);
  const console = await serverConsole({ options, material, authenticate, signIns: additional?.signIns });
  const { meter } = metrics;
  const { authenticators: others, visitors, withRights } = console;
  const { chain, tokens } = await authentication({
    options,
    files,
    resources,
    material,
    others,
    visitors,
    meter,
    stopCalls: stopCalls.signal,
    signal,
  });
  const audit = await serverAudit(options, { file: additional?.auditFile, files, meter, signal });
  const tracing = await serverTracing(options, files);
  const kubelets = await serverKubelets({ options, files, objects: resources.current, signal });
  const advertised = options.advertiseAddress ?? advertisedAddress(options.bindAddress);
  const shutdown = new AbortController();
  const port = { close: () => listener.pauseListening(), open: () => listener.resumeListening() };
  const testApi = await serverFaults(options, { storage, port, signal: shutdown.signal });
  const publishTrust = (): Promise<void> =>
    ensureAuthenticationConfigMap(client, publishedTrust(options, material), { isShared });
  const firstThreadHooks = postStartHooks({
    options,
    resources,
    storage,
    aggregation,
    flowControl,
    ranges,
    createDefault,
    publishTrust,
    advertised,
    isCopy,
    loading,
    completeServiceAddresses: hasSeveralWriters({ options, storage })
      ? () => work.completeServiceAddresses()
      : undefined,
    hasLease: isShared || publishesStorageVersions,
    client: () => client,
    port: () => listener.port,
    sharedStoreTasks: () => work.sharedStoreTasks,
    signal,
  });
  const hooks = { ...encryption.hooks, ...(isFirstThread ? firstThreadHooks : finishedHooks(firstThreadHooks)) };
  const updateStorageVersions = async (): Promise<void> => {
    if (!isFirstThread) return;
    await ensureSystemNamespaces(client);
    await work.sharedStoreTasks!.updateStorageVersions();
  };
  const health = serverHealth({
    options,
    storage,
    encryption: encryption.checks,
    missing: () => aggregation.missing(),
    corrupt,
    servingCert: () => material.cert,
    shutdown: shutdown.signal,
    onOutcome: metrics.onHealthOutcome,
    hooks: publishesStorageVersions
      ? afterStorageVersions(hooks, updateStorageVersions)
      : isCopy
        ? hooksInCopy(hooks)
        : hooks,
  });
  const serverAddress = (): string => `${urlHost(options.bindAddress)}:${listener.port}`;
  const authorization = serverAuthorization({ options, permissions, withRights });
  const api = apiHandler({
    options,
    resources,
    aggregation,
    health: health.checks,
    authentication: chain,
    authorization,
    audit: audit.requests,
    flowControl,
    meter: metrics.meter,
    observers: [...tracing.observers, ...observers],
    filters: console.filters,
    endpoints: console.endpoints,
    faults: testApi?.faults,
    others: [
      ...flowControl.pages,
      ...metrics.endpoints,
      ...(testApi === undefined ? [] : [testApi.page]),
      ...(options.profiling ? [new ProfilingEndpoint()] : []),
      ...recentAudit(audit, async (limit) => (await otherThreads?.auditEvents(limit)) ?? []),
      statusPage({
        options,
        storage,
        dataDir,
        startTime,
        requests: async () => [requestCounts(), ...((await otherThreads?.requests()) ?? [])],
      }),
    ],
    openId: new OpenId({
      keys: material.serviceAccountKeys,
      issuer: issuer.issuer,
      jwksUri: options.serviceAccountJwksUri,
      serverAddress: () => `${urlHost(advertised ?? options.bindAddress)}:${listener.port}`,
    }),
    connections: admittedConnections(resources, {
      ...proxySubresources({ objects: resources.current, findKubelet: (node) => kubelets.of(node), signal }),
      ...podSubresources({ objects: resources.current, kubelets, authorization, signal }),
    }),
    stopWatches: stopWatches.signal,
    history: { oldestRevision: () => storage.compactedRevision() },
    serverAddress,
    ...(publishesStorageVersions &&
      isFirstThread && { storageVersions: () => work.sharedStoreTasks!.storageVersions! }),
  });
  const requestCounts = (): ThreadRequestCounts => {
    const { running, total } = api.inFlight;
    return { running, total, watches: api.watches.count, acceptsConnections: additional?.role !== 'large requests' };
  };
  const movingClients = new ConnectionRebalancing();
  const largeRequests =
    otherThreads === undefined || additional?.role === 'large requests'
      ? undefined
      : new LargeRequests({
          handle: api.handle,
          start: () => otherThreads.startLargeRequests(),
          largeBytes: largeRequestBytes,
          sizeOf: (target) => resources.cachedSize(target, target),
          isRemote: (path) => aggregation.isRemote(path),
          signal: shutdown.signal,
        });
  if (largeRequests !== undefined) otherThreads!.onLargeRequests = (port) => largeRequests.connect(port);
  // When a request begins, this thread applies all changes that other threads have acknowledged before.
  const handle =
    otherThreads === undefined
      ? api.handle
      : afterCatchingUp(
          { files, storage: isShared ? undefined : storage, movingClients },
          largeRequests?.handle ?? api.handle,
        );
  const client = new Client(meteredFetch(inProcessFetch(handle), meter, 'in-process'));
  await customResources;
  const listener = await serverListener(options, {
    material,
    additionalThread: additional,
    files,
    metrics,
    faults: testApi?.faults,
    handle,
    signal,
  });
  const work = new BackgroundWork({
    options,
    definitions,
    resources,
    storage,
    corrupt,
    client,
    material,
    meter,
    controllers: selected,
    address: advertised === undefined ? undefined : { ip: advertised, port: listener.port },
    isFirstThread,
    hasThreads: threads !== undefined,
    timings,
    signal,
  });
  const running = {
    options,
    storage,
    stopping,
    shutdown,
    stopWatches,
    stopCalls,
    listener,
    api,
    work,
    threads,
    audit,
    tracing,
  };
  const stop = createStop(running);
  /** Receives all changes that other threads have acknowledged. */
  const catchUp = (): void => {
    if (!isShared) storage.latestRevision();
  };
  const thread: ServingThread = {
    metrics: (path) => {
      catchUp();
      return metrics.snapshot(path);
    },
    resetMetrics: (path) => metrics.reset(path),
    requests: requestCounts,
    flowState: flowControl.state,
    auditEvents: (limit) => audit.recent?.(limit) ?? [],
    createsEnded: async (scope) => {
      // The changes include deletions of namespaces and types.
      catchUp();
      await Promise.all([resources.createsEnded(scope), threads?.createsEnded(scope)]);
    },
    renew: (keys) => material.take(keys, (tls) => listener.exchangeTls(tls)),
    spreadConnections: () => movingClients.start(),
    shutDown: () => shutdown.abort(),
    stop,
  };
  try {
    work.removeOldData();
    await health.hooks.start(shutdown.signal);
    await material.follow(listener, {
      files,
      onChange: () =>
        void (isFirstThread && publishTrust().catch((err) => options.log.error('trust not published', { err }))),
      signal,
    });
    const url = `https://${urlHost(options.bindAddress)}:${listener.port}`;
    const admin = new AdminKubeconfig({ url, material, dataDir });
    const { content: kubeconfig, file: kubeconfigFile } = admin;
    if (isFirstThread) {
      await admin.keep({ listener, log: options.log, onRenewed: () => threads?.renew(material.generated), signal });
    }
    if (options.healthPort !== undefined && isFirstThread) {
      const { openHealthPort } = await import('./threads/health-port.ts');
      const { healthBindAddress: host, healthPort: port, log } = options;
      await openHealthPort({ host, port, client, log, signal });
    }
    // After the hooks, because the lease needs its namespace, and last, because the start does not wait for them.
    work.start();
    threads?.start({
      ...thread,
      port: listener.port,
      connections: () => listener.connections,
      startTime,
      keys: () => material.generated,
      audit: audit.writeLines,
      signIns: console.signIns,
      recheck: (name) => aggregation.recheck(name),
    });
    onReady?.({
      options,
      store,
      resources,
      material,
      inFlight: api.inFlight,
      watches: api.watches,
      controllers: work.controllers,
    });
    const { packageVersion: version } = buildInfo();
    const { signInPath } = console;
    const signInLink = signInPath && ((): string => url + signInPath());
    const { faults } = testApi ?? {};
    const server = { version, url, kubeconfig, kubeconfigFile, dataDir, client, signInLink, faults, failed, stop };
    return { server, thread };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The host of URLs for clients on this machine. */
function urlHost(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
