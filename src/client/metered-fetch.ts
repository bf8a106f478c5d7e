import type { Meter } from '../meta/meter.ts';
import type { Fetch } from './fetch.ts';

/** The same requests, counted under the names of Kubernetes clients. `host` is the server in the labels. */
export function meteredFetch(fetch: Fetch, meter: Meter, host: string): Fetch {
  const requests = meter.counter({
    name: 'rest_client_requests_total',
    help: 'Requests to API servers, by status code. `<error>` for those without a response.',
    labels: ['code', 'method', 'host'],
  });
  const durations = meter.histogram({
    name: 'rest_client_request_duration_seconds',
    help: 'Time from a request to an API server to the start of its response, in seconds.',
    labels: ['verb', 'host'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  });
  const ended = (method: string, code: string, ms: number): void => {
    requests.of(code, method, host).add();
    durations.of(method, host).observe(ms / 1000);
  };
  return async (request) => {
    const startedAt = performance.now();
    try {
      const response = await fetch(request);
      ended(request.method, String(response.status), performance.now() - startedAt);
      return response;
    } catch (error) {
      ended(request.method, '<error>', performance.now() - startedAt);
      throw error;
    }
  };
}
