/**
 * Traces of requests: spans by the W3C trace context of clients, sent to a collector of OpenTelemetry. Which requests
 * are traced is decided when they have ended, so that the others cost nothing.
 */

export { RequestTracing } from './request-tracing.ts';
export { openSpanExporter, type SpanExporter } from './span-exporter.ts';
export { parseTracingConfiguration, type TracingConfiguration } from './tracing-configuration.ts';
