import { randomBytes } from 'node:crypto';
import type { Transmission } from '../http/exchange.ts';
import type { RequestObserver } from '../http/observation/request-observer.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { Span } from './span.ts';
import type { SpanExporter } from './span-exporter.ts';
import { formatTraceParent, parseTraceParent, type TraceParent } from './trace-context.ts';

/** Groups whose members may request traces. Other users could fill the collector. */
const trusted = new Set(['system:masters', 'system:monitoring']);
const maxTraceState = 512;

export interface RequestTracingOptions {
  readonly exporter: SpanExporter;
  readonly samplingRatePerMillion: number;
}

interface Identity {
  readonly own: TraceParent;
  /** The span of the client, if the client may request traces. */
  readonly parent: TraceParent | undefined;
  readonly caller: TraceParent | undefined;
}

/** Creates a span for every traced request, and one for each of its stages. */
export class RequestTracing implements RequestObserver {
  readonly #exporter: SpanExporter;
  readonly #rate: number;
  readonly #identities = new WeakMap<RequestContext, Identity>();

  constructor({ exporter, samplingRatePerMillion }: RequestTracingOptions) {
    this.#exporter = exporter;
    this.#rate = samplingRatePerMillion / 1_000_000;
  }

  begin(context: RequestContext): void {
    context.traceParent = () => formatTraceParent(this.#identityOf(context).own);
  }

  passed(context: RequestContext, transmission: Transmission, ms: number): void {
    this.end(context, transmission, ms);
  }

  end(context: RequestContext, transmission: Transmission, ms: number): void {
    const { exchange } = context;
    const { own, parent, caller } = this.#identityOf(context);
    if (!own.isSampled) return;
    // Computed from the current time, because the system clock may have been set since the process started.
    const startMs = Date.now() - (performance.now() - context.startedAt);
    const span: Span = {
      traceId: own.traceId,
      spanId: own.spanId,
      parentId: parent?.spanId,
      traceState: parent === undefined ? '' : (exchange.header('tracestate') ?? '').slice(0, maxTraceState),
      name: spanName(exchange.method, context.info),
      isServer: true,
      startMs,
      endMs: startMs + ms,
      attributes: attributesOf(context, transmission),
      isError: transmission.status >= 500,
      link: parent === undefined ? caller : undefined,
    };
    this.#exporter.add([span, ...stageSpans(context, span)]);
  }

  /** Decided once per request. Outgoing calls may need the decision before the request ends. */
  #identityOf(context: RequestContext): Identity {
    const known = this.#identities.get(context);
    if (known !== undefined) return known;
    const caller = parseTraceParent(context.exchange.header('traceparent'));
    const isTrusted = (context.impersonator ?? context.user)?.groups.some((group) => trusted.has(group)) ?? false;
    const parent = isTrusted ? caller : undefined;
    const identity: Identity = {
      own: {
        traceId: parent?.traceId ?? randomBytes(16),
        spanId: randomBytes(8),
        isSampled: parent?.isSampled ?? Math.random() < this.#rate,
      },
      parent,
      caller,
    };
    this.#identities.set(context, identity);
    return identity;
  }
}

function attributesOf({ exchange, user }: RequestContext, { status, sentBytes }: Transmission): Span['attributes'] {
  return {
    'http.request.method': exchange.method,
    'http.response.status_code': status,
    'http.response.body.size': sentBytes,
    'url.path': exchange.path,
    'user_agent.original': exchange.header('user-agent') ?? '',
    'client.address': exchange.connection.remoteAddress ?? '',
    ...(user !== undefined && { 'enduser.id': user.name }),
    ...(exchange.header('audit-id') !== undefined && { 'audit-id': exchange.header('audit-id')! }),
  };
}

function stageSpans({ stages, startedAt }: RequestContext, request: Span): Span[] {
  if (stages === undefined) return [];
  let startMs = request.startMs;
  return Object.entries(stages.durations(startedAt, startedAt + request.endMs - request.startMs)).map(([name, ms]) => {
    const span: Span = {
      ...request,
      spanId: randomBytes(8),
      parentId: request.spanId,
      name,
      isServer: false,
      startMs,
      // Due to rounding, the sum of the stages may exceed the duration of the request.
      endMs: Math.min(startMs + ms, request.endMs),
      attributes: {},
      link: undefined,
    };
    startMs += ms;
    return span;
  });
}

/** Returns the method and the path without names, so that there are few different span names. */
function spanName(method: string, { target, path }: RequestInfo): string {
  if (target === undefined) return `${method} ${path}`;
  const { group, version, namespace, resource, name, subresource } = target;
  const segments = [
    group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
    ...(namespace === '' ? [] : ['namespaces/{:namespace}']),
    resource,
    ...(name === '' ? [] : ['{:name}']),
    ...(subresource === '' ? [] : [subresource]),
  ];
  return `${method} ${segments.join('/')}`;
}
