import type { Filter } from '../pipeline.ts';
import { respondError } from '../render.ts';

/**
 * Turns whatever goes wrong behind it into an answer; `report` hears of the server's own faults. A handler that comes to its
 * end without an answer is such a fault: it has forgotten to return a promise.
 */
export function recover(report: (error: Error, request: string) => void): Filter {
  return (context, next) => {
    const { exchange } = context;
    const request = `${exchange.method} ${exchange.path}`;
    const failed = (error: unknown): void => {
      try {
        const fault = respondError(context, error);
        if (fault !== undefined) report(fault, request);
      } catch (cause) {
        // Even the error cannot be told. Nobody is left to catch this, and it must not end the process.
        exchange.abort();
        report(cause as Error, request);
      }
    };
    const done = (): void => {
      // A filter may have put another exchange in its place.
      const { responded, signal } = context.exchange;
      if (!responded && !signal.aborted) failed(new Error('the request handler ended without an answer'));
    };
    try {
      const result = next(context);
      if (result instanceof Promise) return result.then(done, failed);
      if (!context.exchange.responded) done();
    } catch (error) {
      failed(error);
    }
  };
}
