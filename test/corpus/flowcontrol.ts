import type { CorpusEntry } from './corpus-entry.ts';

const level = (name: string, spec: object) => ({ metadata: { name }, spec });
const schema = (name: string, spec: object) => ({
  metadata: { name },
  spec: { priorityLevelConfiguration: { name: 'workload-low' }, ...spec },
});
const user = (name: string) => ({ kind: 'User', user: { name } });

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    valid: [
      {
        name: 'minimal',
        object: schema('rest', {}),
        expected: {
          spec: { priorityLevelConfiguration: { name: 'workload-low' }, matchingPrecedence: 1000 },
          status: {},
        },
      },
      {
        name: 'rich',
        object: schema('robots', {
          matchingPrecedence: 250,
          distinguisherMethod: { type: 'ByNamespace' },
          rules: [
            {
              subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'ci', name: 'runner' } }, user('root')],
              resourceRules: [{ verbs: ['list', 'watch'], apiGroups: [''], resources: ['pods'], clusterScope: true }],
              nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/logs/*'] }],
            },
          ],
        }),
        expected: {
          spec: {
            priorityLevelConfiguration: { name: 'workload-low' },
            matchingPrecedence: 250,
            distinguisherMethod: { type: 'ByNamespace' },
            rules: [
              {
                subjects: [
                  { kind: 'ServiceAccount', serviceAccount: { namespace: 'ci', name: 'runner' } },
                  { kind: 'User', user: { name: 'root' } },
                ],
                resourceRules: [
                  {
                    verbs: ['list', 'watch'],
                    apiGroups: [''],
                    resources: ['pods'],
                    clusterScope: true,
                    namespaces: null,
                  },
                ],
                nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/logs/*'] }],
              },
            ],
          },
          status: {},
        },
      },
    ],
    invalid: [
      {
        name: 'out of order, without a level',
        object: { metadata: { name: 'bad' }, spec: { matchingPrecedence: 20000 } },
        errors: [
          'spec.matchingPrecedence: Invalid value: 20000: must not be greater than 10000',
          'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
        ],
      },
      {
        name: 'rules about nothing',
        object: schema('bad', {
          rules: [
            {
              subjects: [{ kind: 'Group', user: { name: 'u' } }],
              resourceRules: [{ clusterScope: true, namespaces: ['*', 'a'] }],
              nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/a*', '//', '/a b'] }],
            },
          ],
        }),
        errors: [
          "spec.rules[0].subjects[0].group: Required value: group is required when subject kind is 'Group'",
          "spec.rules[0].subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User'",
          'spec.rules[0].resourceRules[0].verbs: Required value: verbs must contain at least one value',
          'spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group',
          'spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource',
          'spec.rules[0].resourceRules[0].namespaces: Invalid value: ["*","a"]: if \'*\' is present, must not specify other namespaces',
          'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "/a*": wildcard can only do suffix matching',
          'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "//": must not contain double slash',
          'spec.rules[0].nonResourceRules[0].nonResourceURLs[2]: Invalid value: "/a b": must not contain white-space',
        ],
      },
      {
        name: 'the name that catches all, with another content',
        object: schema('catch-all', { matchingPrecedence: 9999 }),
        errors: [
          'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"workload-low"},"MatchingPrecedence":9999,"DistinguisherMethod":null,"Rules":null}: spec of \'catch-all\' must equal the fixed value',
        ],
      },
    ],
  },
  {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    valid: [
      {
        name: 'minimal',
        object: level('small', { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }),
        expected: {
          spec: {
            type: 'Limited',
            limited: { nominalConcurrencyShares: 30, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
          },
          status: {},
        },
      },
      {
        name: 'rich',
        object: level('large', {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: 0,
            limitResponse: { type: 'Queue', queuing: { queues: 16 } },
            lendablePercent: 90,
            borrowingLimitPercent: 0,
          },
        }),
        expected: {
          spec: {
            type: 'Limited',
            limited: {
              nominalConcurrencyShares: 0,
              limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 8, queueLengthLimit: 50 } },
              lendablePercent: 90,
              borrowingLimitPercent: 0,
            },
          },
          status: {},
        },
      },
    ],
    invalid: [
      { name: 'no type', object: { metadata: { name: 'bad' } }, errors: ['spec.type: Required value'] },
      {
        name: 'numbers out of their ranges',
        object: level('bad', {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: -1,
            limitResponse: { type: 'Queue', queuing: { queues: 20_000_000, handSize: 3, queueLengthLimit: -1 } },
            lendablePercent: -1,
            borrowingLimitPercent: -1,
          },
        }),
        errors: [
          'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
          'spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive',
          'spec.limited.limitResponse.queuing.queues: Invalid value: 20000000: must not be greater than 10000000',
          'spec.limited.limitResponse.queuing.handSize: Invalid value: 3: required entropy bits of deckSize 20000000 and handSize 3 should not be greater than 60',
          'spec.limited.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive',
          'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
        ],
      },
      {
        name: 'exempt under another name',
        object: level('bad', { type: 'Exempt', exempt: { nominalConcurrencyShares: -5, lendablePercent: 200 } }),
        errors: [
          "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'",
          'spec.exempt.nominalConcurrencyShares: Invalid value: -5: must be a non-negative integer',
          'spec.exempt.lendablePercent: Invalid value: 200: must be between 0 and 100, inclusive',
        ],
      },
    ],
  },
];
