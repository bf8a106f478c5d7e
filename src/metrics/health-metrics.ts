import type { CheckOutcome, HealthEndpoint } from '../http/health/index.ts';
import type { Meter } from '../meta/meter.ts';

/** Reports the outcomes of health checks, for `/metrics/slis`. */
export function measureHealth(meter: Meter): (outcome: CheckOutcome, endpoint: HealthEndpoint) => void {
  const last = meter.gauge({
    name: 'kubernetes_healthcheck',
    help: 'The last outcome of a health check: 1 when it passed.',
    labels: ['name', 'type'],
    together: 'first',
  });
  const all = meter.counter({
    name: 'kubernetes_healthchecks_total',
    help: 'Outcomes of health checks.',
    labels: ['name', 'type', 'status'],
  });
  return ({ check: { name }, failure }, endpoint) => {
    last.of(name, endpoint).set(failure === undefined ? 1 : 0);
    all.of(name, endpoint, failure === undefined ? 'success' : 'error').add();
  };
}
