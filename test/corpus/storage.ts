import type { CorpusEntry } from './corpus-entry.ts';

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const invalidName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const driverDefaults = {
  attachRequired: true,
  podInfoOnMount: false,
  volumeLifecycleModes: ['Persistent'],
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
  seLinuxMount: false,
};

export const corpus: CorpusEntry[] = [
  {
    path: '/apis/storage.k8s.io/v1/storageclasses',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'plain' }, provisioner: 'Disks.example.org' },
        expected: { provisioner: 'Disks.example.org', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'zonal' },
          provisioner: 'example.org/disks',
          parameters: { kind: 'ssd' },
          reclaimPolicy: 'Retain',
          mountOptions: ['noatime'],
          allowVolumeExpansion: false,
          volumeBindingMode: 'WaitForFirstConsumer',
          allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['a'] }] }],
        },
        expected: {
          provisioner: 'example.org/disks',
          parameters: { kind: 'ssd' },
          reclaimPolicy: 'Retain',
          mountOptions: ['noatime'],
          allowVolumeExpansion: false,
          volumeBindingMode: 'WaitForFirstConsumer',
          allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['a'] }] }],
        },
      },
    ],
    invalid: [
      { name: 'no provisioner', object: { metadata: { name: 'bad' } }, errors: ['provisioner: Required value'] },
      {
        name: 'a parameter without a name, and a policy of volumes',
        object: { metadata: { name: 'bad' }, provisioner: 'a', parameters: { '': 'x' }, reclaimPolicy: 'Recycle' },
        errors: [
          'parameters: Invalid value: "": field can not be empty.',
          'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
        ],
      },
      {
        name: 'topologies that say the same twice',
        object: {
          metadata: { name: 'bad' },
          provisioner: 'a',
          allowedTopologies: [
            { matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] },
            { matchLabelExpressions: [{ key: 'zone', values: ['b', 'a'] }] },
            { matchLabelExpressions: [{ key: 'x y', values: [] }] },
          ],
        },
        errors: [
          'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
          'allowedTopologies[2].matchLabelExpressions[0].values: Required value',
          `allowedTopologies[2].matchLabelExpressions[0].key: Invalid value: "x y": ${invalidName}`,
        ],
      },
    ],
  },
  {
    path: '/apis/storage.k8s.io/v1/volumeattributesclasses',
    valid: [
      {
        name: 'minimal',
        object: {
          metadata: { name: 'plain', finalizers: ['kubernetes.io/vac-protection'] },
          driverName: 'disks.example.org',
          parameters: { iops: '400' },
        },
        expected: { driverName: 'disks.example.org', parameters: { iops: '400' } },
      },
    ],
    invalid: [
      {
        name: 'nothing at all',
        object: { metadata: { name: 'bad' } },
        errors: ['driverName: Required value', 'parameters: Required value: must contain at least one key/value pair'],
      },
      {
        name: 'a driver that is none',
        object: { metadata: { name: 'bad' }, driverName: 'x y', parameters: { a: 'b' } },
        errors: [`driverName: Invalid value: "x y": ${invalidName}`],
      },
      {
        name: 'a parameter without a name',
        object: { metadata: { name: 'bad' }, driverName: 'x', parameters: { '': 'b' } },
        errors: ['parameters: Invalid value: "": field can not be empty.'],
      },
    ],
  },
  {
    path: '/apis/storage.k8s.io/v1/csidrivers',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'plain' }, spec: {} }, expected: { spec: driverDefaults } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'disks.example.org' },
          spec: {
            attachRequired: false,
            fsGroupPolicy: 'None',
            volumeLifecycleModes: ['Ephemeral'],
            tokenRequests: [{ audience: '' }, { audience: 'disks', expirationSeconds: 600 }],
            serviceAccountTokenInSecrets: true,
            nodeAllocatableUpdatePeriodSeconds: 10,
          },
        },
        expected: {
          spec: {
            ...driverDefaults,
            attachRequired: false,
            fsGroupPolicy: 'None',
            volumeLifecycleModes: ['Ephemeral'],
            tokenRequests: [{ audience: '' }, { audience: 'disks', expirationSeconds: 600 }],
            serviceAccountTokenInSecrets: true,
            nodeAllocatableUpdatePeriodSeconds: 10,
          },
        },
      },
    ],
    invalid: [
      {
        name: 'choices that are none',
        object: { metadata: { name: 'bad' }, spec: { fsGroupPolicy: 'All', volumeLifecycleModes: ['Eternal'] } },
        errors: [
          'spec.fsGroupPolicy: Unsupported value: "All": supported values: "File", "None", "ReadWriteOnceWithFSType"',
          'spec.volumeLifecycleModes: Unsupported value: "Eternal": supported values: "Persistent", "Ephemeral"',
        ],
      },
      {
        name: 'tokens for nobody to use',
        object: {
          metadata: { name: 'bad' },
          spec: {
            tokenRequests: [
              { audience: 'a', expirationSeconds: 599 },
              { audience: 'a', expirationSeconds: 1 },
              { audience: 'b', expirationSeconds: 4294967297 },
            ],
          },
        },
        errors: [
          'spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
          'spec.tokenRequests[1].audience: Duplicate value: "a"',
          'spec.tokenRequests[2].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
        ],
      },
      {
        name: 'too busy',
        object: {
          metadata: { name: 'bad' },
          spec: { nodeAllocatableUpdatePeriodSeconds: 9, serviceAccountTokenInSecrets: false },
        },
        errors: [
          'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
          'spec.serviceAccountTokenInSecrets: Invalid value: false: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
        ],
      },
    ],
  },
  {
    path: '/apis/storage.k8s.io/v1/csinodes',
    valid: [
      { name: 'minimal', object: { metadata: { name: 'empty' }, spec: {} }, expected: { spec: { drivers: null } } },
      {
        name: 'rich',
        object: {
          metadata: { name: 'busy' },
          spec: {
            drivers: [{ name: 'Disks.example.org', nodeID: 'i-1', topologyKeys: ['zone'], allocatable: { count: 0 } }],
          },
        },
        expected: {
          spec: {
            drivers: [{ name: 'Disks.example.org', nodeID: 'i-1', topologyKeys: ['zone'], allocatable: { count: 0 } }],
          },
        },
      },
    ],
    invalid: [
      {
        name: 'a driver without names',
        object: { metadata: { name: 'bad' }, spec: { drivers: [{}] } },
        errors: ['spec.drivers[0].name: Required value', 'spec.drivers[0].nodeID: Required value'],
      },
      {
        name: 'a driver twice, once with room for less than nothing',
        object: {
          metadata: { name: 'bad' },
          spec: {
            drivers: [
              { name: 'd', nodeID: 'i-1' },
              { name: 'd', nodeID: 'i-1', allocatable: { count: -2 } },
            ],
          },
        },
        errors: [
          'spec.drivers[1].allocatable.count: Invalid value: -2: must be greater than or equal to 0',
          'spec.drivers[1].name: Duplicate value: "d"',
        ],
      },
      {
        name: 'a topology key twice, and one that is none',
        object: {
          metadata: { name: 'bad' },
          spec: { drivers: [{ name: 'd', nodeID: 'i-1', topologyKeys: ['zone', 'zone', 'x y'] }] },
        },
        errors: ['spec.drivers[0]: Duplicate value: "zone"', `spec.drivers[0]: Invalid value: "x y": ${invalidName}`],
      },
    ],
  },
  {
    path: '/apis/storage.k8s.io/v1/namespaces/corpus/csistoragecapacities',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'plain' }, storageClassName: 'fast' },
        expected: { storageClassName: 'fast' },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'zonal' },
          nodeTopology: { matchLabels: { zone: 'a' } },
          storageClassName: 'fast',
          capacity: '1000Mi',
          maximumVolumeSize: '0.5',
        },
        expected: {
          nodeTopology: { matchLabels: { zone: 'a' } },
          storageClassName: 'fast',
          capacity: '1000Mi',
          maximumVolumeSize: '500m',
        },
      },
    ],
    invalid: [
      {
        name: 'no class',
        object: { metadata: { name: 'bad' } },
        errors: [`storageClassName: Invalid value: "": ${subdomain}`],
      },
      {
        name: 'less than nothing',
        object: { metadata: { name: 'bad' }, storageClassName: 'fast', capacity: '-5Mi' },
        errors: ['capacity: Invalid value: "-5Mi": must be greater than or equal to 0'],
      },
      {
        name: 'a topology that selects nothing in particular',
        object: {
          metadata: { name: 'bad' },
          storageClassName: 'fast',
          nodeTopology: { matchExpressions: [{ key: 'zone', operator: 'In' }] },
        },
        errors: [
          "nodeTopology.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        ],
      },
    ],
  },
  {
    path: '/apis/storage.k8s.io/v1/volumeattachments',
    valid: [
      {
        name: 'minimal',
        object: {
          metadata: { name: 'plain' },
          spec: { attacher: 'disks.example.org', nodeName: 'n1', source: { persistentVolumeName: 'vol-7' } },
        },
        expected: {
          spec: { attacher: 'disks.example.org', nodeName: 'n1', source: { persistentVolumeName: 'vol-7' } },
          status: { attached: false },
        },
      },
      {
        name: 'inline',
        object: {
          metadata: { name: 'inline' },
          spec: {
            attacher: 'disks.example.org',
            nodeName: 'n1',
            source: {
              inlineVolumeSpec: {
                accessModes: ['ReadWriteOnce'],
                csi: { driver: 'disks.example.org', volumeHandle: 'vol-7' },
              },
            },
          },
          status: { attached: true },
        },
        expected: {
          spec: {
            attacher: 'disks.example.org',
            nodeName: 'n1',
            source: {
              inlineVolumeSpec: {
                accessModes: ['ReadWriteOnce'],
                csi: { driver: 'disks.example.org', volumeHandle: 'vol-7' },
              },
            },
          },
          status: { attached: false },
        },
      },
    ],
    invalid: [
      {
        name: 'nothing at all',
        object: { metadata: { name: 'bad' }, spec: {} },
        errors: [
          'spec.attacher: Required value',
          'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
          `spec.nodeName: Invalid value: "": ${subdomain}`,
        ],
      },
      {
        name: 'a volume of two kinds',
        object: {
          metadata: { name: 'bad' },
          spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v', inlineVolumeSpec: {} } },
        },
        errors: ['spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
      },
      {
        name: 'an inline volume with what only others have',
        object: {
          metadata: { name: 'bad' },
          spec: {
            attacher: 'a',
            nodeName: 'n',
            source: {
              inlineVolumeSpec: {
                csi: { driver: 'd', volumeHandle: 'h' },
                persistentVolumeReclaimPolicy: 'Retain',
                storageClassName: 'fast',
                volumeMode: 'Block',
              },
            },
          },
        },
        errors: [
          'spec.source.inlineVolumeSpec.accessModes: Required value',
          'spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may not be specified in the context of inline volumes',
          'spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes',
          'spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not be specified in the context of inline volumes',
        ],
      },
    ],
  },
];
