import { hostname } from 'node:os';
import { buildInfo } from '../http/discovery/index.ts';
import type { RequestObserver } from '../http/observation/request-observer.ts';
import type { OptionFiles } from './files/option-files.ts';
import type { ResolvedOptions } from './options.ts';

export interface ServerTracing {
  /** Empty when tracing is off. */
  readonly observers: readonly RequestObserver[];
  /** Sends all pending traces. */
  close(): Promise<void>;
}

/** Traces requests according to the configuration file. Rejects with a RangeError for an invalid file. */
export async function serverTracing(
  { tracingConfigFile, log }: ResolvedOptions,
  files: OptionFiles,
): Promise<ServerTracing> {
  if (tracingConfigFile === undefined) return { observers: [], close: () => Promise.resolve() };
  const { openSpanExporter, parseTracingConfiguration, RequestTracing } = await import('../tracing/index.ts');
  const content = await files.read('tracing-config-file', tracingConfigFile);
  const { endpoint, samplingRatePerMillion } = parseTracingConfiguration(content);
  const exporter = await openSpanExporter({
    endpoint,
    resource: {
      'service.name': 'apiserver',
      'service.instance.id': hostname(),
      'service.version': buildInfo().packageVersion,
    },
    onError: (err) => log.error('traces were not sent', { endpoint, err }),
  });
  return { observers: [new RequestTracing({ exporter, samplingRatePerMillion })], close: () => exporter.close() };
}
