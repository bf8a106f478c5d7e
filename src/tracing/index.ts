/**
 * Traces of requests: spans that continue the W3C trace context of clients, sent to an OpenTelemetry collector. The
 * decision to trace a request is made at its end, so that other requests cost nothing.
 */

export { RequestTracing } from './request-tracing.ts';
export { openSpanExporter, type SpanExporter } from './span-exporter.ts';
export { parseTracingConfiguration, type TracingConfiguration } from './tracing-configuration.ts';
