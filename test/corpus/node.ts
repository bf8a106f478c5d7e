import type { CorpusEntry } from './corpus-entry.ts';

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/node.k8s.io/v1/runtimeclasses',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'plain' }, handler: 'kata' }, expected: { handler: 'kata' } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'sandboxed', finalizers: ['bare'] },
          handler: 'kata',
          overhead: { podFixed: { memory: '128Mi', cpu: '0.2500001' } },
          scheduling: {
            nodeSelector: { 'example.com/sandbox': 'yes' },
            tolerations: [{ key: 'sandbox', operator: 'Equal', value: 'yes', effect: 'NoSchedule' }],
          },
        },
        expected: {
          handler: 'kata',
          overhead: { podFixed: { cpu: '251m', memory: '128Mi' } },
          scheduling: {
            nodeSelector: { 'example.com/sandbox': 'yes' },
            tolerations: [{ key: 'sandbox', operator: 'Equal', value: 'yes', effect: 'NoSchedule' }],
          },
        },
      },
    ],
    invalid: [
      { name: 'no handler', object: { metadata: { name: 'bad' } }, errors: ['handler: Required value'] },
      {
        name: 'a handler that is a path',
        object: { metadata: { name: 'bad' }, handler: 'a.b' },
        errors: ['handler: Invalid value: "a.b": must not contain dots'],
      },
      {
        name: 'overhead that nothing can have',
        object: {
          metadata: { name: 'bad' },
          handler: 'kata',
          overhead: { podFixed: { 'hugepages-2Mi': '-2Mi', pods: '1' } },
        },
        errors: [
          'overhead.limits[hugepages-2Mi]: Invalid value: "-2Mi": must be greater than or equal to 0',
          'overhead.limits[pods]: Invalid value: "pods": must be a standard resource for containers',
          'overhead: Forbidden: HugePages require cpu or memory',
        ],
      },
      {
        name: 'a toleration of everything for a while',
        object: {
          metadata: { name: 'bad' },
          handler: 'kata',
          scheduling: { tolerations: [{ tolerationSeconds: 5 }] },
        },
        errors: [
          'scheduling.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
          'scheduling.tolerations[0].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
        ],
      },
    ],
  },
];
