import { bool, duration, text } from './flags.ts';

export const observationFlags = {
  profiling: {
    name: 'profiling',
    placeholder: 'true|false',
    fallback: 'true',
    help: 'Serve CPU and heap profiles below /debug/pprof, and allow DELETE to reset the metrics.',
    kind: 'switch',
    parse: bool,
  },
  slowRequestThresholdMs: {
    name: 'slow-request-threshold',
    placeholder: 'DURATION',
    fallback: '1s',
    help: 'Requests that take longer are logged with the durations of their stages. 0s disables this.',
    parse: duration,
  },
  tracingConfigFile: {
    name: 'tracing-config-file',
    placeholder: 'FILE',
    help: 'File with a TracingConfiguration (YAML): endpoint and sampling rate of traces.',
    parse: text,
  },
} as const;
