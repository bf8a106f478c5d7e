interface FaultLog {
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/**
 * The last boundary: a fault that nobody caught is logged, and the process goes on. Every known way has a boundary of its own,
 * which knows whom to tell; nothing that a client sends may end the server of all others.
 */
export function surviveFaults(log: FaultLog): void {
  process.on('uncaughtException', (err, origin) => log.error('fault that nobody caught', { origin, err }));
}
