import { type Meter, noMeter } from '../meta/meter.ts';

/** Makes a call and counts it. */
export type MeteredCall = <T extends { readonly status: number }>(method: string, call: () => Promise<T>) => Promise<T>;

export interface MeteredCallsOptions {
  readonly meter?: Meter | undefined;
  /** Called after each call, with the status code or `<error>`. */
  readonly onAttempt?: ((code: string, ms: number) => void) | undefined;
}

/** Counts calls of one server, under the names of Kubernetes clients. `host` is the server in the labels. */
export function meteredCalls(host: string, { meter = noMeter, onAttempt }: MeteredCallsOptions): MeteredCall {
  const requests = meter.counter({
    name: 'rest_client_requests_total',
    help: 'Requests to API servers and webhooks, by status code. `<error>` for those without a response.',
    labels: ['code', 'method', 'host'],
  });
  const durations = meter.histogram({
    name: 'rest_client_request_duration_seconds',
    help: 'Time from a request to an API server or webhook to its response, in seconds.',
    labels: ['verb', 'host'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
  });
  const ended = (method: string, code: string, startedAt: number): void => {
    const ms = performance.now() - startedAt;
    requests.of(code, method, host).add();
    durations.of(method, host).observe(ms / 1000);
    onAttempt?.(code, ms);
  };
  return async (method, call) => {
    const startedAt = performance.now();
    try {
      const response = await call();
      ended(method, String(response.status), startedAt);
      return response;
    } catch (error) {
      ended(method, '<error>', startedAt);
      throw error;
    }
  };
}
