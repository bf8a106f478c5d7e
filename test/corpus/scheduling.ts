import type { CorpusEntry } from './corpus-entry.ts';

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'nothing-special' } },
        expected: { value: 0, preemptionPolicy: 'PreemptLowerPriority' },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'patient' },
          value: 1_000_000_000,
          globalDefault: false,
          description: 'first in the queue, but waits for room',
          preemptionPolicy: 'Never',
        },
        expected: {
          value: 1_000_000_000,
          description: 'first in the queue, but waits for room',
          preemptionPolicy: 'Never',
        },
      },
    ],
    invalid: [
      {
        name: 'above what users may ask for',
        object: { metadata: { name: 'bad' }, value: 1_500_000_000 },
        errors: ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
      },
      {
        name: 'the name of a system class with another value, and no policy',
        object: { metadata: { name: 'system-cluster-critical' }, value: 5, preemptionPolicy: '' },
        errors: [
          "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-cluster-critical PriorityClass must be 2000000000",
          'preemptionPolicy: Required value',
        ],
      },
      {
        name: 'an unknown system class and policy',
        object: { metadata: { name: 'system-mine' }, preemptionPolicy: 'Sometimes' },
        errors: [
          "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
          'preemptionPolicy: Unsupported value: "Sometimes": supported values: "PreemptLowerPriority", "Never"',
        ],
      },
    ],
  },
];
