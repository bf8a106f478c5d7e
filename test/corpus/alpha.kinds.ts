import { expect } from 'vitest';
import type { CorpusEntry } from './corpus-entry.ts';

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

const candidates = (version: string): CorpusEntry => ({
  path: `/apis/coordination.k8s.io/${version}/namespaces/corpus/leasecandidates`,
  valid: [
    {
      name: 'minimal',
      object: {
        metadata: { name: 'Manager_1' },
        spec: { leaseName: 'manager', binaryVersion: '1.36.0', strategy: 'example.org/Any' },
      },
      expected: { spec: { leaseName: 'manager', binaryVersion: '1.36.0', strategy: 'example.org/Any' } },
    },
    {
      name: 'rich',
      object: {
        metadata: { name: 'manager-2' },
        spec: {
          leaseName: 'manager',
          pingTime: '2025-06-01T08:00:00.000000Z',
          renewTime: '2025-06-01T10:00:01.250000+02:00',
          binaryVersion: '1.36.0-rc.2+build.7',
          emulationVersion: '1.36.0-rc.1',
          strategy: 'OldestEmulationVersion',
        },
      },
      expected: {
        spec: {
          leaseName: 'manager',
          pingTime: '2025-06-01T08:00:00.000000Z',
          renewTime: '2025-06-01T08:00:01.250000Z',
          binaryVersion: '1.36.0-rc.2+build.7',
          emulationVersion: '1.36.0-rc.1',
          strategy: 'OldestEmulationVersion',
        },
      },
    },
  ],
  invalid: [
    {
      name: 'nothing at all',
      object: { metadata: { name: 'bad' }, spec: {} },
      errors: ['spec.leaseName: Required value', 'spec.binaryVersion: Required value', 'spec.strategy: Required value'],
    },
    {
      name: 'versions in the wrong order',
      object: {
        metadata: { name: 'bad' },
        spec: { leaseName: 'l', binaryVersion: '1.35.9', emulationVersion: '1.36.0', strategy: 'Newest' },
      },
      errors: [
        'spec.binaryVersion: Invalid value: "1.35.9": must be greater than or equal to `emulationVersion`',
        'spec.strategy.strategy: Unsupported value: "Newest": supported values: "OldestEmulationVersion"',
      ],
    },
    {
      name: 'no versions',
      object: {
        metadata: { name: 'bad' },
        spec: { leaseName: 'l', binaryVersion: '1.36', emulationVersion: 'v1', strategy: 'OldestEmulationVersion' },
      },
      errors: [
        'spec.emulationVersion: Invalid value: "v1": must be a valid semantic version',
        'spec.binaryVersion: Invalid value: "1.36": must be a valid semantic version',
        "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
      ],
    },
  ],
});

const taints = (version: string): CorpusEntry => ({
  path: `/apis/resource.k8s.io/${version}/devicetaintrules`,
  valid: [
    {
      name: 'minimal',
      object: { metadata: { name: 'all' }, spec: { taint: { key: 'broken', effect: 'NoSchedule' } } },
      expected: { spec: { taint: { key: 'broken', effect: 'NoSchedule', timeAdded: time } }, status: {} },
    },
    {
      name: 'rich',
      object: {
        metadata: { name: 'one' },
        spec: {
          deviceSelector: { driver: 'gpus.example.org', pool: 'rack/7', device: 'gpu-1' },
          taint: { key: 'example.org/broken', value: 'fan', effect: 'None', timeAdded: '2025-06-01T10:00:00+02:00' },
        },
      },
      expected: {
        spec: {
          deviceSelector: { driver: 'gpus.example.org', pool: 'rack/7', device: 'gpu-1' },
          taint: { key: 'example.org/broken', value: 'fan', effect: 'None', timeAdded: '2025-06-01T08:00:00Z' },
        },
        status: {},
      },
    },
  ],
  invalid: [
    {
      name: 'of no effect',
      object: {
        metadata: { name: 'bad' },
        spec: { deviceSelector: { device: 'A' }, taint: { key: 'k', effect: 'x' } },
      },
      errors: [
        `spec.deviceSelector.device: Invalid value: "A": ${label}`,
        'spec.taint.effect: Unsupported value: "x": supported values: "NoExecute", "NoSchedule", "None"',
      ],
    },
  ],
});

const group = {
  schedulingPolicy: { gang: { minCount: 3 } },
  schedulingConstraints: { topology: [{ key: 'topology.kubernetes.io/zone' }] },
  resourceClaims: [{ name: 'gpus', resourceClaimTemplateName: 'four-gpus' }],
  disruptionMode: 'PodGroup',
  priorityClassName: 'high',
  priority: 1000,
};

export const corpus: CorpusEntry[] = [
  candidates('v1beta1'),
  candidates('v1alpha2'),
  taints('v1alpha3'),
  taints('v1beta2'),
  {
    path: '/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'all' }, spec: { driver: 'gpus.example.org' }, status: { poolCount: 1 } },
        expected: { spec: { driver: 'gpus.example.org', limit: 100 } },
      },
      {
        name: 'rich',
        object: { metadata: { name: 'one' }, spec: { driver: 'gpus.example.org', poolName: 'rack/7', limit: 1000 } },
        expected: { spec: { driver: 'gpus.example.org', poolName: 'rack/7', limit: 1000 } },
      },
    ],
    invalid: [
      {
        name: 'for too much',
        object: { metadata: { name: 'bad' }, spec: { poolName: '', limit: 1001 } },
        errors: [
          'spec.driver: Required value',
          'spec.poolName: Required value',
          'spec.limit: Invalid value: 1001: must be less than or equal to 1000',
        ],
      },
      {
        name: 'for nothing',
        object: { metadata: { name: 'bad' }, spec: { driver: 'd', limit: 0 } },
        errors: ['spec.limit: Invalid value: 0: must be greater than or equal to 1'],
      },
    ],
  },
  {
    path: '/apis/scheduling.k8s.io/v1alpha2/namespaces/corpus/podgroups',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'loose' }, spec: { schedulingPolicy: { basic: {} } } },
        expected: {
          spec: { podGroupTemplateRef: null, schedulingPolicy: { basic: {} }, disruptionMode: 'Pod' },
          status: {},
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'gang' },
          spec: {
            podGroupTemplateRef: { workload: { workloadName: 'training', podGroupTemplateName: 'workers' } },
            ...group,
          },
        },
        expected: {
          spec: {
            podGroupTemplateRef: { workload: { workloadName: 'training', podGroupTemplateName: 'workers' } },
            ...group,
          },
          status: {},
        },
      },
    ],
    invalid: [
      {
        name: 'without a policy, from nowhere',
        object: { metadata: { name: 'bad' }, spec: { podGroupTemplateRef: {}, schedulingPolicy: {} } },
        errors: [
          'spec.podGroupTemplateRef: Invalid value: "": must specify one of: `workload`',
          'spec.schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`',
        ],
      },
      {
        name: 'with all at once',
        object: {
          metadata: { name: 'bad' },
          spec: {
            schedulingPolicy: { basic: {}, gang: {} },
            schedulingConstraints: { topology: [{ key: 'a' }, { key: 'b' }] },
            resourceClaims: [{ name: 'c', resourceClaimName: 'a', resourceClaimTemplateName: 'b' }],
            disruptionMode: 'None',
            priority: 1_000_000_001,
          },
        },
        errors: [
          'spec.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`',
          'spec.schedulingPolicy.gang.minCount: Required value',
          'spec.schedulingConstraints.topology: Too many: 2: must have at most 1 item',
          'spec.resourceClaims[0]: Invalid value: "{resourceClaimName, resourceClaimTemplateName}": must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`',
          'spec.disruptionMode: Unsupported value: "None": supported values: "Pod", "PodGroup"',
          'spec.priority: Invalid value: 1000000001: must be less than or equal to 1000000000',
        ],
      },
    ],
  },
  {
    path: '/apis/scheduling.k8s.io/v1alpha2/namespaces/corpus/workloads',
    valid: [
      {
        name: 'minimal',
        object: {
          metadata: { name: 'one' },
          spec: { podGroupTemplates: [{ name: 'workers', schedulingPolicy: { basic: {} } }] },
        },
        expected: {
          spec: {
            podGroupTemplates: [{ name: 'workers', schedulingPolicy: { basic: {} }, schedulingConstraints: null }],
          },
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'training' },
          spec: {
            controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'training' },
            podGroupTemplates: [{ name: 'workers', ...group }],
          },
        },
        expected: {
          spec: {
            controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'training' },
            podGroupTemplates: [{ name: 'workers', ...group }],
          },
        },
      },
    ],
    invalid: [
      {
        name: 'nothing at all',
        object: { metadata: { name: 'bad' }, spec: { controllerRef: { kind: 'a/b' } } },
        errors: [
          'spec.controllerRef.kind: Invalid value: "a/b": may not contain \'/\'',
          'spec.controllerRef.name: Required value',
          'spec.podGroupTemplates: Required value',
        ],
      },
      {
        name: 'two of one name',
        object: {
          metadata: { name: 'bad' },
          spec: {
            podGroupTemplates: [
              { name: 'a', schedulingPolicy: { gang: { minCount: -1 } } },
              { name: 'a', schedulingPolicy: { basic: {} } },
            ],
          },
        },
        errors: [
          'spec.podGroupTemplates[0].schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or equal to 1',
          'spec.podGroupTemplates[1]: Duplicate value: "a"',
        ],
      },
    ],
  },
  {
    path: '/apis/internal.apiserver.k8s.io/v1alpha1/storageversions',
    valid: [
      {
        name: 'minimal',
        object: {
          metadata: { name: 'apps.deployments' },
          spec: {},
          status: { commonEncodingVersion: 'apps/v1' },
        },
        expected: { spec: {}, status: {} },
      },
    ],
    invalid: [
      {
        name: 'without a group',
        object: { metadata: { name: 'deployments' }, spec: {} },
        errors: ['metadata.name: Invalid value: "deployments": name must be in the form of <group>.<resource>'],
      },
    ],
  },
  {
    path: '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'secrets' }, spec: { resource: { resource: 'secrets' } } },
        expected: { spec: { resource: { group: '', resource: 'secrets' } }, status: {} },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'deployments' },
          spec: { resource: { group: 'apps', resource: 'deployments' } },
          status: { resourceVersion: '7' },
        },
        expected: { spec: { resource: { group: 'apps', resource: 'deployments' } }, status: {} },
      },
    ],
    invalid: [
      {
        name: 'of nothing',
        object: { metadata: { name: 'bad' }, spec: { resource: { group: 'apps' } } },
        errors: ['spec.resource.resource: Required value: resource is required to be set'],
      },
    ],
  },
];
