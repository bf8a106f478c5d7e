import { type HealthCheck, healthEndpoints } from './health-check.ts';

/** Fails until all built-in APIs are registered. `missing` names those that are not, such as `v1.apps`. */
export function autoregisterCompletionCheck(missing: () => readonly string[]): HealthCheck {
  return {
    name: 'autoregister-completion',
    endpoints: healthEndpoints,
    bootSequence: true,
    run: () => {
      const names = missing();
      if (names.length > 0) throw new Error(`missing APIService: [${names.join(' ')}]`);
    },
  };
}

/** Fails once the shutdown signal aborts. */
export function shutdownCheck(shutdown: AbortSignal): HealthCheck {
  return {
    name: 'shutdown',
    endpoints: ['readyz'],
    run: () => {
      if (shutdown.aborted) throw new Error('process is shutting down');
    },
  };
}
