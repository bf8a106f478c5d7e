import { auditIdOf } from '../http/audit-id.ts';
import type { Exchange, ResponseHeaders } from '../http/exchange.ts';
import type { Connect, ConnectRequest } from '../http/handlers/connect.ts';
import { commonHeaders } from '../http/render.ts';
import { type MaybePromise, mapMaybe } from '../meta/maybe-promise.ts';
import type { ObjectReader } from '../meta/object-reader.ts';
import { type IsAllowedAddress, isGlobalUnicast } from './allowed-address.ts';
import { ConnectionPool } from './connection-pool.ts';
import { forward, hostHeader, type UpstreamResponseHead } from './forward.ts';
import { type FindKubelet, nodeLocation } from './node-location.ts';
import { podLocation } from './pod-location.ts';
import { type LinkRewriting, proxiedLink, upstreamPath, upstreamQuery } from './proxied-url.ts';
import type { ProxyLocation } from './proxy-location.ts';
import { serviceLocation } from './service-location.ts';

/** How long an upgraded connection may be idle. */
const idleTimeoutMs = 4 * 60 * 60_000;

/** Headers by which a server allows pages of other origins to read its responses. This server decides that itself. */
const originHeaders = [
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
];

export interface ProxyDependencies {
  readonly objects: ObjectReader;
  readonly findKubelet: FindKubelet;
  /** Abort it to close unused connections. */
  readonly signal: AbortSignal;
  /** Selects the addresses of pods, and of nodes apart from their kubelets, that requests may be sent to. */
  readonly isAllowed?: IsAllowedAddress;
}

/** The subresources `proxy` of pods, services and nodes: they forward requests to the pod, endpoint or kubelet. */
export function proxySubresources(dependencies: ProxyDependencies): Readonly<Record<string, Connect>> {
  const { objects, findKubelet, signal, isAllowed = isGlobalUnicast } = dependencies;
  const pool = new ConnectionPool();
  signal.addEventListener('abort', () => pool.close(), { once: true });
  const proxy =
    (locate: (target: ConnectRequest['target']) => MaybePromise<ProxyLocation>): Connect =>
    (request) =>
      mapMaybe(locate(request.target), (location) => {
        if (!redirectsToSlash(request)) return pass(request, location, pool);
      });
  return {
    'pods/proxy': proxy((target) => podLocation(objects, target, { isAllowed })),
    'services/proxy': proxy((target) => serviceLocation(objects, target, { isAllowed })),
    'nodes/proxy': proxy((target) => nodeLocation(findKubelet, target, { isAllowed })),
  };
}

/** Relative links in a page need a slash at the end of its path. */
function redirectsToSlash({ context: { exchange }, options }: ConnectRequest): boolean {
  const isRead = exchange.method === 'GET' || exchange.method === 'HEAD';
  if (pathOf(options) !== '' || !isRead || exchange.upgrade !== undefined) return false;
  const location = `${exchange.path}/${upstreamQuery(exchange.query)}`;
  exchange.respond(301, { ...commonHeaders(exchange), location }, '');
  return true;
}

function pathOf({ path }: ConnectRequest['options']): string {
  return typeof path === 'string' ? path : '';
}

function pass(
  { context: { exchange }, target, options, stop }: ConnectRequest,
  location: ProxyLocation,
  pool: ConnectionPool,
): Promise<void> {
  const { protocol, host, port } = location;
  const path = upstreamPath(pathOf(options));
  const prefix = target.rest === '' ? exchange.path : exchange.path.slice(0, -target.rest.length);
  const requestHost = exchange.header(':authority') ?? exchange.header('host') ?? '';
  const links = { prefix, requestHost, upstreamHost: hostHeader(protocol, host, port) };
  return forward(
    exchange,
    {
      protocol,
      host,
      port,
      connections: pool.to(location),
      path: `${path}${upstreamQuery(exchange.query)}`,
      headers: {
        host: requestHost,
        'x-forwarded-uri': `${prefix}${path}`,
        'x-forwarded-host': requestHost,
        'x-forwarded-proto': 'https',
      },
      rewrite: (response) => ({ ...response, headers: rewrittenHeaders(response, exchange, links) }),
    },
    { stop, idleTimeoutMs },
  );
}

function rewrittenHeaders(
  { headers }: UpstreamResponseHead,
  exchange: Exchange,
  links: LinkRewriting,
): ResponseHeaders {
  for (const name of originHeaders) delete headers[name];
  const { location, 'cache-control': cacheControl } = headers;
  if (typeof location === 'string') headers.location = proxiedLink(location, links);
  // Proxied responses for one user must not be stored by intermediate caches.
  headers['cache-control'] = [
    'no-cache, private',
    ...(cacheControl === undefined ? [] : [cacheControl].flat().map(String)),
  ];
  headers['audit-id'] = auditIdOf(exchange);
  return headers;
}
