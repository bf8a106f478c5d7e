import type { Logger } from '../../src/meta/logger.ts';

/** Returns a log and a list of the error messages that servers write to it. */
export function recordErrors(): { log: Logger; errors: string[] } {
  const errors: string[] = [];
  const error = (message: string, fields?: object): void => {
    errors.push(
      `${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? value.stack : value))}`,
    );
  };
  return { log: { info: () => {}, error, flush: () => Promise.resolve() }, errors };
}
