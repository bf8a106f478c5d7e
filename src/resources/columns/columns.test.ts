import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateObject } from '../../../test/codec/generated-object.ts';
import { defaultColumns } from '../../http/representations/default-columns.ts';
import type { Cell } from '../../meta/table-columns.ts';
import { compileKind, Findings } from '../../schema/normalize/index.ts';
import { builtInResources, optionalResources } from '../index.ts';
import { columnsOf } from './index.ts';

const now = Date.parse('2030-01-02T00:00:00Z');
const metadata = { name: 'it', creationTimestamp: '2030-01-01T23:58:00Z' };
const template = {
  metadata: { labels: { b: '2', a: '1' } },
  spec: {
    containers: [
      { name: 'web', image: 'web:1' },
      { name: 'log', image: 'log:2' },
    ],
  },
};
const selector = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] };

interface Case {
  readonly type: string;
  /** Beside its metadata. */
  readonly object: Record<string, unknown>;
  readonly cells: Cell[];
}

const cases: Case[] = [
  { type: '/ConfigMap', object: { data: { a: '', b: '' }, binaryData: { c: '' } }, cells: ['it', 3, '2m'] },
  { type: '/ConfigMap', object: {}, cells: ['it', 0, '2m'] },
  { type: '/Secret', object: { type: 'Opaque', data: { a: '' } }, cells: ['it', 'Opaque', 1, '2m'] },
  { type: '/ServiceAccount', object: {}, cells: ['it', '2m'] },
  { type: '/Namespace', object: { status: { phase: 'Active' } }, cells: ['it', 'Active', '2m'] },
  { type: '/LimitRange', object: {}, cells: ['it', '2030-01-01T23:58:00Z'] },
  { type: '/PodTemplate', object: { template }, cells: ['it', 'web,log', 'web:1,log:2', 'a=1,b=2'] },
  {
    type: '/ReplicationController',
    object: { spec: { replicas: 3, selector: { app: 'web' }, template }, status: { replicas: 2, readyReplicas: 1 } },
    cells: ['it', 3, 2, 1, '2m', 'web,log', 'web:1,log:2', 'app=web'],
  },
  { type: '/Endpoints', object: {}, cells: ['it', '<none>', '2m'] },
  { type: '/Endpoints', object: { subsets: [{ notReadyAddresses: [{ ip: '192.0.2.1' }] }] }, cells: ['it', '', '2m'] },
  {
    type: '/Endpoints',
    object: {
      subsets: [
        { addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }], ports: [{ port: 80 }, { port: 81 }] },
        { addresses: [{ ip: '192.0.2.2' }] },
      ],
    },
    cells: ['it', '192.0.2.1:80,[2001:db8::1]:80,192.0.2.1:81 + 2 more...', '2m'],
  },
  {
    type: '/ResourceQuota',
    object: {
      status: { hard: { pods: '5', 'limits.cpu': '2', cpu: '1' }, used: { pods: '3', 'limits.cpu': '500m' } },
    },
    cells: ['it', 'cpu: 0/1, pods: 3/5', 'limits.cpu: 500m/2', '2m'],
  },
  {
    type: '/ComponentStatus',
    object: { conditions: [{ type: 'Healthy', status: 'False', message: 'no answer', error: 'refused' }] },
    cells: ['it', 'Unhealthy', 'no answer', 'refused'],
  },
  {
    type: '/Node',
    object: {
      metadata: { ...metadata, labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'extra' } },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [
          { type: 'Hostname', address: 'h' },
          { type: 'InternalIP', address: '192.0.2.1' },
        ],
        nodeInfo: { kubeletVersion: 'v1', osImage: 'Linux', kernelVersion: '6.1', architecture: 'amd64' },
      },
    },
    cells: [
      'it',
      'Ready,SchedulingDisabled',
      'extra,worker',
      '2m',
      'v1',
      '192.0.2.1',
      '<none>',
      'Linux',
      '6.1 (amd64)',
      '<unknown>',
    ],
  },
  {
    type: '/Node',
    object: { status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
    cells: ['it', 'NotReady', '<none>', '2m', '', '<none>', '<none>', '<unknown>', '<unknown>', '<unknown>'],
  },
  {
    type: '/PersistentVolume',
    object: {
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce', 'ReadWriteMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: 'shop', name: 'data' },
        storageClassName: 'fast',
      },
      status: { phase: 'Bound', reason: 'Why' },
    },
    cells: ['it', '5Gi', 'RWO,RWX', 'Retain', 'Bound', 'shop/data', 'fast', '<unset>', 'Why', '2m', '<unset>'],
  },
  {
    type: '/PersistentVolumeClaim',
    object: {
      spec: { volumeName: 'pv', volumeMode: 'Block', volumeAttributesClassName: 'gold', storageClassName: 'new' },
      status: { phase: 'Bound', accessModes: ['ReadWriteOncePod'], capacity: { storage: '1Gi' } },
      metadata: { ...metadata, annotations: { 'volume.beta.kubernetes.io/storage-class': 'old' } },
    },
    cells: ['it', 'Bound', 'pv', '1Gi', 'RWOP', 'old', 'gold', '2m', 'Block'],
  },
  {
    type: '/PersistentVolumeClaim',
    object: {
      metadata: { ...metadata, deletionTimestamp: '2030-01-01T23:59:00Z' },
      status: { phase: 'Pending', capacity: { storage: '1Gi' } },
    },
    cells: ['it', 'Terminating', '', '', '', '', '<unset>', '2m', '<unset>'],
  },
  {
    type: '/Service',
    object: {
      spec: {
        type: 'NodePort',
        clusterIPs: ['10.0.0.1', 'fd00::1'],
        externalIPs: ['192.0.2.1', '192.0.2.2'],
        ports: [
          { port: 80, nodePort: 30080, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      },
    },
    cells: ['it', 'NodePort', '10.0.0.1', '192.0.2.1,192.0.2.2', '80:30080/TCP,53/UDP', '2m', '<none>'],
  },
  {
    type: '/Service',
    object: { spec: { type: 'LoadBalancer', clusterIPs: ['10.0.0.1'], selector: { app: 'web' } } },
    cells: ['it', 'LoadBalancer', '10.0.0.1', '<pending>', '<none>', '2m', 'app=web'],
  },
  {
    type: '/Service',
    object: {
      spec: { type: 'LoadBalancer', externalIPs: ['192.0.2.9'] },
      status: { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }, { ip: '192.0.2.1' }, { ip: '192.0.2.1' }] } },
    },
    cells: ['it', 'LoadBalancer', '<none>', '192.0.2.1,lb.example.com,192.0.2.9', '<none>', '2m', '<none>'],
  },
  {
    type: '/Service',
    object: { spec: { type: 'ExternalName', externalName: 'db.example.com' } },
    cells: ['it', 'ExternalName', '<none>', 'db.example.com', '<none>', '2m', '<none>'],
  },
  {
    type: '/Event',
    object: {
      involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec.containers{c}' },
      type: 'Warning',
      reason: 'BackOff',
      message: ' slow down\n',
      source: { component: 'kubelet', host: 'n1' },
      firstTimestamp: '2030-01-01T22:00:00Z',
      lastTimestamp: '2030-01-01T23:59:30Z',
      count: 7,
    },
    cells: ['30s', 'Warning', 'BackOff', 'pod/p', 'spec.containers{c}', 'kubelet, n1', 'slow down', '120m', 7, 'it'],
  },
  {
    type: 'events.k8s.io/Event',
    object: {
      regarding: { kind: 'Node' },
      note: 'hello',
      eventTime: '2030-01-01T23:00:00.000000Z',
      series: { count: 3, lastObservedTime: '2030-01-01T23:59:59.000000Z' },
      reportingController: 'example.com/c',
      reportingInstance: 'c-1',
    },
    cells: ['1s', '', '', 'node', '', 'example.com/c, c-1', 'hello', '60m', 3, 'it'],
  },
  { type: '/Event', object: {}, cells: ['<unknown>', '', '', '', '', '', '', '<unknown>', 1, 'it'] },
  {
    type: 'apps/Deployment',
    object: {
      spec: { replicas: 3, selector, template },
      status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 },
    },
    cells: ['it', '1/3', 2, 1, '2m', 'web,log', 'web:1,log:2', 'app=web,tier'],
  },
  {
    type: 'apps/Deployment',
    object: { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } } },
    cells: ['it', '0/0', 0, 0, '2m', '', '', '<invalid>'],
  },
  {
    type: 'apps/ReplicaSet',
    object: { spec: { replicas: 3, selector: {}, template }, status: { replicas: 2, readyReplicas: 1 } },
    cells: ['it', 3, 2, 1, '2m', 'web,log', 'web:1,log:2', '<none>'],
  },
  {
    type: 'apps/StatefulSet',
    object: { spec: { replicas: 3, template }, status: { readyReplicas: 1 } },
    cells: ['it', '1/3', '2m', 'web,log', 'web:1,log:2'],
  },
  {
    type: 'apps/DaemonSet',
    object: {
      spec: { template: { spec: { nodeSelector: { os: 'linux' } } }, selector },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      },
    },
    cells: ['it', 5, 4, 3, 2, 1, 'os=linux', '2m', '', '', 'app=web,tier'],
  },
  {
    type: 'apps/ControllerRevision',
    object: {
      metadata: {
        ...metadata,
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Other', name: 'o' },
          { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 's', controller: true },
        ],
      },
      revision: 4,
    },
    cells: ['it', 'statefulset.apps/s', 4, '2m'],
  },
  {
    type: 'batch/Job',
    object: {
      spec: { completions: 5, selector, template },
      status: { succeeded: 2, startTime: '2030-01-01T23:59:00Z' },
    },
    cells: ['it', 'Running', '2/5', '60s', '2m', 'web,log', 'web:1,log:2', 'app=web,tier'],
  },
  {
    type: 'batch/Job',
    object: {
      spec: { parallelism: 3 },
      status: {
        startTime: '2030-01-01T00:00:00Z',
        completionTime: '2030-01-01T00:05:03Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    },
    cells: ['it', 'Complete', '0/1 of 3', '5m3s', '2m', '', '', '<none>'],
  },
  ...(
    [
      [[{ type: 'Failed', status: 'True' }], undefined, 'Failed'],
      [[{ type: 'Suspended', status: 'True' }], '2030-01-01T23:59:00Z', 'Terminating'],
      [[{ type: 'Suspended', status: 'True' }], undefined, 'Suspended'],
      [[{ type: 'FailureTarget', status: 'True' }], undefined, 'FailureTarget'],
      [[{ type: 'SuccessCriteriaMet', status: 'True' }], undefined, 'SuccessCriteriaMet'],
      [[{ type: 'Complete', status: 'False' }], undefined, 'Running'],
    ] as const
  ).map(([conditions, deletionTimestamp, status]) => ({
    type: 'batch/Job',
    object: { metadata: { ...metadata, deletionTimestamp }, status: { conditions } },
    cells: ['it', status, '0/1', '', '2m', '', '', '<none>'],
  })),
  {
    type: 'batch/CronJob',
    object: {
      spec: { schedule: '@daily', suspend: false, jobTemplate: { spec: { template } } },
      status: { active: [{}, {}], lastScheduleTime: '2030-01-01T00:00:00Z' },
    },
    cells: ['it', '@daily', '<none>', 'False', 2, '24h', '2m', 'web,log', 'web:1,log:2', '<none>'],
  },
  {
    type: 'autoscaling/HorizontalPodAutoscaler',
    object: {
      apiVersion: 'autoscaling/v2',
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 5,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } },
          { type: 'Pods', pods: { target: { averageValue: '1k' } } },
          { type: 'External', external: { target: { value: '5' } } },
        ],
      },
      status: { currentReplicas: 3, currentMetrics: [{ resource: { current: { averageUtilization: 40 } } }] },
    },
    cells: ['it', 'Deployment/web', 'cpu: 40%/80%, <unknown>/1k + 1 more...', '2', 5, 3, '2m'],
  },
  {
    type: 'autoscaling/HorizontalPodAutoscaler',
    object: {
      apiVersion: 'autoscaling/v1',
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 5, targetCPUUtilizationPercentage: 60 },
      status: { currentReplicas: 1, desiredReplicas: 1 },
    },
    cells: ['it', 'Deployment/web', 'cpu: <unknown>/60%', '<unset>', 5, 1, '2m'],
  },
  {
    type: 'autoscaling/Scale',
    object: { spec: { replicas: 3 }, status: { replicas: 2 } },
    cells: ['it', 3, 2, '2m'],
  },
  {
    type: 'networking.k8s.io/Ingress',
    object: {
      spec: { rules: [{ host: 'a' }, {}, { host: 'b' }, { host: 'c' }, {}], tls: [{}] },
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    },
    cells: ['it', '<none>', 'a,b,c + 2 more...', '192.0.2.1', '80, 443', '2m'],
  },
  {
    type: 'networking.k8s.io/Ingress',
    object: { spec: { ingressClassName: 'nginx' } },
    cells: ['it', 'nginx', '*', '', '80', '2m'],
  },
  {
    type: 'networking.k8s.io/IngressClass',
    object: { spec: { controller: 'example.com/c', parameters: { apiGroup: 'example.com', kind: 'K', name: 'n' } } },
    cells: ['it', 'example.com/c', 'K.example.com/n', '2m'],
  },
  {
    type: 'networking.k8s.io/IngressClass',
    object: {
      metadata: { ...metadata, annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'example.com/c' },
    },
    cells: ['it (default)', 'example.com/c', '<none>', '2m'],
  },
  {
    type: 'networking.k8s.io/NetworkPolicy',
    object: { spec: { podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['z', 'b'] }] } } },
    cells: ['it', 'a in (b,z)', '2m'],
  },
  {
    type: 'networking.k8s.io/IPAddress',
    object: { spec: { parentRef: { resource: 'services', namespace: 'shop', name: 'web' } } },
    cells: ['it', 'services/shop/web', '2m'],
  },
  {
    type: 'networking.k8s.io/IPAddress',
    object: { spec: { parentRef: { group: 'example.com', resource: 'Things', name: 't' } } },
    cells: ['it', 'things.example.com/t', '2m'],
  },
  {
    type: 'networking.k8s.io/ServiceCIDR',
    object: { spec: { cidrs: ['10.0.0.0/16', 'fd00::/112'] } },
    cells: ['it', '10.0.0.0/16,fd00::/112', '2m'],
  },
  {
    type: 'discovery.k8s.io/EndpointSlice',
    object: {
      addressType: 'IPv4',
      ports: [{ port: 80 }, { name: 'http' }, {}, { port: 81 }],
      endpoints: [{ addresses: ['192.0.2.1'] }, { addresses: null }],
    },
    cells: ['it', 'IPv4', '80,http,* + 1 more...', '192.0.2.1', '2m'],
  },
  {
    type: 'storage.k8s.io/StorageClass',
    object: {
      metadata: { ...metadata, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'example.com/p',
      reclaimPolicy: 'Retain',
      allowVolumeExpansion: true,
    },
    cells: ['it (default)', 'example.com/p', 'Retain', 'Immediate', true, '2m'],
  },
  {
    type: 'storage.k8s.io/CSIDriver',
    object: {
      spec: {
        attachRequired: false,
        storageCapacity: true,
        tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
      },
    },
    cells: ['it', false, false, true, 'a,b', false, 'Persistent,Ephemeral', '2m'],
  },
  {
    type: 'storage.k8s.io/CSIDriver',
    object: {},
    cells: ['it', true, false, false, '<unset>', false, '<none>', '2m'],
  },
  { type: 'storage.k8s.io/CSINode', object: { spec: { drivers: [{}, {}] } }, cells: ['it', 2, '2m'] },
  {
    type: 'storage.k8s.io/VolumeAttachment',
    object: {
      spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'pv' } },
      status: { attached: true },
    },
    cells: ['it', 'a', 'pv', 'n', true, '2m'],
  },
  { type: 'storage.k8s.io/VolumeAttributesClass', object: { driverName: 'd' }, cells: ['it', 'd', '2m'] },
  {
    type: 'rbac.authorization.k8s.io/RoleBinding',
    object: {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
        { kind: 'User', name: 'v' },
      ],
    },
    cells: ['it', 'Role/r', '2m', 'u, v', 'g', 'n/s'],
  },
  {
    type: 'policy/PodDisruptionBudget',
    object: { spec: { minAvailable: 0 }, status: { disruptionsAllowed: 2 } },
    cells: ['it', '0', 'N/A', 2, '2m'],
  },
  {
    type: 'scheduling.k8s.io/PriorityClass',
    object: { value: -5, preemptionPolicy: 'Never' },
    cells: ['it', -5, false, '2m', 'Never'],
  },
  { type: 'node.k8s.io/RuntimeClass', object: { handler: 'runc' }, cells: ['it', 'runc', '2m'] },
  { type: 'coordination.k8s.io/Lease', object: { spec: { holderIdentity: 'me' } }, cells: ['it', 'me', '2m'] },
  {
    type: 'certificates.k8s.io/CertificateSigningRequest',
    object: {
      spec: { signerName: 'example.com/s', username: 'jane', expirationSeconds: 86_400 },
      status: { conditions: [{ type: 'Approved' }, { type: 'Failed' }], certificate: 'eA==' },
    },
    cells: ['it', '2m', 'example.com/s', 'jane', '24h', 'Approved,Failed,Issued'],
  },
  {
    type: 'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
    object: { webhooks: [{}] },
    cells: ['it', 1, '2m'],
  },
  {
    type: 'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
    object: { spec: { validations: [{}], paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } },
    cells: ['it', 1, 'v1/ConfigMap', '2m'],
  },
  {
    type: 'admissionregistration.k8s.io/MutatingAdmissionPolicy',
    object: { spec: { mutations: [{}, {}] } },
    cells: ['it', 2, '<unset>', '2m'],
  },
  {
    type: 'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
    object: { spec: { policyName: 'p', paramRef: { namespace: 'n', name: 'x' } } },
    cells: ['it', 'p', 'n/x', '2m'],
  },
  {
    type: 'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
    object: { spec: { policyName: 'p', paramRef: { name: 'x' } } },
    cells: ['it', 'p', '*/x', '2m'],
  },
  {
    type: 'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
    object: { spec: { policyName: 'p', paramRef: { selector: {} } } },
    cells: [
      'it',
      'p',
      '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}',
      '2m',
    ],
  },
  {
    type: 'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
    object: {
      spec: {
        paramRef: {
          selector: {
            matchLabels: { b: '2', a: '1' },
            matchExpressions: [
              { key: 'k', operator: 'In', values: ['x', 'y'] },
              { key: 'l', operator: 'Exists' },
            ],
          },
        },
      },
    },
    cells: [
      'it',
      '',
      '&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{' +
        'LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},' +
        'LabelSelectorRequirement{Key:l,Operator:Exists,Values:[],},},}',
      '2m',
    ],
  },
  {
    type: 'flowcontrol.apiserver.k8s.io/FlowSchema',
    object: {
      spec: {
        priorityLevelConfiguration: { name: 'pl' },
        matchingPrecedence: 9,
        distinguisherMethod: { type: 'ByUser' },
      },
      status: { conditions: [{ type: 'Dangling', status: 'True' }] },
    },
    cells: ['it', 'pl', 9, 'ByUser', '2m', 'True'],
  },
  {
    type: 'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
    object: {
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 0,
          limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
        },
      },
    },
    cells: ['it', 'Limited', 0, 64, 8, 50, '2m'],
  },
  {
    type: 'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration',
    object: { spec: { type: 'Exempt' } },
    cells: ['it', 'Exempt', '<none>', '<none>', '<none>', '<none>', '2m'],
  },
  {
    type: 'resource.k8s.io/ResourceClaim',
    object: { status: { allocation: {}, reservedFor: [{}] } },
    cells: ['it', 'allocated,reserved', '2m'],
  },
  {
    type: 'resource.k8s.io/ResourceClaim',
    object: { metadata: { ...metadata, deletionTimestamp: '2030-01-01T23:59:00Z' } },
    cells: ['it', 'deleted', '2m'],
  },
  {
    type: 'resource.k8s.io/ResourceSlice',
    object: { spec: { driver: 'd', pool: { name: 'p' } } },
    cells: ['it', '', 'd', 'p', '2m'],
  },
  { type: 'resource.k8s.io/DeviceClass', object: {}, cells: ['it', '2m'] },
  { type: 'certificates.k8s.io/ClusterTrustBundle', object: { spec: { trustBundle: '' } }, cells: ['it', '<none>'] },
  { type: 'certificates.k8s.io/ClusterTrustBundle', object: { spec: { signerName: 'a.b/c' } }, cells: ['it', 'a.b/c'] },
  {
    type: 'certificates.k8s.io/PodCertificateRequest',
    object: {
      spec: { podName: 'p', serviceAccountName: 's', nodeName: 'n', signerName: 'a.b/c' },
      status: { conditions: [{ type: 'Denied', status: 'True' }] },
    },
    cells: ['it', 'p', 's', 'n', 'a.b/c', 'Denied', '<none>'],
  },
  { type: 'certificates.k8s.io/PodCertificateRequest', object: {}, cells: ['it', '', '', '', '', 'Pending', '<none>'] },
  {
    type: 'coordination.k8s.io/LeaseCandidate',
    object: { spec: { leaseName: 'l', binaryVersion: '1.2.3', emulationVersion: '1.2.0' } },
    cells: ['it', 'l', '1.2.3', '1.2.0', '2m'],
  },
  {
    type: 'scheduling.k8s.io/PodGroup',
    object: {
      spec: { schedulingPolicy: { gang: {} }, podGroupTemplateRef: { workload: { workloadName: 'w' } } },
      status: { conditions: [{ type: 'PodGroupScheduled', status: 'False' }] },
    },
    cells: ['it', 'Gang', 'w', 'Unschedulable', '2m'],
  },
  { type: 'scheduling.k8s.io/PodGroup', object: {}, cells: ['it', 'Basic', '<none>', 'Pending', '2m'] },
  { type: 'scheduling.k8s.io/Workload', object: {}, cells: ['it', '2m'] },
  {
    type: 'resource.k8s.io/DeviceTaintRule',
    object: { spec: { taint: { key: 'k', value: 'v', effect: 'NoExecute' } } },
    cells: ['it', 'k', 'v', 'NoExecute', '', '2m'],
  },
  {
    type: 'resource.k8s.io/ResourcePoolStatusRequest',
    object: {
      spec: { driver: 'd' },
      status: {
        poolCount: 3,
        pools: [
          { totalDevices: 2, allocatedDevices: 1 },
          { totalDevices: 3, validationError: 'no' },
        ],
        conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: metadata.creationTimestamp }],
      },
    },
    cells: ['it', 'd', '5', '0', '1', '0', '1', 3, 'Complete (2/3 pools)', '2m'],
  },
  {
    type: 'resource.k8s.io/ResourcePoolStatusRequest',
    object: { spec: { driver: 'd' } },
    cells: ['it', 'd', '-', '-', '-', '-', '-', 0, 'Pending', '<none>'],
  },
  {
    type: 'internal.apiserver.k8s.io/StorageVersion',
    object: { status: { storageVersions: [{ apiServerID: 'a', encodingVersion: 'v1' }] } },
    cells: ['it', '<unset>', 'a=v1', '2m'],
  },
  {
    type: 'storagemigration.k8s.io/StorageVersionMigration',
    object: {
      spec: { resource: { group: 'apps', resource: 'deployments' } },
      status: { conditions: [{ type: 'Running', status: 'True' }] },
    },
    cells: ['it', 'deployments.apps', 'Running'],
  },
  {
    type: 'apiregistration.k8s.io/APIService',
    object: {
      spec: { service: { namespace: 'n', name: 's' } },
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'MissingEndpoints' }] },
    },
    cells: ['it', 'n/s', 'False (MissingEndpoints)', '2m'],
  },
  { type: 'apiregistration.k8s.io/APIService', object: {}, cells: ['it', 'Local', 'Unknown', '2m'] },
];

function columnsFor(type: string) {
  const slash = type.lastIndexOf('/');
  return columnsOf({ group: type.slice(0, slash), kind: type.slice(slash + 1) }) ?? defaultColumns;
}

describe('the cells of', () => {
  it.each(cases)('$type: $cells', ({ type, object, cells }) => {
    expect(columnsFor(type).cells({ metadata, ...object }, now)).toEqual(cells);
  });
});

const everyResource = [...builtInResources, ...optionalResources];

describe.each(everyResource.map((definition) => [`${definition.group}/${definition.kind}`, definition] as const))(
  '%s',
  (type, { schema, group, version }) => {
    const columns = columnsFor(type);
    // This kind has a cell for its age but no column for it.
    const count = columns.definitions.length + (type === 'networking.k8s.io/IPAddress' ? 1 : 0);
    const apiVersion = group === '' ? version : `${group}/${version}`;

    const compiled = compileKind({ schema, kind: type.slice(type.indexOf('/') + 1), apiVersion });

    it('has a cell for every column of any object', () => {
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const object = compiled.normalize(generateObject(schema, { seed, density: 0.4 }), new Findings());
          const cells = columns.cells(object, now);
          expect(cells).toHaveLength(count);
          expect(cells).not.toContain(undefined);
        }),
        { numRuns: 20, endOnFailure: true },
      );
    });
  },
);

describe('flow schemas', () => {
  it('are listed in matching order', () => {
    const schemas = [
      { metadata: { name: 'b' }, spec: { matchingPrecedence: 2 } },
      { metadata: { name: 'c' }, spec: { matchingPrecedence: 1 } },
      { metadata: { name: 'a' }, spec: { matchingPrecedence: 2 } },
    ];
    const { compare } = columnsFor('flowcontrol.apiserver.k8s.io/FlowSchema');
    expect(schemas.sort(compare).map((object) => object.metadata.name)).toEqual(['c', 'a', 'b']);
  });
});
