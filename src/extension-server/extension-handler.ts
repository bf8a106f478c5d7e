import type { AuthenticationChain } from '../authn/index.ts';
import type { Authorizer } from '../authz/index.ts';
import { type InFlightLimits, inFlightLimit } from '../flow-control/in-flight-limit.ts';
import { apiRoute, type PathHandler } from '../http/api-route.ts';
import { ApiRouter } from '../http/api-router.ts';
import { buildInfo, Discovery } from '../http/discovery/index.ts';
import type { ServedExchange } from '../http/exchange.ts';
import { exchangeHandler } from '../http/exchange-handler.ts';
import { authenticate } from '../http/filters/authenticate.ts';
import { Authorization } from '../http/filters/authorize.ts';
import { deadline, writeDeadline } from '../http/filters/deadline.ts';
import { impersonate } from '../http/filters/impersonate.ts';
import { InFlight } from '../http/filters/in-flight.ts';
import { recover } from '../http/filters/recover.ts';
import type { HealthChecks } from '../http/health/index.ts';
import { ObjectFormats } from '../http/object-formats.ts';
import { countLate } from '../http/observation/late-requests.ts';
import { RequestMetrics } from '../http/observation/request-metrics.ts';
import { customMediaTypes, OpenApi, servedMediaTypes } from '../http/openapi/index.ts';
import { type Handler, pipeline } from '../http/pipeline.ts';
import type { ResourceTarget } from '../http/request-info.ts';
import { OpenWatches } from '../http/watch/open-watches.ts';
import { WatchMetrics } from '../http/watch/watch-metrics.ts';
import type { Compatibility } from '../meta/compatibility.ts';
import type { Logger } from '../meta/logger.ts';
import type { Meter } from '../meta/meter.ts';
import type { Resource, ResourceSet } from '../registry/index.ts';
import { withRequestScope } from './request-scope.ts';

/** The value of the API servers of Kubernetes. */
const minWatchSeconds = 1800;

export interface ExtensionHandlerOptions {
  readonly resources: ResourceSet;
  readonly health: HealthChecks;
  readonly authentication: AuthenticationChain;
  readonly authorizer: Authorizer;
  readonly requestTimeoutMs: number;
  readonly limits: InFlightLimits;
  readonly compatibility: Compatibility;
  /** Receives the numbers about requests. */
  readonly meter: Meter;
  /** Paths for administrators. */
  readonly pathHandlers: readonly PathHandler[];
  /** Abort it to end all watches. */
  readonly stopWatches: AbortSignal;
  /** The `host:port` that discovery shows to clients. */
  readonly serverAddress: () => string;
  readonly log: Logger;
}

export interface ExtensionHandler {
  /** Handles every exchange. Never throws. */
  readonly handle: (exchange: ServedExchange) => void;
  readonly inFlight: InFlight;
}

/** Builds the request path of an extension server. */
export function extensionHandler(options: ExtensionHandlerOptions): ExtensionHandler {
  const { authentication, requestTimeoutMs, limits, compatibility, meter, log } = options;
  const formats = new ObjectFormats(['json', 'yaml', 'protobuf'], { decisions: compatibility });
  const report = (err: Error, request: string): void => log.error('request failed', { request, err });
  const authorization = new Authorization(options.authorizer);
  const inFlight = new InFlight();
  const onLate = countLate(meter);
  const handler = pipeline(
    [
      recover(report),
      deadline(requestTimeoutMs, onLate),
      authenticate(authentication, () => {}),
      inFlight.filter,
      impersonate(authorization),
      inFlightLimit(limits),
      authorization.filter,
      writeDeadline({ onLate }),
      withRequestScope,
    ],
    route({ ...options, authorization, formats, report }),
  );
  const find = (target: ResourceTarget): Resource | undefined => options.resources.find(target);
  const observer = new RequestMetrics(meter, { find, limiter: 'maxinflight' });
  return { inFlight, handle: exchangeHandler({ handler, formats, compresses: true, compatibility, observer, report }) };
}

interface RouteOptions extends ExtensionHandlerOptions {
  readonly authorization: Authorization;
  readonly formats: ObjectFormats;
  readonly report: (error: Error, request: string) => void;
}

function route({ resources, health, authorization, formats, report, pathHandlers, ...options }: RouteOptions): Handler {
  const catalog = {
    generation: resources.generation,
    definitions: () => resources.definitions,
    kinds: () => [],
    groupOrder: [],
  };
  const discovery = new Discovery({
    catalog,
    formats,
    build: buildInfo(),
    serverAddress: options.serverAddress,
    otherPaths: () => [...health.paths(), ...pathHandlers.flatMap(({ paths }) => paths)],
  });
  const openApi = new OpenApi({
    catalog,
    media: servedMediaTypes(formats),
    customMedia: customMediaTypes(formats),
    loadDescriptions: async () => (await import('../resources/descriptions/meta-descriptions.ts')).metaDescriptions,
  });
  const router = new ApiRouter({
    resources,
    authorization,
    unsafeDeletes: false,
    schemaOf: () => undefined,
    watchLimits: {
      minTimeoutSeconds: minWatchSeconds,
      open: new OpenWatches(options.stopWatches),
      metrics: new WatchMetrics(options.meter),
      report,
    },
  });
  return apiRoute({ router, health, discovery, openApi, pathHandlers });
}
