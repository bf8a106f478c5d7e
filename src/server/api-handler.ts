import type { AuthenticationChain } from '../authn/index.ts';
import type { EncodingName } from '../codec/media-types.ts';
import type { Faults } from '../fault-injection/index.ts';
import { apiRoute, type PathHandler } from '../http/api-route.ts';
import { ApiRouter } from '../http/api-router.ts';
import { buildInfo, Discovery, sourceDigest } from '../http/discovery/index.ts';
import type { ServedExchange } from '../http/exchange.ts';
import { exchangeHandler } from '../http/exchange-handler.ts';
import type { RequestAudit } from '../http/filters/audit.ts';
import { authenticate } from '../http/filters/authenticate.ts';
import type { Authorization } from '../http/filters/authorize.ts';
import { crossOrigin, parseAllowedOrigins } from '../http/filters/cross-origin.ts';
import { deadline, writeDeadline } from '../http/filters/deadline.ts';
import { explainAdmission } from '../http/filters/explain-admission.ts';
import { impersonate } from '../http/filters/impersonate.ts';
import { InFlight } from '../http/filters/in-flight.ts';
import { recover } from '../http/filters/recover.ts';
import {
  type PendingStorageVersions,
  storageVersionPrecondition,
} from '../http/filters/storage-version-precondition.ts';
import type { Connect } from '../http/handlers/connect.ts';
import type { History } from '../http/handlers/history.ts';
import type { WatchLimits } from '../http/handlers/watch.ts';
import type { HealthChecks } from '../http/health/index.ts';
import { ObjectFormats } from '../http/object-formats.ts';
import { countLate } from '../http/observation/late-requests.ts';
import { RequestMetrics } from '../http/observation/request-metrics.ts';
import { observeAll, type RequestObserver } from '../http/observation/request-observer.ts';
import { customMediaTypes, OpenApi, servedMediaTypes } from '../http/openapi/index.ts';
import type { OpenId } from '../http/openid/index.ts';
import { type Filter, type Handler, pipeline } from '../http/pipeline.ts';
import { OpenWatches } from '../http/watch/open-watches.ts';
import { WatchMetrics } from '../http/watch/watch-metrics.ts';
import type { Meter } from '../meta/meter.ts';
import type { ResourceSet } from '../registry/index.ts';
import { builtInKinds, groupOrder, knownVersions, schemaOf } from '../resources/index.ts';
import { withCoreReviews } from '../virtual/reviews/index.ts';
import type { Aggregation } from './aggregation.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { ServerFlowControl } from './flow-control.ts';
import { mayReviewAccess } from './identity/index.ts';
import type { ResolvedOptions } from './options.ts';
import { RequestLog } from './request-log.ts';

export interface ApiHandler {
  /** Handles every exchange. Never throws. */
  readonly handle: (exchange: ServedExchange) => void;
  readonly inFlight: InFlight;
  readonly watches: OpenWatches;
}

export interface ApiHandlerDependencies {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  readonly aggregation: Aggregation;
  readonly health: HealthChecks;
  readonly authentication: AuthenticationChain;
  readonly authorization: Authorization;
  readonly openId: OpenId;
  readonly flowControl: Pick<ServerFlowControl, 'filter'>;
  /** Receives the request metrics. */
  readonly meter: Meter;
  /** Additional observers of requests. */
  readonly observers: readonly RequestObserver[];
  /** Additional filters, before authentication. */
  readonly filters: readonly Filter[];
  /** Additional filters, after authorization. */
  readonly endpoints: readonly Filter[];
  /** Paths for administrators. */
  readonly others: readonly PathHandler[];
  /** Undefined without the test API. */
  readonly faults: Faults | undefined;
  /** Undefined when auditing is off. */
  readonly audit: RequestAudit | undefined;
  /** The subresources that connect clients to other servers. */
  readonly connections: ReadonlyMap<string, Connect>;
  /** Abort it to end all watches and connections. */
  readonly stopWatches: AbortSignal;
  /** The `host:port` that discovery shows to clients. */
  readonly serverAddress: () => string;
  readonly history: History;
  /** Undefined when servers do not publish their storage versions. */
  readonly storageVersions?: () => PendingStorageVersions;
}

/** Builds the request path of the server, from the exchange to the verb of a resource. */
export function apiHandler(dependencies: ApiHandlerDependencies): ApiHandler {
  const { options, aggregation, authentication, authorization, audit, flowControl, storageVersions, faults } =
    dependencies;
  const inFlight = new InFlight();
  const watches = new OpenWatches(dependencies.stopWatches);
  const formats = new ObjectFormats(servedEncodings(options.featureGates), { decisions: options.compatibility });
  const report = (error: Error, request: string): void => options.log.error('request failed', { request, err: error });
  const isPassedOn = (path: string): boolean => aggregation.isRemote(path);
  const onLate = countLate(dependencies.meter);
  const handler = pipeline(
    [
      recover(report),
      deadline(options.requestTimeoutMs, onLate),
      ...dependencies.filters,
      crossOrigin(parseAllowedOrigins(options.corsAllowedOrigins)),
      authenticate(authentication, (context) => audit?.failedAuthentication(context)),
      ...(audit === undefined ? [] : [audit.filter]),
      inFlight.filter,
      impersonate(authorization),
      flowControl.filter,
      authorization.filter,
      writeDeadline({ onLate, isPassedOn }),
      ...(storageVersions === undefined ? [] : [storageVersionPrecondition(storageVersions)]),
      explainAdmission({
        mayReview: (user) => mayReviewAccess(authorization.authorizer, user),
        explainsAll: options.explainAdmission,
      }),
      ...(faults === undefined ? [] : [faults.filter]),
      ...dependencies.endpoints,
    ],
    route({ ...dependencies, formats, report, watches }),
  );
  const compresses = options.featureGates.APIResponseCompression;
  const { log, slowRequestThresholdMs: slowMs } = options;
  const observer = observeAll([
    ...(options.enableMetrics
      ? [
          new RequestMetrics(dependencies.meter, {
            find: (target) => dependencies.resources.find(target),
            limiter: options.enablePriorityAndFairness ? 'priorityandfairness' : 'maxinflight',
          }),
        ]
      : []),
    ...(slowMs > 0 || log.debug !== undefined ? [new RequestLog({ log, slowMs })] : []),
    ...dependencies.observers,
  ]);
  const handle = exchangeHandler({
    handler,
    formats,
    compresses,
    compatibility: options.compatibility,
    isPassedOn,
    observer,
    report,
  });
  return { inFlight, watches, handle };
}

function servedEncodings({ CBORServingAndStorage }: FeatureGates): EncodingName[] {
  return CBORServingAndStorage ? ['json', 'yaml', 'protobuf', 'cbor'] : ['json', 'yaml', 'protobuf'];
}

function route(
  dependencies: ApiHandlerDependencies & {
    formats: ObjectFormats;
    report: WatchLimits['report'];
    watches: OpenWatches;
  },
): Handler {
  const { options, resources, health, openId, stopWatches, serverAddress, authorization, formats, report } =
    dependencies;
  const { aggregation, connections, watches, others, faults } = dependencies;
  const withReviews = options.compatibility.coreAccessReviews
    ? withCoreReviews(resources, authorization.authorizer)
    : resources;
  const catalog = {
    get generation() {
      return resources.generation + aggregation.generation;
    },
    definitions: () => resources.definitions,
    kinds: () => builtInKinds,
    knownVersions,
    groupOrder,
    registered: aggregation,
  };
  const refreshes = dependencies.meter
    .counter({
      name: 'aggregator_discovery_aggregation_count_total',
      help: 'How often the documents of discovery were made anew.',
      labels: [],
    })
    .of();
  const discovery = new Discovery({
    catalog,
    formats,
    build: buildInfo(),
    serverAddress,
    otherPaths: () => [...openId.paths, ...health.paths(), ...others.flatMap(({ paths }) => paths)],
    onRefreshed: () => refreshes.add(),
  });
  const openApi = new OpenApi({
    catalog,
    media: servedMediaTypes(formats),
    customMedia: customMediaTypes(formats),
    // kube-apiserver's.
    customInfo: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    servesIssuer: openId.paths.length > 0,
    remote: aggregation.openApi,
    ...(sourceDigest !== undefined && { sourceDigest }),
    loadDescriptions: async () => (await import('../resources/descriptions/index.ts')).builtInDescriptions,
  });
  const router = new ApiRouter({
    resources: faults === undefined ? withReviews : faults.resources(withReviews),
    authorization,
    unsafeDeletes: options.featureGates.AllowUnsafeMalformedObjectDeletion,
    schemaOf,
    history: dependencies.history,
    connections: { endpoints: connections, stop: stopWatches },
    watchLimits: {
      minTimeoutSeconds: options.minRequestTimeoutSeconds,
      clock: options.clock,
      open: watches,
      metrics: new WatchMetrics(dependencies.meter),
      report,
    },
  });
  const own = apiRoute({ router, health, discovery, openApi, openId, pathHandlers: others });
  return (context) => aggregation.handle(context) ?? own(context);
}
