import type { CorpusEntry } from './corpus-entry.ts';

const group = 'rbac.authorization.k8s.io';
const notSubdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const emptyRule = [
  'rules[0].verbs: Required value: verbs must contain at least one value',
  'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
  'rules[0].resources: Required value: resource rules must supply at least one resource',
];
const read = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const people = [
  { kind: 'User', name: 'ann' },
  { kind: 'Group', name: 'system:all' },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'corpus' },
];
const completedPeople = [
  { kind: 'User', apiGroup: group, name: 'ann' },
  { kind: 'Group', apiGroup: group, name: 'system:all' },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'corpus' },
];
const wrongPeople = [
  { kind: 'Robot' },
  { kind: 'User', name: 'ann', apiGroup: 'example.com' },
  { kind: 'Group', apiGroup: group },
  { kind: 'ServiceAccount', name: 'Robot', apiGroup: group },
];

export const corpus: CorpusEntry[] = [
  {
    path: `/apis/${group}/v1/namespaces/corpus/roles`,
    valid: [
      { name: 'minimal', object: { metadata: { name: 'minimal' } }, expected: { rules: null } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'system:Rich_One' },
          rules: [read, { resources: ['*'], apiGroups: ['*'], verbs: ['*'], resourceNames: ['a'] }],
        },
        expected: {
          rules: [read, { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: ['a'] }],
        },
      },
    ],
    invalid: [
      { name: 'an empty rule', object: { metadata: { name: 'empty' }, rules: [{}] }, errors: emptyRule },
      {
        name: 'paths',
        object: { metadata: { name: 'paths' }, rules: [{ nonResourceURLs: ['/healthz'], resourceNames: ['a'] }] },
        errors: [
          'rules[0].verbs: Required value: verbs must contain at least one value',
          'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: namespaced rules cannot apply to non-resource URLs',
          'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
        ],
      },
      {
        name: 'a name of two segments',
        object: { metadata: { name: 'a/b%c' }, rules: [read] },
        errors: [
          'metadata.name: Invalid value: "a/b%c": may not contain \'/\'',
          'metadata.name: Invalid value: "a/b%c": may not contain \'%\'',
        ],
      },
    ],
  },
  {
    path: `/apis/${group}/v1/clusterroles`,
    valid: [
      { name: 'minimal', object: { metadata: { name: 'corpus-minimal' } }, expected: { rules: null } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'corpus:rich' },
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }, {}] },
          rules: [read, { nonResourceURLs: ['*'], verbs: ['get'] }],
        },
        expected: {
          rules: [read, { verbs: ['get'], nonResourceURLs: ['*'] }],
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }, {}] },
        },
      },
    ],
    invalid: [
      { name: 'an empty rule', object: { metadata: { name: 'corpus-empty' }, rules: [{}] }, errors: emptyRule },
      {
        name: 'paths and resources',
        object: { metadata: { name: 'corpus-paths' }, rules: [{ ...read, nonResourceURLs: ['/x'] }] },
        errors: [
          'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
        ],
      },
      {
        name: 'selectors',
        object: {
          metadata: { name: 'corpus-selectors' },
          aggregationRule: {
            clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }, { matchLabels: { a: 'b' } }],
          },
        },
        errors: [
          "aggregationRule.clusterRoleSelectors[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
          'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
        ],
      },
      {
        name: 'an aggregation of nothing',
        object: { metadata: { name: 'corpus-nothing' }, aggregationRule: { clusterRoleSelectors: [] } },
        errors: [
          'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
        ],
      },
    ],
  },
  {
    path: `/apis/${group}/v1/namespaces/corpus/rolebindings`,
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, roleRef: { kind: 'Role', name: 'r' } },
        expected: { roleRef: { apiGroup: group, kind: 'Role', name: 'r' } },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich' },
          roleRef: { name: 'system:r', kind: 'ClusterRole', apiGroup: group },
          subjects: [...people, { kind: 'ServiceAccount', name: 'local' }],
        },
        expected: {
          subjects: [...completedPeople, { kind: 'ServiceAccount', name: 'local' }],
          roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'system:r' },
        },
      },
    ],
    invalid: [
      {
        name: 'no role',
        object: { metadata: { name: 'none' } },
        errors: [
          'roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole"',
          'roleRef.name: Required value',
        ],
      },
      {
        name: 'a role that is none',
        object: { metadata: { name: 'role' }, roleRef: { apiGroup: 'apps', kind: 'Deployment', name: '..' } },
        errors: [
          `roleRef.apiGroup: Unsupported value: "apps": supported values: "${group}"`,
          'roleRef.kind: Unsupported value: "Deployment": supported values: "Role", "ClusterRole"',
          'roleRef.name: Invalid value: "..": may not be \'..\'',
        ],
      },
      {
        name: 'subjects',
        object: { metadata: { name: 'subjects' }, roleRef: { kind: 'Role', name: 'r' }, subjects: wrongPeople },
        errors: [
          'subjects[0].name: Required value',
          'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
          `subjects[1].apiGroup: Unsupported value: "example.com": supported values: "${group}"`,
          'subjects[2].name: Required value',
          `subjects[3].name: Invalid value: "Robot": ${notSubdomain}`,
          `subjects[3].apiGroup: Unsupported value: "${group}": supported values: ""`,
        ],
      },
    ],
  },
  {
    path: `/apis/${group}/v1/clusterrolebindings`,
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'corpus-minimal' }, roleRef: { kind: 'ClusterRole', name: 'r' } },
        expected: { roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'r' } },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'corpus-rich' },
          roleRef: { kind: 'ClusterRole', name: 'r' },
          subjects: people,
        },
        expected: {
          subjects: completedPeople,
          roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'r' },
        },
      },
    ],
    invalid: [
      {
        name: 'a role of a namespace',
        object: { metadata: { name: 'corpus-role' }, roleRef: { kind: 'Role', name: 'r' } },
        errors: ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
      },
      {
        name: 'no role',
        object: { metadata: { name: 'corpus-none' }, roleRef: {} },
        errors: [
          'roleRef.kind: Unsupported value: "": supported values: "ClusterRole"',
          'roleRef.name: Required value',
        ],
      },
      {
        name: 'subjects',
        object: {
          metadata: { name: 'corpus-subjects' },
          roleRef: { kind: 'ClusterRole', name: 'r' },
          subjects: [{ kind: 'ServiceAccount' }, { kind: 'user', name: 'a' }],
        },
        errors: [
          'subjects[0].name: Required value',
          'subjects[0].namespace: Required value',
          'subjects[1].kind: Unsupported value: "user": supported values: "ServiceAccount", "User", "Group"',
        ],
      },
    ],
  },
];
