import { type HealthCheck, healthEndpoints } from './health-check.ts';

/** Fails until every API that the server itself provides is registered. `missing` names those that are not, as `v1.apps`. */
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

/** Not ready from the moment on when the signal of the shutdown aborts. */
export function shutdownCheck(shutdown: AbortSignal): HealthCheck {
  return {
    name: 'shutdown',
    endpoints: ['readyz'],
    run: () => {
      if (shutdown.aborted) throw new Error('process is shutting down');
    },
  };
}
