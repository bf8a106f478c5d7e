import { randomUUID } from 'node:crypto';
import { auditIdOf } from '../http/audit-id.ts';
import { respondText } from '../http/render.ts';
import type { RequestContext } from '../http/request-context.ts';
import { isLongRunning } from '../http/request-info.ts';
import { badRequest, routeNotFound, StatusError } from '../meta/status-error.ts';
import { forward, type UpstreamResponseHead } from '../proxy/forward.ts';
import { isAvailable, type RemoteAPIService } from './api-service.ts';
import type { ExtensionAccess } from './extension-access.ts';
import { userHeaders } from './user-headers.ts';

/** The same timeout as for connections to pods. */
const idleTimeoutMs = 4 * 60 * 60_000;

export interface ExtensionProxyOptions {
  /** Shared by all threads of a server: a request may loop back to any of them. */
  readonly serverId?: string | undefined;
  readonly access: ExtensionAccess;
  /** Abort it to end watches and upgraded connections. */
  readonly stopWatches: AbortSignal;
  /** Abort it to end all other requests. */
  readonly stopCalls: AbortSignal;
  /** Called with the name of an APIService whose server could not be reached. */
  readonly onUnreachable: (name: string) => void;
}

/** Passes requests on to the servers of APIServices, on behalf of their users. */
export class ExtensionProxy {
  readonly #options: ExtensionProxyOptions;
  /** The name of this server in `Via`, to detect requests that it has already forwarded. */
  readonly #via: string;

  constructor(options: ExtensionProxyOptions) {
    this.#options = options;
    this.#via = `keelson-${options.serverId ?? randomUUID()}`;
  }

  /** The request must be authorized. */
  async handle(context: RequestContext, apiService: RemoteAPIService): Promise<void> {
    const { exchange } = context;
    const via = exchange.header('via');
    if (via?.includes(this.#via)) {
      respondText(exchange, 508, 'loop detected: the APIService leads back to this server\n');
      return;
    }
    if (!isAvailable(apiService)) {
      respondText(exchange, 503, 'service unavailable\n');
      return;
    }
    const { access, onUnreachable } = this.#options;
    const { url } = access.serverAccess(apiService.spec);
    const upstream = {
      protocol: 'https:' as const,
      host: url.hostname,
      port: Number(url.port || 443),
      connections: access.connections(apiService.spec),
      path: pathOf(context),
      headers: { ...this.#headers(context, via) },
      rewrite: (response: UpstreamResponseHead) => passable(response, auditId),
    };
    const auditId = upstream.headers['audit-id'] as string;
    try {
      await forward(exchange, upstream, { stop: this.#stop(context), idleTimeoutMs });
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.code !== 503 || exchange.responded) throw error;
      // The client has disconnected.
      if (exchange.signal.aborted) throw error;
      onUnreachable(apiService.metadata.name ?? '');
      respondText(exchange, 503, `${error.message}\n`);
    }
  }

  #headers(context: RequestContext, via: string | undefined): Record<string, string | string[] | undefined> {
    const { exchange } = context;
    const headers: Record<string, string | string[] | undefined> = {};
    // Client headers about earlier proxies.
    for (let at = 0; at < exchange.rawHeaders.length; at += 2) {
      const name = exchange.rawHeaders[at]!.toLowerCase();
      if (name.startsWith('x-forwarded-') || name === 'forwarded') headers[name] = undefined;
    }
    return {
      ...headers,
      'x-forwarded-for': exchange.connection.remoteAddress,
      via: via === undefined ? `1.1 ${this.#via}` : `${via}, 1.1 ${this.#via}`,
      'audit-id': auditIdOf(exchange),
      // Without tracing, the client's own header is forwarded.
      ...(context.traceParent && { traceparent: context.traceParent() }),
      ...userHeaders(context.knownUser),
    };
  }

  /** A server that stops waits a little for short requests, and not for the others. */
  #stop({ exchange, info }: RequestContext): AbortSignal {
    const { stopWatches, stopCalls } = this.#options;
    return exchange.upgrade !== undefined || isLongRunning(info) ? stopWatches : stopCalls;
  }
}

/**
 * The path and the query, encoded again: the other server must see the same segments and parameters that were
 * authorized here. Dots and empty segments could mean another path to it.
 */
function pathOf({ info, exchange, query }: RequestContext): string {
  const segments = info.path.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    throw badRequest('the request path must not contain the segments . and ..');
  }
  // The rest of a proxy path is not interpreted here.
  const isProxy = info.target?.subresource === 'proxy';
  if (!isProxy && segments.slice(1, -1).includes('')) throw routeNotFound();
  const path = segments.map(encodedSegment).join('/');
  return exchange.query === '' ? path : `${path}?${query.toString()}`;
}

/** Encodes as Go does in paths. */
function encodedSegment(segment: string): string {
  return encodeURIComponent(segment).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}

const corsHeader = /^access-control-allow-(?:credentials|headers|methods|origin)$/;

/** Redirects are not forwarded: clients would follow them with the credentials for this server. */
function passable(response: UpstreamResponseHead, auditId: string): UpstreamResponseHead {
  const { status, headers } = response;
  if (status >= 300 && status <= 399 && headers.location !== undefined) {
    const text = 'the backend attempted to redirect this request, which is not permitted';
    return {
      status: 502,
      headers: { 'audit-id': auditId, 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length },
      text,
    };
  }
  const passed = Object.entries(headers).filter(([name]) => !corsHeader.test(name));
  return { status, headers: { ...Object.fromEntries(passed), 'audit-id': auditId } };
}
