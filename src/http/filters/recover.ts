import type { Filter } from '../pipeline.ts';
import { respondError } from '../render.ts';

/**
 * Turns errors of later filters and handlers into responses. Calls `report` for faults of the server. A handler that
 * ends without a response is such a fault: it forgot to return a promise.
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
        // The error response failed, too. No caller catches this, and it must not end the process.
        exchange.abort();
        report(cause as Error, request);
      }
    };
    const done = (): void => {
      // A filter may have replaced the exchange. Its signal is created on first use, and most requests never use it.
      const { exchange: last } = context;
      if (!last.responded && !last.signal.aborted) failed(new Error('the request handler ended without a response'));
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
