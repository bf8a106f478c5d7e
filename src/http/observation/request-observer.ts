import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { Exchange } from '../exchange.ts';
import type { RequestContext } from '../request-context.ts';
import type { ObservedExchange } from './observed-exchange.ts';

/** Follows requests from their arrival to their end. Its methods must not throw. */
export interface RequestObserver {
  begin(context: RequestContext): void;
  /** The handler is done. A stream may go on. */
  handled(context: RequestContext, answer: ObservedExchange): void;
  /**
   * The response is complete, or the client has disconnected. `ms` is the duration. A long-running request ends with its stream.
   */
  end(context: RequestContext, answer: ObservedExchange, ms: number): void;
}

/** Several observers as one. */
export function observeAll(observers: readonly RequestObserver[]): RequestObserver | undefined {
  if (observers.length < 2) return observers[0];
  return {
    begin: (context) => {
      for (const observer of observers) observer.begin(context);
    },
    handled: (context, answer) => {
      for (const observer of observers) observer.handled(context, answer);
    },
    end: (context, answer, ms) => {
      for (const observer of observers) observer.end(context, answer, ms);
    },
  };
}

export interface ObservedRequest {
  readonly context: RequestContext;
  /** The one of the listener. */
  readonly exchange: Exchange;
  readonly answer: ObservedExchange;
  readonly isLongRunning: boolean;
}

/** Reports the end of a request, given what its handler has returned. Needs no closure when that is no promise. */
export function observeEnd(observer: RequestObserver, request: ObservedRequest, result: MaybePromise<void>): void {
  if (!(result instanceof Promise)) {
    settle(observer, request);
    return;
  }
  const settled = (): void => settle(observer, request);
  result.then(settled, settled);
}

function settle(observer: RequestObserver, { context, exchange, answer, isLongRunning }: ObservedRequest): void {
  observer.handled(context, answer);
  // The response may still be waiting for the audit log.
  if ((!isLongRunning && answer.status !== 0) || exchange.signal.aborted) end(observer, context, answer);
  else exchange.signal.addEventListener('abort', () => end(observer, context, answer), { once: true });
}

function end(observer: RequestObserver, context: RequestContext, answer: ObservedExchange): void {
  observer.end(context, answer, performance.now() - context.startedAt);
}
