import { DecodeError } from '../../meta/decode-error.ts';
import { parseDuration } from '../../meta/duration.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { badRequest, timeout } from '../../meta/status-error.ts';
import type { Filter } from '../pipeline.ts';
import type { RequestContext } from '../request-context.ts';
import { isLongRunning } from '../request-info.ts';

/** The maximum delay of a timer. A longer limit has no effect. */
const maxTimerMs = 2 ** 31 - 1;

/** The longest time for a write of one object, as in kube-apiserver. */
const maxWriteMs = 34_000;
/** The handlers of kube-apiserver end these requests themselves. */
const writeTimeout = 'request did not complete within requested timeout - context deadline exceeded';
const writeVerbs = new Set(['create', 'update', 'patch', 'delete']);

/** How a handler ended. */
export type LateOutcome = 'ok' | 'error';

/** Called when the handler of a timed-out request ends. */
export type OnLate = (outcome: LateOutcome) => void;

/**
 * Fails requests that take longer than the server, or the client with `?timeout=`, allows. Watches have their own
 * timeout, and connections have none.
 */
export function deadline(maxMs: number, onLate: OnLate = () => {}): Filter {
  return (context, next) => {
    const limit = requestedLimit(context.parameter('timeout'), maxMs);
    if (isLongRunning(context.info)) return next(context);
    context.deadline = context.startedAt + limit;
    return limited(next(context), { context, limit, onLate });
  };
}

export interface WriteDeadlineOptions {
  readonly onLate?: OnLate;
  /** Whether another server handles requests for a path. Their writes may take as long as other requests. */
  readonly isPassedOn?: (path: string) => boolean;
}

/** Limits the time of a write of one object. The time does not include that in which the request waits in a queue. */
export function writeDeadline({ onLate = () => {}, isPassedOn = () => false }: WriteDeadlineOptions = {}): Filter {
  return (context, next) => {
    const { target, verb, path } = context.info;
    const isWrite = target !== undefined && writeVerbs.has(verb) && !isPassedOn(path);
    if (!isWrite || context.deadline === undefined) return next(context);
    context.timeoutText = writeTimeout;
    const until = performance.now() + maxWriteMs;
    // Otherwise the request ends before.
    if (context.deadline <= until) return next(context);
    context.deadline = until;
    return limited(next(context), { context, limit: maxWriteMs, onLate });
  };
}

interface Limited {
  readonly context: RequestContext;
  readonly limit: number;
  readonly onLate: OnLate;
}

function limited(result: MaybePromise<void>, { context, limit, onLate }: Limited): MaybePromise<void> {
  if (!(result instanceof Promise)) return result;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        // A response that has begun is not interrupted.
        if (context.exchange.responded) return;
        reject(timeout(context.timeoutText));
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
