import pino from 'pino';
import type { Logger } from '../server/index.ts';

/** JSON lines on stderr: stdout belongs to what the command prints. */
export function jsonLogger(level: string): Logger {
  const log = pino(
    { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  );
  return {
    info: (message, fields = {}) => log.info(fields, message),
    error: (message, fields = {}) => log.error(fields, message),
    // Whatever blocks the stream would block an empty write, too.
    flush: () => new Promise((resolve) => process.stderr.write('', () => resolve())),
  };
}
