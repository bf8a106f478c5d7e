import { expect } from 'vitest';
import type { CorpusEntry } from './corpus-entry.ts';

// The finalizers are already set, so that the metadata of the response equals that of the request.
const volumeMetadata = (name: string) => ({ name, finalizers: ['kubernetes.io/pv-protection'] });
const claimMetadata = (name: string) => ({ name, finalizers: ['kubernetes.io/pvc-protection'] });
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const base = { capacity: { storage: '5Gi' }, accessModes: ['ReadWriteMany'] };
const pending = { phase: 'Pending', lastPhaseTransitionTime: expect.any(String) };

export const corpus: CorpusEntry[] = [
  {
    path: '/api/v1/persistentvolumes',
    valid: [
      {
        name: 'minimal',
        object: { metadata: volumeMetadata('exported'), spec: { ...base, nfs: { server: 'files', path: '/srv' } } },
        expected: {
          spec: {
            ...base,
            nfs: { server: 'files', path: '/srv' },
            persistentVolumeReclaimPolicy: 'Retain',
            volumeMode: 'Filesystem',
          },
          status: pending,
        },
      },
      {
        name: 'rich',
        object: {
          metadata: { ...volumeMetadata('attached'), labels: { tier: 'fast' } },
          spec: {
            capacity: { storage: '2048Mi' },
            accessModes: ['ReadWriteOncePod'],
            csi: {
              driver: 'disks.example.org',
              volumeHandle: 'vol-7',
              readOnly: true,
              controllerExpandSecretRef: { name: 'resize', namespace: 'storage' },
            },
            claimRef: { namespace: 'corpus', name: 'data' },
            persistentVolumeReclaimPolicy: 'Delete',
            storageClassName: 'fast',
            mountOptions: ['noatime'],
            volumeMode: 'Block',
            nodeAffinity: {
              required: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b'] }] },
                ],
              },
            },
            volumeAttributesClassName: 'gold',
          },
        },
        expected: {
          spec: {
            capacity: { storage: '2Gi' },
            accessModes: ['ReadWriteOncePod'],
            csi: {
              driver: 'disks.example.org',
              volumeHandle: 'vol-7',
              readOnly: true,
              controllerExpandSecretRef: { name: 'resize', namespace: 'storage' },
            },
            claimRef: { namespace: 'corpus', name: 'data' },
            persistentVolumeReclaimPolicy: 'Delete',
            storageClassName: 'fast',
            mountOptions: ['noatime'],
            volumeMode: 'Block',
            nodeAffinity: {
              required: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b'] }] },
                ],
              },
            },
            volumeAttributesClassName: 'gold',
          },
          status: pending,
        },
      },
      {
        name: 'defaults of a source',
        object: {
          metadata: volumeMetadata('network-disk'),
          spec: { ...base, iscsi: { targetPortal: '198.51.100.7', iqn: 'iqn.2020-02.org.example:disk', lun: 3 } },
        },
        expected: {
          spec: {
            ...base,
            iscsi: {
              targetPortal: '198.51.100.7',
              iqn: 'iqn.2020-02.org.example:disk',
              lun: 3,
              iscsiInterface: 'default',
            },
            persistentVolumeReclaimPolicy: 'Retain',
            volumeMode: 'Filesystem',
          },
          status: pending,
        },
      },
    ],
    invalid: [
      {
        name: 'nothing at all',
        object: { metadata: { name: 'bad' } },
        errors: [
          'spec.accessModes: Required value',
          'spec.capacity: Required value',
          'spec.capacity: Unsupported value: null: supported values: "storage"',
          'spec: Required value: must specify a volume type',
        ],
      },
      {
        name: 'three sources, of which the first one is looked at',
        object: {
          metadata: { name: 'bad' },
          spec: { ...base, csi: { driver: 'd', volumeHandle: 'h' }, local: { path: '' }, cephfs: { monitors: ['m'] } },
        },
        errors: [
          'spec.local: Forbidden: may not specify more than 1 volume type',
          'spec.csi: Forbidden: may not specify more than 1 volume type',
        ],
      },
      {
        name: 'a target that is no target',
        object: {
          metadata: { name: 'bad' },
          spec: { ...base, iscsi: { targetPortal: '', iqn: 'disk', lun: 256, chapAuthSession: true } },
        },
        errors: [
          'spec.iscsi.targetPortal: Required value',
          'spec.iscsi.iqn: Invalid value: "disk": must be valid format',
          'spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
          'spec.iscsi.secretRef: Required value',
        ],
      },
      {
        name: 'a local volume that is everywhere and goes backwards',
        object: { metadata: { name: 'bad' }, spec: { ...base, local: { path: '/a/../../b' } } },
        errors: [
          'spec.local.path: Invalid value: "/a/../../b": must not contain \'..\'',
          'spec.nodeAffinity: Required value: Local volume requires node affinity',
        ],
      },
      {
        name: 'recycling the root of a node',
        object: {
          metadata: { name: 'bad' },
          spec: { ...base, hostPath: { path: '//' }, persistentVolumeReclaimPolicy: 'Recycle', storageClassName: 'A' },
        },
        errors: [
          "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
          `spec.storageClassName: Invalid value: "A": ${subdomain}`,
        ],
      },
      {
        name: 'amounts that are none, of two things',
        object: {
          metadata: { name: 'bad' },
          spec: { ...base, capacity: { cpu: '-3', storage: '0' }, nfs: { server: 'files', path: '/srv' } },
        },
        errors: [
          'spec.capacity: Unsupported value: {"cpu":"-3","storage":"0"}: supported values: "storage"',
          'spec.capacity[cpu]: Invalid value: -3: must be a valid resource quantity',
          'spec.capacity[cpu]: Invalid value: "-3": must be greater than zero',
          'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
        ],
      },
    ],
  },
  {
    path: '/api/v1/namespaces/corpus/persistentvolumeclaims',
    valid: [
      {
        name: 'minimal',
        object: {
          metadata: claimMetadata('small'),
          spec: { accessModes: ['ReadOnlyMany'], resources: { requests: { storage: '0.5Gi' } } },
        },
        expected: {
          spec: {
            accessModes: ['ReadOnlyMany'],
            resources: { requests: { storage: '512Mi' } },
            volumeMode: 'Filesystem',
          },
          status: { phase: 'Pending' },
        },
      },
      {
        name: 'a copy of a snapshot, given the old way',
        object: {
          metadata: claimMetadata('restored'),
          spec: {
            accessModes: ['ReadWriteOnce'],
            selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
            resources: { requests: { storage: '1Gi' } },
            storageClassName: '',
            dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'yesterday' },
          },
        },
        expected: {
          spec: {
            accessModes: ['ReadWriteOnce'],
            selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
            resources: { requests: { storage: '1Gi' } },
            storageClassName: '',
            volumeMode: 'Filesystem',
            dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'yesterday' },
            dataSourceRef: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'yesterday' },
          },
          status: { phase: 'Pending' },
        },
      },
    ],
    invalid: [
      {
        name: 'nothing at all',
        object: { metadata: { name: 'bad' } },
        errors: [
          'spec.accessModes: Required value: at least 1 access mode is required',
          'spec.resources[storage]: Required value',
        ],
      },
      {
        name: 'modes that exclude each other, and one that is none',
        object: {
          metadata: { name: 'bad' },
          spec: {
            accessModes: ['ReadWriteOncePod', 'Sometimes', 'ReadWriteMany'],
            resources: { requests: { storage: '-1Gi' } },
            volumeMode: 'Tape',
          },
        },
        errors: [
          'spec.accessModes: Unsupported value: "Sometimes": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
          'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
          'spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero',
          'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
        ],
      },
      {
        name: 'two different sources',
        object: {
          metadata: { name: 'bad' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
            dataSource: { kind: 'PersistentVolumeClaim', name: 'one' },
            dataSourceRef: { apiGroup: 'example.org', kind: 'Backup', name: 'two' },
          },
        },
        errors: ['spec: Invalid value: {}: must match dataSourceRef'],
      },
    ],
  },
];
