import type { CorpusEntry } from './corpus-entry.ts';

const noStatus = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/policy/v1/namespaces/corpus/poddisruptionbudgets',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'All' } }, expected: { spec: {}, status: noStatus } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'web', labels: { app: 'web' } },
          spec: {
            maxUnavailable: '30%',
            selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] },
            unhealthyPodEvictionPolicy: 'IfHealthyBudget',
          },
        },
        expected: {
          spec: {
            selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] },
            maxUnavailable: '30%',
            unhealthyPodEvictionPolicy: 'IfHealthyBudget',
          },
          status: noStatus,
        },
      },
    ],
    invalid: [
      {
        name: 'both amounts',
        object: {
          metadata: { name: 'bad' },
          spec: { minAvailable: '150%', maxUnavailable: -2, selector: { matchLabels: { app: 'web' } } },
        },
        errors: [
          'spec: Invalid value: {"MinAvailable":"150%","Selector":{"matchLabels":{"app":"web"}},"MaxUnavailable":-2,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
          'spec.minAvailable: Invalid value: "150%": must not be greater than 100%',
          'spec.maxUnavailable: Invalid value: -2: must be greater than or equal to 0',
        ],
      },
      {
        name: 'a selector with nothing to compare',
        object: {
          metadata: { name: 'bad' },
          spec: { selector: { matchExpressions: [{ key: 'app', operator: 'NotIn' }] } },
        },
        errors: [
          "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        ],
      },
      {
        name: 'an unknown policy',
        object: { metadata: { name: 'bad' }, spec: { unhealthyPodEvictionPolicy: '' } },
        errors: [
          'spec.unhealthyPodEvictionPolicy: Unsupported value: "": supported values: "AlwaysAllow", "IfHealthyBudget"',
        ],
      },
    ],
  },
];
