import { truth } from './flags.ts';

export const observationFlags = {
  profiling: {
    name: 'profiling',
    placeholder: 'true|false',
    fallback: 'true',
    help: 'Let DELETE set the metrics to zero.',
    kind: 'switch',
    parse: truth,
  },
} as const;
