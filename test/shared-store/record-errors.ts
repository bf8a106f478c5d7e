import type { Logger } from '../../src/meta/logger.ts';

/** A log, and what servers have logged as errors. */
export function recordErrors(): { log: Logger; errors: string[] } {
  const errors: string[] = [];
  const error = (message: string, fields?: object): void => {
    errors.push(
      `${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? value.stack : value))}`,
    );
  };
  return { log: { info: () => {}, error, flush: () => Promise.resolve() }, errors };
}
