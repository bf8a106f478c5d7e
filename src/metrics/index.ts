/**
 * The metrics of a server: `MetricsRegistry` keeps the values that the rooms report to their `Meter`, and renders them
 * for Prometheus. Each metric is defined in the room that measures it. This room defines only the metrics of the
 * process itself and of wrapped interfaces.
 */
export { measureHealth } from './health-metrics.ts';
export { MeteredStorage } from './metered-storage.ts';
export { MetricsEndpoint, type OtherThreadMetrics } from './metrics-endpoint.ts';
export { MetricsRegistry, type MetricsSnapshot } from './metrics-registry.ts';
export { measureProcess } from './process-metrics.ts';
