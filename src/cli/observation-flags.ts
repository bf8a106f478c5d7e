import { duration, text, truth } from './flags.ts';

export const observationFlags = {
  profiling: {
    name: 'profiling',
    placeholder: 'true|false',
    fallback: 'true',
    help: 'Serve processor and heap profiles below /debug/pprof, and let DELETE set the metrics to zero.',
    kind: 'switch',
    parse: truth,
  },
  slowRequestThresholdMs: {
    name: 'slow-request-threshold',
    placeholder: 'DURATION',
    fallback: '1s',
    help: 'Requests that take longer are logged, with the durations of their stages. 0s logs none.',
    parse: duration,
  },
  tracingConfigFile: {
    name: 'tracing-config-file',
    placeholder: 'FILE',
    help: 'File with a TracingConfiguration (YAML): where traces are sent to, and of how many requests.',
    parse: text,
  },
} as const;
