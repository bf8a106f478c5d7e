/**
 * The numbers of a server: `MetricsRegistry` keeps what the rooms report to their `Meter`, and renders it for
 * Prometheus. Which numbers exist is decided where they arise. Only those of the process itself and of wrapped
 * interfaces are here.
 */
export { measureHealth } from './health-metrics.ts';
export { MeteredStorage } from './metered-storage.ts';
export { MetricsEndpoint, type OtherNumbers } from './metrics-endpoint.ts';
export { MetricsRegistry, type MetricsSnapshot } from './metrics-registry.ts';
export { measureProcess } from './process-metrics.ts';
