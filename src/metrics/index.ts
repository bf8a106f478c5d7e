/**
 * The numbers of a server: `Registry` keeps what the rooms report to its `Meter`, and renders it for Prometheus. Which
 * numbers exist is decided where they arise. Only those of the process itself are here.
 */
export { type ExpositionFormat, negotiateExposition } from './exposition-format.ts';
export { MetricsRegistry } from './metrics-registry.ts';
export { measureProcess } from './process-metrics.ts';
