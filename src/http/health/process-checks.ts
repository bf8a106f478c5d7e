import { type HealthCheck, healthEndpoints } from './health-check.ts';
import { withTimeout } from './with-timeout.ts';

/** Says that requests come through at all. */
export const pingCheck: HealthCheck = { name: 'ping', endpoints: healthEndpoints, run: () => {} };

/**
 * Fails when the log takes no more lines: a server that waits for its log will soon wait with everything. `flush` resolves
 * when what has been logged so far is out.
 */
export function logCheck(flush: () => Promise<void>, { timeout = 2_000 } = {}): HealthCheck {
  return {
    name: 'log',
    endpoints: healthEndpoints,
    run: () => withTimeout(flush, { timeout, expired: () => new Error('logging blocked') }),
  };
}

/** Fails when the certificate that the server shows to its callers has expired. `expiry` is asked each time. */
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
