import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ServedExchange, Transmission } from '../exchange.ts';
import type { RequestContext } from '../request-context.ts';
import { isLongRunning } from '../request-info.ts';

/** Follows requests from their arrival to their end. Its methods must not throw. */
export interface RequestObserver {
  begin?(context: RequestContext): void;
  /** The handler is done. A stream may continue. */
  handled?(context: RequestContext, transmission: Transmission): void;
  /**
   * The response is complete, or the client has disconnected. `ms` is the duration. A long-running request ends with
   * its stream.
   */
  end(context: RequestContext, transmission: Transmission, ms: number): void;
}

/** Several observers as one. */
export function observeAll(observers: readonly RequestObserver[]): RequestObserver | undefined {
  return observers.reduceRight<RequestObserver | undefined>(
    (others, observer) => (others === undefined ? observer : new ObserverPair(observer, others)),
    undefined,
  );
}

/** Every request passes it, so it has no loops and no closures. */
class ObserverPair implements RequestObserver {
  readonly #first: RequestObserver;
  readonly #second: RequestObserver;

  constructor(first: RequestObserver, second: RequestObserver) {
    this.#first = first;
    this.#second = second;
  }

  begin(context: RequestContext): void {
    this.#first.begin?.(context);
    this.#second.begin?.(context);
  }

  handled(context: RequestContext, transmission: Transmission): void {
    this.#first.handled?.(context, transmission);
    this.#second.handled?.(context, transmission);
  }

  end(context: RequestContext, transmission: Transmission, ms: number): void {
    this.#first.end(context, transmission, ms);
    this.#second.end(context, transmission, ms);
  }
}

/** Notifies an observer when requests end. Requests that are answered synchronously need no closure. */
export class ObservedEnds {
  readonly #observer: RequestObserver;

  constructor(observer: RequestObserver) {
    this.#observer = observer;
  }

  /** `exchange` is the one of the listener, and `result` what the handler has returned. */
  follow(context: RequestContext, exchange: ServedExchange, result: MaybePromise<void>): void {
    if (!(result instanceof Promise)) {
      this.#settle(context, exchange, context.handledAt);
      return;
    }
    const settled = (): void => this.#settle(context, exchange, undefined);
    result.then(settled, settled);
  }

  #settle(context: RequestContext, exchange: ServedExchange, handledAt: number | undefined): void {
    this.#observer.handled?.(context, exchange);
    // The response may still be waiting for the audit log.
    const isOver = (exchange.status !== 0 && !isLongRunning(context.info)) || exchange.signal.aborted;
    if (isOver) this.#end(context, exchange, handledAt ?? performance.now());
    else
      exchange.signal.addEventListener('abort', () => this.#end(context, exchange, performance.now()), { once: true });
  }

  #end(context: RequestContext, exchange: ServedExchange, endedAt: number): void {
    this.#observer.end(context, exchange, endedAt - context.startedAt);
  }
}
