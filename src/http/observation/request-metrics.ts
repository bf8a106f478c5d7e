import type { Counter, Gauge, Histogram, Meter } from '../../meta/meter.ts';
import { serverUser } from '../../meta/user.ts';
import type { Resource } from '../../registry/index.ts';
import type { Transmission } from '../exchange.ts';
import { healthEndpoints } from '../health/index.ts';
import type { RequestContext } from '../request-context.ts';
import { isLongRunning, type ResourceTarget } from '../request-info.ts';
import { AccessMetrics, type Limiter } from './access-metrics.ts';
import { type RequestInstruments, requestInstruments } from './request-instruments.ts';
import {
  isDryRun,
  isMutating,
  type ScopeLabel,
  scopeLabel,
  scopeLabels,
  type VerbLabel,
  verbLabel,
  verbLabels,
} from './request-labels.ts';
import type { RequestObserver } from './request-observer.ts';
import { RequestPeaks } from './request-peaks.ts';

const component = 'apiserver';
const healthPaths = new Map(healthEndpoints.map((name) => [`/${name}`, name]));
const scopeCount = scopeLabels.length;

/** All requests with the same labels but for the status code. */
interface EndpointSeries {
  /** All labels of the counter of requests but the last. */
  readonly labels: readonly string[];
  readonly longRunning: Gauge | undefined;
  readonly codes: Map<number, Counter>;
  /** Undefined before the first request has ended. */
  measured: MeasuredSeries | undefined;
}

interface MeasuredSeries {
  readonly duration: Histogram;
  readonly sliDuration: Histogram;
  readonly sloDuration: Histogram;
  /** Undefined for writes. */
  readonly responseSize: Histogram | undefined;
}

/** The series of the endpoints of one type, by subresource, and by the number of verb, scope and dry run. */
type TypeSeries = Map<string, (EndpointSeries | undefined)[]>;

export interface RequestMetricsOptions {
  readonly find: (target: ResourceTarget) => Resource | undefined;
  readonly limiter: Limiter;
}

/** Counts and measures requests. Requests for types that are not served leave no trace, so that labels are bounded. */
export class RequestMetrics implements RequestObserver {
  readonly #instruments: RequestInstruments;
  readonly #inFlight: RequestPeaks;
  readonly #access: AccessMetrics;
  readonly #find: (target: ResourceTarget) => Resource | undefined;
  readonly #types = new WeakMap<Resource, TypeSeries>();
  readonly #health = new Map<string, EndpointSeries>();
  /** The endpoints of open requests that are long-running. */
  readonly #open = new WeakMap<RequestContext, EndpointSeries>();

  constructor(meter: Meter, { find, limiter }: RequestMetricsOptions) {
    this.#instruments = requestInstruments(meter);
    this.#inFlight = new RequestPeaks(meter, {
      name: 'apiserver_current_inflight_requests',
      help: 'Most requests that were running at a time within the last second, by what they may do.',
    });
    this.#access = new AccessMetrics(meter, limiter);
    this.#find = find;
  }

  passed(context: RequestContext, transmission: Transmission, ms: number): void {
    this.#inFlight.of(context.info).pass(context.startedAt);
    this.#access.handled(context, transmission.status);
    const series = this.#endpoint(context);
    if (series !== undefined) this.#record(context, series, transmission, ms);
  }

  waits(context: RequestContext): void {
    const { info } = context;
    if (!isLongRunning(info)) {
      this.#inFlight.of(info).begin(context.startedAt);
      return;
    }
    const series = this.#endpoint(context);
    if (series === undefined) return;
    series.longRunning?.add(1);
    this.#open.set(context, series);
  }

  handled(context: RequestContext, { status }: Transmission): void {
    this.#access.handled(context, status);
  }

  end(context: RequestContext, transmission: Transmission, ms: number): void {
    const { info } = context;
    let open: EndpointSeries | undefined;
    if (isLongRunning(info)) {
      open = this.#open.get(context);
      open?.longRunning?.add(-1);
    } else {
      this.#inFlight.of(info).end();
    }
    const series = open ?? this.#endpoint(context);
    if (series !== undefined) this.#record(context, series, transmission, ms);
  }

  #record(
    context: RequestContext,
    series: EndpointSeries,
    { status, sentBytes, bodyBytes }: Transmission,
    ms: number,
  ): void {
    series.measured ??= this.#measured(series.labels);
    series.measured.responseSize?.observe(sentBytes);
    (series.codes.get(status) ?? this.#code(series, status)).add();
    measure(series.measured, { ms, waitedMs: context.waitedMs });
    if (status !== 200 || bodyBytes !== undefined || context.user === serverUser) {
      this.#rare(context, series, { status, bodyBytes });
    }
  }

  /** Records the labels and values that most reads do not need. */
  #rare(
    context: RequestContext,
    { labels }: EndpointSeries,
    { status, bodyBytes }: { status: number; bodyBytes: number | undefined },
  ): void {
    const { selfRequests, bodySizes, terminations, aborts } = this.#instruments;
    const [verb = '', , group = '', version = '', resource = '', subresource = '', scope = ''] = labels;
    if (context.user === serverUser) selfRequests.of(verb, group, resource, subresource).add();
    if (bodyBytes !== undefined) {
      bodySizes.of(group, resource, context.info.verb.replace('collection', '')).observe(bodyBytes);
    }
    if (status === 504 || status === 429 || status === 503) {
      terminations.of(verb, group, version, resource, subresource, scope, component, String(status)).add();
    }
    if (status === 0) aborts.of(verb, group, version, resource, subresource, scope).add();
  }

  /** Returns undefined for requests that match nothing the server serves. */
  #endpoint(context: RequestContext): EndpointSeries | undefined {
    const { info } = context;
    const { target } = info;
    if (target === undefined) return this.#healthEndpoint(info.path);
    const resource = context.resource ?? this.#find(target);
    if (resource === undefined) return undefined;
    const dryRun = isMutating(info) && isDryRun(context);
    return this.#typeEndpoint(context, { resource, target, scope: scopeLabel(info, target), dryRun });
  }

  #typeEndpoint(
    context: RequestContext,
    {
      resource,
      target,
      scope,
      dryRun,
    }: { resource: Resource; target: ResourceTarget; scope: ScopeLabel; dryRun: boolean },
  ): EndpointSeries | undefined {
    const type = this.#typeOf(resource);
    let endpoints = type.get(target.subresource);
    if (endpoints === undefined) {
      if (!isServed(resource, target.subresource)) return undefined;
      endpoints = [];
      type.set(target.subresource, endpoints);
    }
    const verb = verbLabel(context, target);
    const index = (verbLabels.indexOf(verb) * scopeCount + scopeLabels.indexOf(scope)) * 2 + (dryRun ? 1 : 0);
    endpoints[index] ??= this.#series(target, { verb, scope, dryRun });
    return endpoints[index];
  }

  #typeOf(resource: Resource): TypeSeries {
    let type = this.#types.get(resource);
    if (type === undefined) {
      type = new Map();
      this.#types.set(resource, type);
      this.#deprecated(resource);
    }
    return type;
  }

  #healthEndpoint(path: string): EndpointSeries | undefined {
    if (!healthPaths.has(path)) return undefined;
    const known = this.#health.get(path);
    if (known !== undefined) return known;
    const target = { group: '', version: '', resource: '', subresource: path };
    const series = this.#series(target, { verb: 'GET', scope: '', dryRun: false });
    this.#health.set(path, series);
    return series;
  }

  #series(
    { group, version, resource, subresource }: Pick<ResourceTarget, 'group' | 'version' | 'resource' | 'subresource'>,
    { verb, scope, dryRun }: { verb: VerbLabel; scope: ScopeLabel | ''; dryRun: boolean },
  ): EndpointSeries {
    // As in kube-apiserver, health checks belong to no component.
    const labelValues = [group, version, resource, subresource, scope, resource === '' ? '' : component];
    const isLong = verb === 'WATCH' || verb === 'CONNECT' || subresource === 'log';
    return {
      labels: [verb, dryRun ? 'All' : '', ...labelValues],
      longRunning: isLong ? this.#instruments.longRunning.of(verb, ...labelValues) : undefined,
      codes: new Map(),
      measured: undefined,
    };
  }

  #measured(labels: readonly string[]): MeasuredSeries {
    const { durations, sliDurations, sloDurations, responseSizes } = this.#instruments;
    const [verb = '', , ...labelValues] = labels;
    return {
      duration: durations.of(...labels),
      sliDuration: sliDurations.of(verb, ...labelValues),
      sloDuration: sloDurations.of(verb, ...labelValues),
      responseSize: verb === 'GET' || verb === 'LIST' ? responseSizes.of(verb, ...labelValues) : undefined,
    };
  }

  #code({ labels, codes }: EndpointSeries, status: number): Counter {
    const counter = this.#instruments.requests.of(...labels, String(status));
    codes.set(status, counter);
    return counter;
  }

  #deprecated({ definition }: Resource): void {
    const { group, version, resource, rules } = definition;
    if (rules.deprecation === undefined) return;
    const [, removed = ''] = /unavailable in v([0-9.]+)\+/.exec(rules.deprecation) ?? [];
    this.#instruments.deprecated.of(group, version, resource, '', removed).set(1);
  }
}

function measure(
  { duration, sliDuration, sloDuration }: MeasuredSeries,
  { ms, waitedMs }: { readonly ms: number; readonly waitedMs: number },
): void {
  duration.observe(ms / 1000);
  const ownSeconds = (ms - waitedMs) / 1000;
  sliDuration.observe(ownSeconds);
  sloDuration.observe(ownSeconds);
}

function isServed({ definition }: Resource, subresource: string): boolean {
  return subresource === '' || definition.subresources.some(({ name }) => name === subresource);
}
