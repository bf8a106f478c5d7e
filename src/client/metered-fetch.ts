import type { Meter } from '../meta/meter.ts';
import type { Fetch } from './fetch.ts';
import { meteredCalls } from './metered-calls.ts';

/**
 * Returns a fetch function that counts its requests under the names of Kubernetes clients. `host` is the server in the
 * labels.
 */
export function meteredFetch(fetch: Fetch, meter: Meter, host: string): Fetch {
  const metered = meteredCalls(host, { meter });
  return (request) => metered(request.method, () => fetch(request));
}
