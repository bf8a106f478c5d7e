import type { CorpusEntry } from './corpus-entry.ts';

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/coordination.k8s.io/v1/namespaces/corpus/leases',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'empty' } }, expected: { spec: {} } },
      {
        name: 'rich, without what only an elector could use',
        object: {
          metadata: { name: 'held', finalizers: ['bare'] },
          spec: {
            holderIdentity: 'node-1',
            leaseDurationSeconds: 40,
            acquireTime: '2025-06-01T08:00:00.000000Z',
            renewTime: '2025-06-01T10:00:01.250000+02:00',
            leaseTransitions: 0,
            strategy: 'OldestEmulationVersion',
            preferredHolder: 'node-2',
          },
        },
        expected: {
          spec: {
            holderIdentity: 'node-1',
            leaseDurationSeconds: 40,
            acquireTime: '2025-06-01T08:00:00.000000Z',
            renewTime: '2025-06-01T08:00:01.250000Z',
            leaseTransitions: 0,
          },
        },
      },
    ],
    invalid: [
      {
        name: 'no time to live',
        object: { metadata: { name: 'bad' }, spec: { leaseDurationSeconds: 0 } },
        errors: ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
      },
      {
        name: 'negative transitions',
        object: { metadata: { name: 'bad' }, spec: { leaseTransitions: -3 } },
        errors: ['spec.leaseTransitions: Invalid value: -3: must be greater than or equal to 0'],
      },
      {
        name: 'both',
        object: { metadata: { name: 'bad' }, spec: { leaseTransitions: -1, leaseDurationSeconds: -40 } },
        errors: [
          'spec.leaseDurationSeconds: Invalid value: -40: must be greater than 0',
          'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
        ],
      },
    ],
  },
];
