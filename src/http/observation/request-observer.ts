import type { MaybePromise } from '../../meta/maybe-promise.ts';
import type { ServedExchange, Transmission } from '../exchange.ts';
import type { RequestContext } from '../request-context.ts';
import { isLongRunning } from '../request-info.ts';

/** Follows requests from their arrival to their end. Its methods must not throw. */
export interface RequestObserver {
  /** Called when the request has arrived. */
  begin?(context: RequestContext): void;
  /**
   * Called instead of the methods below when the response was complete when the handler returned, as for most requests.
   */
  passed(context: RequestContext, transmission: Transmission, ms: number): void;
  /** Called when the handler has returned without a complete response. */
  waits?(context: RequestContext): void;
  /** Called when the handler of a request that waited is done. A stream may continue. */
  handled?(context: RequestContext, transmission: Transmission): void;
  /**
   * Called when the response is complete or the client has disconnected. `ms` is the duration. A long-running request
   * ends with its stream.
   */
  end(context: RequestContext, transmission: Transmission, ms: number): void;
}

/** Combines several observers. */
export function observeAll(observers: readonly RequestObserver[]): RequestObserver | undefined {
  return observers.reduceRight<RequestObserver | undefined>(
    (others, observer) => (others === undefined ? observer : new ObserverPair(observer, others)),
    undefined,
  );
}

/** Every request passes this class, so it has no loops and no closures. */
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

  passed(context: RequestContext, transmission: Transmission, ms: number): void {
    this.#first.passed(context, transmission, ms);
    this.#second.passed(context, transmission, ms);
  }

  waits(context: RequestContext): void {
    this.#first.waits?.(context);
    this.#second.waits?.(context);
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

  /** `exchange` is that of the listener, and `result` is the return value of the handler. */
  follow(context: RequestContext, exchange: ServedExchange, result: MaybePromise<void>): void {
    if (result instanceof Promise) {
      this.#wait(context, exchange, result);
    } else if (isOver(context, exchange)) {
      const endedAt = context.handledAt ?? performance.now();
      this.#observer.passed(context, exchange, endedAt - context.startedAt);
    } else {
      this.#observer.waits?.(context);
      this.#settle(context, exchange);
    }
  }

  #wait(context: RequestContext, exchange: ServedExchange, result: Promise<void>): void {
    this.#observer.waits?.(context);
    const settled = (): void => this.#settle(context, exchange);
    result.then(settled, settled);
  }

  #settle(context: RequestContext, exchange: ServedExchange): void {
    const end = (): void => this.#observer.end(context, exchange, performance.now() - context.startedAt);
    this.#observer.handled?.(context, exchange);
    if (isOver(context, exchange)) end();
    else exchange.signal.addEventListener('abort', end, { once: true });
  }
}

/** Whether there is nothing more to send. The response may still be waiting for the audit log. */
function isOver({ info }: RequestContext, exchange: ServedExchange): boolean {
  return (exchange.status !== 0 && !isLongRunning(info)) || exchange.signal.aborted;
}
