import type { Filter } from '../pipeline.ts';
import { respondError } from '../render.ts';

/** Turns whatever goes wrong behind it into an answer; `report` hears of the server's own faults. */
export function recover(report: (error: Error, request: string) => void): Filter {
  return (context, next) => {
    const { exchange } = context;
    const failed = (error: unknown): void => {
      const fault = respondError(context, error);
      if (fault !== undefined) report(fault, `${exchange.method} ${exchange.path}`);
    };
    try {
      const result = next(context);
      if (result instanceof Promise) return result.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
