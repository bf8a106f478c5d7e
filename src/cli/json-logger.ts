import { createRequire } from 'node:module';
import type { Logger as Pino } from 'pino';
import type { Logger } from '../server/index.ts';

/** JSON lines on stderr: stdout belongs to what the command prints. */
export function jsonLogger(level: string): Logger {
  let pino: Pino | undefined;
  // Loaded with the first line: a server that has nothing to say starts faster.
  const log = (): Pino => {
    pino ??= makePino(level);
    return pino;
  };
  return {
    info: (message, fields = {}) => log().info(fields, message),
    error: (message, fields = {}) => log().error(fields, message),
    // Whatever blocks the stream would block an empty write, too.
    flush: () => new Promise((resolve) => process.stderr.write('', () => resolve())),
  };
}

function makePino(level: string): Pino {
  const pino = createRequire(import.meta.url)('pino') as typeof import('pino');
  const destination = pino.destination({ fd: 2, sync: true });
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
