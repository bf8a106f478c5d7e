import type { Filter } from '../pipeline.ts';
import { respondError } from '../render.ts';

/** Turns whatever goes wrong behind it into an answer; `report` hears of the server's own faults. */
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
    try {
      const result = next(context);
      if (result instanceof Promise) return result.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
