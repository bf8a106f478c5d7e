import { serviceUnavailable } from '../../meta/status-error.ts';
import type { Filter } from '../pipeline.ts';

/**
 * Counts the requests that are being worked on, so that a stopping server can wait for them, and refuses those that come too
 * late. Watches are not waited for: they end when told to.
 */
export class InFlight {
  #count = 0;
  #closed = false;
  #onIdle: (() => void) | undefined;

  readonly filter: Filter = (context, next) => {
    if (context.info.verb === 'watch') return next(context);
    if (this.#closed) throw serviceUnavailable('apiserver is shutting down', 1);
    this.#count++;
    let result: ReturnType<typeof next>;
    try {
      result = next(context);
    } catch (error) {
      this.#done();
      throw error;
    }
    if (!(result instanceof Promise)) return this.#done();
    return result.finally(() => this.#done());
  };

  #done(): void {
    this.#count--;
    if (this.#count === 0) this.#onIdle?.();
  }

  /** Refuses new requests. Resolves when the last one is done. */
  close(): Promise<void> {
    this.#closed = true;
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }
}
