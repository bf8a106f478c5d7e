import { AuthenticationChain, ClientCertificateAuthenticator, noBearerTokens } from '../authn/index.ts';
import { AuthorizationChain, type Authorizer, mastersAuthorizer } from '../authz/index.ts';
import type { EncodingName } from '../codec/media-types.ts';
import { ApiRouter } from '../http/api-router.ts';
import { acceptsGzip } from '../http/compression/accepts-gzip.ts';
import { GzipExchange } from '../http/compression/gzip-exchange.ts';
import { Discovery } from '../http/discovery/index.ts';
import type { Exchange } from '../http/exchange.ts';
import { authenticate } from '../http/filters/authenticate.ts';
import { authorizeRequests } from '../http/filters/authorize.ts';
import { deadline } from '../http/filters/deadline.ts';
import { InFlight } from '../http/filters/in-flight.ts';
import { recover } from '../http/filters/recover.ts';
import { type HealthChecks, isHealthPath } from '../http/health/index.ts';
import { ObjectForms } from '../http/object-forms.ts';
import { OpenApi } from '../http/openapi/index.ts';
import { type Handler, pipeline } from '../http/pipeline.ts';
import { respondError, respondText } from '../http/render.ts';
import { RequestContext } from '../http/request-context.ts';
import { type RequestInfo, requestInfo } from '../http/request-info.ts';
import { OpenWatches } from '../http/watch/open-watches.ts';
import { badRequest, unauthorized } from '../meta/status-error.ts';
import type { ResourceSet } from '../registry/index.ts';
import { columnsOf } from '../resources/columns/index.ts';
import { builtInKinds, groupOrder, schemaOf } from '../resources/index.ts';
import { buildInfo } from './build-info.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { ResolvedOptions } from './options.ts';

export interface ApiHandler {
  /** Answers every exchange, sooner or later. Never throws. */
  readonly handle: (exchange: Exchange) => void;
  readonly inFlight: InFlight;
}

export interface ApiHandlerParts {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  readonly health: HealthChecks;
  /** Its abort ends all watches. */
  readonly stopWatches: AbortSignal;
  /** The `host:port` that discovery tells clients. */
  readonly serverAddress: () => string;
}

/** The way of a request through the server, from the exchange to the verb of a resource. */
export function apiHandler(parts: ApiHandlerParts): ApiHandler {
  const { options } = parts;
  const authorizer: Authorizer = new AuthorizationChain([mastersAuthorizer]);
  const inFlight = new InFlight();
  const forms = new ObjectForms(spokenEncodings(options.featureGates));
  const report = (error: Error, request: string): void => options.log.error('request failed', { request, err: error });
  const handler = pipeline(
    [
      recover(report),
      deadline(options.requestTimeoutMs),
      authenticate(new AuthenticationChain([new ClientCertificateAuthenticator(), noBearerTokens]), isHealthPath),
      inFlight.filter,
      authorizeRequests(authorizer),
    ],
    route({ ...parts, authorizer, forms }),
  );
  return {
    inFlight,
    handle(exchange) {
      let context: RequestContext;
      try {
        const info = requestInfo(exchange.method, exchange.path, exchange.query);
        const compressed = options.featureGates.APIResponseCompression && mayCompress(exchange, info);
        context = new RequestContext(compressed ? new GzipExchange(exchange) : exchange, info, forms);
      } catch (error) {
        if (!(error instanceof URIError)) throw error;
        respondError({ exchange, forms }, badRequest('the path of the request is not well encoded', { cause: error }));
        return;
      }
      void handler(context);
    },
  };
}

/** What is read may be large. A watch is never compressed: its events would wait for each other. */
function mayCompress(exchange: Exchange, { target, verb }: RequestInfo): boolean {
  if (target === undefined || (verb !== 'get' && verb !== 'list')) return false;
  return acceptsGzip(exchange.header('accept-encoding'));
}

function spokenEncodings({ CBORServingAndStorage }: FeatureGates): EncodingName[] {
  return CBORServingAndStorage ? ['json', 'yaml', 'protobuf', 'cbor'] : ['json', 'yaml', 'protobuf'];
}

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

function route(parts: ApiHandlerParts & { authorizer: Authorizer; forms: ObjectForms }): Handler {
  const { options, resources, health, stopWatches, serverAddress, authorizer, forms } = parts;
  const catalog = {
    get generation() {
      return resources.generation;
    },
    definitions: () => resources.definitions,
    kinds: () => builtInKinds,
    groupOrder,
  };
  const discovery = new Discovery({
    catalog,
    forms,
    build: buildInfo(),
    serverAddress,
    otherPaths: () => health.paths(),
  });
  const openApi = new OpenApi({
    catalog,
    media: { objects: forms.types, streams: forms.streamTypes, patches: patchTypes },
  });
  const router = new ApiRouter({
    resources,
    authorizer,
    createStatus: options.postCreateStatus,
    unsafeDeletes: options.featureGates.AllowUnsafeMalformedObjectDeletion,
    schemaOf,
    columnsOf,
    watchLimits: { minTimeoutSeconds: options.minRequestTimeoutSeconds, open: new OpenWatches(stopWatches) },
  });
  return (context) => {
    const { exchange, info } = context;
    if (context.user === undefined && !isHealthPath(exchange.path)) throw unauthorized();
    if (info.target !== undefined) return router.route(context, info.target);
    const { path } = exchange;
    if (health.handle(exchange, path) || discovery.handle(exchange, path) || openApi.handle(exchange, path)) return;
    respondText(exchange, 404, '404 page not found\n');
  };
}
