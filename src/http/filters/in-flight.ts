import { whenSettled } from '../../meta/maybe-promise.ts';
import { serviceUnavailable } from '../../meta/status-error.ts';
import type { Filter } from '../pipeline.ts';
import { isLongRunning } from '../request-info.ts';

/**
 * Counts the running requests so that a stopping server can wait for them, and rejects requests that arrive later.
 * Long-running ones are not counted: the server ends them itself.
 */
export class InFlight {
  #count = 0;
  #total = 0;
  #closed = false;
  #onIdle: (() => void) | undefined;

  /** The number of running requests, without long-running ones. */
  get running(): number {
    return this.#count;
  }

  /** The number of requests since the start. */
  get total(): number {
    return this.#total;
  }

  readonly filter: Filter = (context, next) => {
    if (this.#closed && context.info.verb !== 'watch') throw serviceUnavailable('apiserver is shutting down', 1);
    this.#total++;
    if (isLongRunning(context.info)) return next(context);
    this.#count++;
    let result: ReturnType<typeof next>;
    try {
      result = next(context);
    } catch (error) {
      this.#done();
      throw error;
    }
    if (!(result instanceof Promise)) return this.#done();
    return whenSettled(result, () => this.#done());
  };

  #done(): void {
    this.#count--;
    if (this.#count === 0) this.#onIdle?.();
  }

  /** Rejects new requests. Resolves when the last running one is done. */
  close(): Promise<void> {
    this.#closed = true;
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }
}
