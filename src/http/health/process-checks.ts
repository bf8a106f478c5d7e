import { type HealthCheck, healthEndpoints } from './health-check.ts';
import { withTimeout } from './with-timeout.ts';

/** Passes whenever the server responds at all. */
export const pingCheck: HealthCheck = { name: 'ping', endpoints: healthEndpoints, run: () => {} };

/**
 * Fails when the log accepts no more lines: a server that blocks on its log soon blocks entirely. `flush` resolves when
 * all logged lines are written.
 */
export function logCheck(flush: () => Promise<void>, { timeout = 2_000 } = {}): HealthCheck {
  return {
    name: 'log',
    endpoints: healthEndpoints,
    run: () => withTimeout(flush, { timeout, expired: () => new Error('logging blocked') }),
  };
}

/**
 * Fails when the serving certificate has expired. `expiry` is called each time, because the certificate may be
 * replaced.
 */
export function servingCertificateCheck(expiry: () => Date, { now = Date.now } = {}): HealthCheck {
  return {
    name: 'loopback-serving-certificate',
    endpoints: ['livez', 'healthz'],
    run: () => {
      const expires = expiry();
      if (now() >= expires.getTime()) throw new Error(`the serving certificate expired at ${expires.toISOString()}`);
    },
  };
}
