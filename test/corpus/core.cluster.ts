import type { CorpusEntry } from './corpus-entry.ts';

const notName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const notValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const emptyStatus = {
  daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
  nodeInfo: {
    machineID: '',
    systemUUID: '',
    bootID: '',
    kernelVersion: '',
    osImage: '',
    containerRuntimeVersion: '',
    kubeletVersion: '',
    kubeProxyVersion: '',
    operatingSystem: '',
    architecture: '',
  },
};

export const corpus: CorpusEntry[] = [
  {
    path: '/api/v1/namespaces',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'corpus-minimal' } },
        expected: {
          metadata: { name: 'corpus-minimal', labels: { 'kubernetes.io/metadata.name': 'corpus-minimal' } },
          spec: { finalizers: ['kubernetes'] },
          status: { phase: 'Active' },
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'corpus-rich', labels: { team: 'red', 'kubernetes.io/metadata.name': 'other' } },
          spec: { finalizers: ['example.com/keep', 'orphan'] },
          status: { phase: 'Terminating' },
        },
        expected: {
          metadata: { name: 'corpus-rich', labels: { 'kubernetes.io/metadata.name': 'corpus-rich', team: 'red' } },
          spec: { finalizers: ['example.com/keep', 'orphan', 'kubernetes'] },
          status: { phase: 'Active' },
        },
      },
    ],
    invalid: [
      {
        name: 'a name with dots',
        object: { metadata: { name: 'one.two' } },
        errors: ['metadata.name: Invalid value: "one.two": must not contain dots'],
      },
      {
        name: 'a name that is too long, also for a label',
        object: { metadata: { name: 'n'.repeat(64) } },
        errors: [
          `metadata.name: Invalid value: "${'n'.repeat(64)}": must be no more than 63 characters`,
          `metadata.labels: Invalid value: "${'n'.repeat(64)}": must be no more than 63 bytes`,
        ],
      },
      {
        name: 'finalizers of nobody',
        object: { metadata: { name: 'corpus-final' }, spec: { finalizers: ['mine', 'a b'] } },
        errors: [
          'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
          `spec.finalizers: Invalid value: "a b": ${notName}`,
          'spec.finalizers: Invalid value: "a b": name is neither a standard finalizer name nor is it fully qualified',
        ],
      },
    ],
  },
  {
    path: '/api/v1/nodes',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'corpus-minimal' }, spec: { taints: [notReady] } },
        expected: { spec: { taints: [notReady] }, status: emptyStatus },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'corpus-rich' },
          spec: {
            taints: [
              { key: 'example.com/gpu', value: 'a', effect: 'NoSchedule' },
              { key: 'example.com/gpu', effect: 'NoExecute', timeAdded: '2024-05-06T07:08:09Z' },
              notReady,
            ],
            podCIDRs: ['10.244.1.0/24', 'fd00:1::/64'],
            providerID: 'cloud://1',
            unschedulable: true,
            configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } },
          },
        },
        expected: {
          spec: {
            podCIDR: '10.244.1.0/24',
            podCIDRs: ['10.244.1.0/24', 'fd00:1::/64'],
            providerID: 'cloud://1',
            unschedulable: true,
            taints: [
              { key: 'example.com/gpu', value: 'a', effect: 'NoSchedule' },
              { key: 'example.com/gpu', effect: 'NoExecute', timeAdded: '2024-05-06T07:08:09Z' },
              notReady,
            ],
          },
          status: emptyStatus,
        },
      },
      {
        name: 'a single range wins over a list that says another thing',
        object: {
          metadata: { name: 'corpus-range' },
          spec: {
            podCIDR: 'fd00:2::/64',
            podCIDRs: ['10.244.2.0/24', 'fd00:2::/64'],
            taints: [notReady],
          },
        },
        expected: {
          spec: {
            podCIDR: 'fd00:2::/64',
            podCIDRs: ['fd00:2::/64'],
            taints: [notReady],
          },
          status: emptyStatus,
        },
      },
    ],
    invalid: [
      {
        name: 'taints',
        object: {
          metadata: { name: 'corpus-taints' },
          spec: {
            taints: [
              { key: 'a b', value: '-', effect: 'Maybe' },
              { key: 'c' },
              { key: 'd', effect: 'NoExecute' },
              { key: 'd', value: 'e', effect: 'NoExecute', timeAdded: '2024-05-06T07:08:09Z' },
            ],
          },
        },
        errors: [
          `metadata.taints[0].key: Invalid value: "a b": ${notName}`,
          `metadata.taints[0].value: Invalid value: "-": ${notValue}`,
          'metadata.taints[0].effect: Unsupported value: "Maybe": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
          'metadata.taints[1].effect: Required value',
          'metadata.taints[3]: Duplicate value: {"Key":"d","Value":"e","Effect":"NoExecute","TimeAdded":"2024-05-06T07:08:09Z"}: taints must be unique by key and effect pair',
        ],
      },
      {
        name: 'ranges of one family',
        object: { metadata: { name: 'corpus-family' }, spec: { podCIDRs: ['fd00:1::/64', 'fd00:2::/64'] } },
        errors: [
          'spec.podCIDRs: Invalid value: ["fd00:1::/64","fd00:2::/64"]: may specify no more than one CIDR for each IP family',
        ],
      },
      {
        name: 'a range that is none',
        object: { metadata: { name: 'corpus-range' }, spec: { podCIDR: '10.0.0.0' } },
        errors: [
          'spec.podCIDRs[0]: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        ],
      },
      {
        name: 'an annotation that names no controller',
        object: {
          metadata: {
            name: 'corpus-annotation',
            annotations: {
              'scheduler.alpha.kubernetes.io/preferAvoidPods':
                '{"preferAvoidPods":[{},{"podSignature":{"podController":{"controller":false}}}]}',
            },
          },
        },
        errors: [
          'metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[0].PodSignature: Required value',
          'metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[1].PodSignature.PodController.Controller: Invalid value: false: must point to a controller',
        ],
      },
    ],
  },
  {
    path: '/api/v1/namespaces/corpus/limitranges',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'minimal' } }, expected: { spec: { limits: null } } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich' },
          spec: {
            limits: [
              {
                type: 'Container',
                max: { cpu: '4', memory: '2Gi', 'example.com/gpu': '2' },
                min: { 'ephemeral-storage': '1Mi', cpu: '10m' },
                default: { memory: '1024Mi', cpu: '1' },
                defaultRequest: { cpu: '0.1' },
                maxLimitRequestRatio: { cpu: '10' },
              },
              { type: 'Pod', max: { cpu: '0.0005', 'hugepages-2Mi': '1Gi' } },
              { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
              { type: 'example.com/Thing', default: { 'example.com/x': '1' } },
            ],
          },
        },
        expected: {
          spec: {
            limits: [
              {
                type: 'Container',
                max: { cpu: '4', 'example.com/gpu': '2', memory: '2Gi' },
                min: { cpu: '10m', 'ephemeral-storage': '1Mi' },
                default: { cpu: '1', 'example.com/gpu': '2', memory: '1Gi' },
                defaultRequest: { cpu: '100m', 'ephemeral-storage': '1Mi', 'example.com/gpu': '2', memory: '1Gi' },
                maxLimitRequestRatio: { cpu: '10' },
              },
              { type: 'Pod', max: { cpu: '1m', 'hugepages-2Mi': '1Gi' } },
              { type: 'PersistentVolumeClaim', min: { storage: '1Gi' } },
              { type: 'example.com/Thing', default: { 'example.com/x': '1' } },
            ],
          },
        },
      },
    ],
    invalid: [
      {
        name: 'types',
        object: {
          metadata: { name: 'types' },
          spec: {
            limits: [
              { type: 'Node' },
              { type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } },
              { type: 'Pod' },
              { type: 'PersistentVolumeClaim', max: { cpu: '1' } },
              {},
            ],
          },
        },
        errors: [
          'spec.limits[0].type: Invalid value: "Node": must be a standard limit type or fully qualified',
          "spec.limits[1].default: Forbidden: may not be specified when `type` is 'Pod'",
          "spec.limits[1].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
          'spec.limits[2].type: Duplicate value: "Pod"',
          'spec.limits[3].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
          'spec.limits[4].type: Invalid value: "": name part must be non-empty',
          `spec.limits[4].type: Invalid value: "": ${notName}`,
        ],
      },
      {
        name: 'amounts that contradict each other',
        object: {
          metadata: { name: 'amounts' },
          spec: {
            limits: [
              {
                type: 'Container',
                max: { cpu: '1', memory: '2Gi' },
                min: { cpu: '500m', memory: '1Gi' },
                default: { cpu: '400m', memory: '3Gi' },
                defaultRequest: { cpu: '450m', memory: '4Gi' },
                maxLimitRequestRatio: { cpu: '0.5', memory: '2500m' },
              },
            ],
          },
        },
        errors: [
          'spec.limits[0].defaultRequest[cpu]: Invalid value: "450m": min value 500m is greater than default request value 450m',
          'spec.limits[0].defaultRequest[cpu]: Invalid value: "450m": default request value 450m is greater than default limit value 400m',
          'spec.limits[0].default[cpu]: Invalid value: "500m": min value 500m is greater than default value 400m',
          'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
          'spec.limits[0].defaultRequest[memory]: Invalid value: "4Gi": default request value 4Gi is greater than max value 2Gi',
          'spec.limits[0].defaultRequest[memory]: Invalid value: "4Gi": default request value 4Gi is greater than default limit value 3Gi',
          'spec.limits[0].default[memory]: Invalid value: "2Gi": default value 3Gi is greater than max value 2Gi',
          'spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "2500m": ratio 2500m is greater than max/min = 2.000000',
        ],
      },
      {
        name: 'devices, of which no more is promised than there is',
        object: {
          metadata: { name: 'devices' },
          spec: {
            limits: [
              { type: 'Container', default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } },
            ],
          },
        },
        errors: [
          'spec.limits[0].default[example.com/gpu]: Invalid value: "2": default value 2 must equal to defaultRequest value 1 in example.com/gpu',
        ],
      },
      {
        name: 'resources that are none',
        object: {
          metadata: { name: 'resources' },
          spec: {
            limits: [
              { type: 'Pod', max: { pods: '1' } },
              { type: 'example.com/Thing', min: { things: '1' } },
            ],
          },
        },
        errors: [
          'spec.limits[0].max[pods]: Invalid value: "pods": must be a standard resource for containers',
          'spec.limits[1].min[things]: Invalid value: "things": must be a standard resource type or fully qualified',
        ],
      },
    ],
  },
  {
    path: '/api/v1/namespaces/corpus/resourcequotas',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'minimal' } }, expected: { spec: {}, status: {} } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich' },
          spec: {
            hard: {
              'requests.hugepages-2Mi': '64Mi',
              'count/deployments.apps': '5',
              'requests.example.com/gpu': '2',
              'requests.storage': '1024Gi',
              'limits.cpu': '0.0001',
            },
          },
          status: { hard: { pods: '1' } },
        },
        expected: {
          spec: {
            hard: {
              'count/deployments.apps': '5',
              'limits.cpu': '1m',
              'requests.example.com/gpu': '2',
              'requests.hugepages-2Mi': '64Mi',
              'requests.storage': '1Ti',
            },
          },
          status: {},
        },
      },
      {
        name: 'scopes',
        object: {
          metadata: { name: 'scopes' },
          spec: {
            hard: { 'count/pods': '3' },
            scopes: ['BestEffort', 'Terminating'],
            scopeSelector: {
              matchExpressions: [
                { operator: 'In', scopeName: 'PriorityClass', values: ['high'] },
                { operator: 'Exists', scopeName: 'CrossNamespacePodAffinity' },
              ],
            },
          },
        },
        expected: {
          spec: {
            hard: { 'count/pods': '3' },
            scopes: ['BestEffort', 'Terminating'],
            scopeSelector: {
              matchExpressions: [
                { scopeName: 'PriorityClass', operator: 'In', values: ['high'] },
                { scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' },
              ],
            },
          },
          status: {},
        },
      },
    ],
    invalid: [
      {
        name: 'amounts and names',
        object: {
          metadata: { name: 'amounts' },
          spec: { hard: { 'a b': '1', 'example.com/gpu': '0.5', services: '-1500m', storage: '1', things: '1' } },
        },
        errors: [
          `spec.hard[a b]: Invalid value: "a b": ${notName}`,
          'spec.hard[a b]: Invalid value: "a b": must be a standard resource for quota',
          'spec.hard[example.com/gpu]: Invalid value: "500m": must be an integer',
          'spec.hard[services]: Invalid value: "-1500m": must be greater than or equal to 0',
          'spec.hard[services]: Invalid value: "-1500m": must be an integer',
          'spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota',
          'spec.hard[things]: Invalid value: "things": must be a standard resource type or fully qualified',
          'spec.hard[things]: Invalid value: "things": must be a standard resource for quota',
        ],
      },
      {
        name: 'scopes',
        object: {
          metadata: { name: 'scopes' },
          spec: {
            hard: { pods: '1', 'requests.storage': '1Gi', 'count/secrets': '1' },
            scopes: ['Terminating', 'NotTerminating', 'Sometimes', 'VolumeAttributesClass'],
          },
        },
        errors: [
          'unsupported scope applied to resource',
          'unsupported scope applied to resource',
          'unsupported scope',
          'unsupported scope applied to resource',
          'conflicting scopes',
        ].map(
          (detail) =>
            `spec.scopes: Invalid value: ["Terminating","NotTerminating","Sometimes","VolumeAttributesClass"]: ${detail}`,
        ),
      },
      {
        name: 'selectors of scopes',
        object: {
          metadata: { name: 'selectors' },
          spec: {
            hard: { cpu: '1' },
            scopeSelector: {
              matchExpressions: [
                { scopeName: 'BestEffort', operator: 'Exists', values: ['a'] },
                { scopeName: 'NotBestEffort', operator: 'NotIn' },
                { scopeName: 'Sometimes', operator: 'Like' },
              ],
            },
          },
        },
        errors: [
          'spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"Exists","Values":["a"]},{"ScopeName":"NotBestEffort","Operator":"NotIn","Values":null},{"ScopeName":"Sometimes","Operator":"Like","Values":null}]}: unsupported scope applied to resource',
          "spec.scopeSelector.matchExpressions.values: Invalid value: [\"a\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
          'spec.scopeSelector.matchExpressions.operator: Invalid value: "NotIn": must be \'Exists\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
          "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
          'spec.scopeSelector.matchExpressions.scopeName: Invalid value: "Sometimes": unsupported scope',
          'spec.scopeSelector.matchExpressions.operator: Invalid value: "Like": not a valid selector operator',
          'spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes',
        ],
      },
    ],
  },
];
