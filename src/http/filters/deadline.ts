import { DecodeError } from '../../meta/decode-error.ts';
import { parseDuration } from '../../meta/duration.ts';
import { badRequest, timeout } from '../../meta/status-error.ts';
import type { Filter } from '../pipeline.ts';
import { isLongRunning } from '../request-info.ts';

/** The maximum delay of a timer. A longer limit has no effect. */
const maxTimerMs = 2 ** 31 - 1;

/** How a handler ended. */
export type LateOutcome = 'ok' | 'error';

/**
 * Fails requests that take longer than the server, or the client with `?timeout=`, allows. Watches have their own
 * timeout, and connections have none. `onLate` is called when the handler of a timed-out request ends.
 */
export function deadline(maxMs: number, onLate: (outcome: LateOutcome) => void = () => {}): Filter {
  return (context, next) => {
    const limit = requestedLimit(context.parameter('timeout'), maxMs);
    if (isLongRunning(context.info)) return next(context);
    context.deadline = context.startedAt + limit;
    const result = next(context);
    if (!(result instanceof Promise)) return result;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          // A response that has begun is not interrupted.
          if (context.exchange.responded) return;
          reject(timeout('request did not complete within the allotted timeout'));
          result.then(
            () => onLate('ok'),
            () => onLate('error'),
          );
        },
        Math.min(limit, maxTimerMs),
      );
      result.then(
        (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        (error) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  };
}

function requestedLimit(text: string, maxMs: number): number {
  if (text === '') return maxMs;
  const milliseconds = Number(duration(text)) / 1e6;
  return milliseconds > 0 ? Math.min(milliseconds, maxMs) : maxMs;
}

function duration(text: string): bigint {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`invalid timeout specified in the request URL - ${error.message}`, { cause: error });
  }
}
