import type { Counter, Family, Gauge, Histogram, Meter } from '../../meta/meter.ts';

const type = ['group', 'version', 'resource', 'subresource'] as const;
const endpoint = ['verb', ...type, 'scope', 'component'] as const;
const endpointAndRun = ['verb', 'dry_run', ...type, 'scope', 'component'] as const;
const durations = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
/**
 * The maximum number of series: there are many types, verbs and codes. Names of types that are not served are never
 * used.
 */
const limit = 20_000;

/** The families of numbers about requests, under the names of kube-apiserver. */
export interface RequestInstruments {
  readonly requests: Family<Counter>;
  readonly durations: Family<Histogram>;
  readonly sliDurations: Family<Histogram>;
  readonly sloDurations: Family<Histogram>;
  readonly responseSizes: Family<Histogram>;
  readonly bodySizes: Family<Histogram>;
  readonly longRunning: Family<Gauge>;
  readonly terminations: Family<Counter>;
  readonly aborts: Family<Counter>;
  readonly selfRequests: Family<Counter>;
  readonly deprecated: Family<Gauge>;
}

export function requestInstruments(meter: Meter): RequestInstruments {
  const counter = (name: string, labels: readonly string[], help: string): Family<Counter> =>
    meter.counter({ name, help, labels, limit });
  const gauge = (name: string, labels: readonly string[], help: string): Family<Gauge> =>
    meter.gauge({ name, help, labels, limit });
  const histogram = (name: string, about: { labels: readonly string[]; buckets: readonly number[]; help: string }) =>
    meter.histogram({ name, limit, ...about });
  return {
    requests: counter(
      'apiserver_request_total',
      [...endpointAndRun, 'code'],
      'Requests by what they ask for, and status code of the response.',
    ),
    durations: histogram('apiserver_request_duration_seconds', {
      labels: endpointAndRun,
      buckets: durations,
      help: 'Time from the arrival of a request to the end of its response, in seconds.',
    }),
    sliDurations: histogram('apiserver_request_sli_duration_seconds', {
      labels: endpoint,
      buckets: durations.slice(2),
      help: 'Duration of requests without the time spent in queues and webhooks, in seconds.',
    }),
    sloDurations: histogram('apiserver_request_slo_duration_seconds', {
      labels: endpoint,
      buckets: durations.slice(2),
      help: 'The same as apiserver_request_sli_duration_seconds, under its older name.',
    }),
    responseSizes: histogram('apiserver_response_sizes', {
      labels: endpoint,
      buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
      help: 'Sizes of responses to reads, in bytes.',
    }),
    bodySizes: histogram('apiserver_request_body_size_bytes', {
      labels: ['group', 'resource', 'verb'],
      buckets: Array.from({ length: 31 }, (_, index) => 50_000 + index * 100_000),
      help: 'Sizes of request bodies, in bytes.',
    }),
    longRunning: gauge('apiserver_longrunning_requests', endpoint, 'Watches and connections that are open.'),
    terminations: counter(
      'apiserver_request_terminations_total',
      [...endpoint, 'code'],
      'Requests that the server ended to protect itself, by the status code.',
    ),
    aborts: counter(
      'apiserver_request_aborts_total',
      ['verb', ...type, 'scope'],
      'Requests that ended without a complete response.',
    ),
    selfRequests: counter(
      'apiserver_selfrequest_total',
      ['verb', 'group', 'resource', 'subresource'],
      'Requests of the server to itself.',
    ),
    deprecated: gauge(
      'apiserver_requested_deprecated_apis',
      [...type, 'removed_release'],
      'Deprecated types that were asked for.',
    ),
  };
}
