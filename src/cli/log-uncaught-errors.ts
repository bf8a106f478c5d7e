interface FaultLog {
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/**
 * Logs uncaught exceptions and keeps the process running. Known failure paths handle their own errors; this is the last
 * resort, because nothing that one client sends may stop the server for all others.
 */
export function logUncaughtErrors(log: FaultLog): void {
  process.on('uncaughtException', (err, origin) => log.error('uncaught error', { origin, err }));
}
