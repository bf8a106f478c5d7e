import type { Filter } from '../http/pipeline.ts';
import { isLongRunning } from '../http/request-info.ts';
import { whenSettled } from '../meta/maybe-promise.ts';
import { InFlightCounts, mutating, readOnly } from './in-flight-counts.ts';
import { respondTooManyRequests } from './respond-too-many-requests.ts';

export interface InFlightLimits {
  /** The maximum number of concurrent reads; 0 for no limit. */
  readonly maxRequestsInFlight: number;
  /** The maximum number of concurrent writes; 0 for no limit. */
  readonly maxMutatingRequestsInFlight: number;
}

const readOnlyVerbs = new Set(['get', 'list', 'watch']);
const retryAfterSeconds = 1;

/**
 * Limits the number of concurrent requests of all clients. Administrators and long-running requests are not rejected.
 */
export function inFlightLimit(
  { maxRequestsInFlight, maxMutatingRequestsInFlight }: InFlightLimits,
  counts = InFlightCounts.create(1),
): Filter {
  return (context, next) => {
    const { info, user, exchange } = context;
    const kind = readOnlyVerbs.has(info.verb) ? readOnly : mutating;
    const limit = kind === readOnly ? maxRequestsInFlight : maxMutatingRequestsInFlight;
    if (limit === 0 || isLongRunning(info)) return next(context);
    if (!counts.enter(kind, limit)) {
      if (user?.groups.includes('system:masters')) return next(context);
      return respondTooManyRequests(exchange, retryAfterSeconds);
    }
    const end = (): void => counts.leave(kind);
    let result: ReturnType<typeof next>;
    try {
      result = next(context);
    } catch (error) {
      end();
      throw error;
    }
    return result instanceof Promise ? whenSettled(result, end) : end();
  };
}
