import { expect } from 'vitest';
import type { CorpusEntry } from './corpus-entry.ts';

/** Fields that admission would set. The client sets them, so that the objects show only the defaults of the type. */
const scheduling = {
  tolerations: [{ operator: 'Exists' }],
  priority: 0,
  preemptionPolicy: 'PreemptLowerPriority',
};

const filledContainer = {
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
};

const filledSpec = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
  enableServiceLinks: true,
  ...scheduling,
};

const probeTimes = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
const status = { phase: 'Pending', qosClass: 'BestEffort' };
const web = { name: 'web', image: 'registry.example/web:1.2' };

export const corpus: CorpusEntry[] = [
  {
    path: '/api/v1/namespaces/corpus/pods',
    valid: [
      {
        name: 'minimal',
        object: { metadata: { name: 'minimal' }, spec: { containers: [web], ...scheduling } },
        expected: { spec: { ...filledSpec, containers: [{ ...web, ...filledContainer }] }, status },
      },
      {
        name: 'rich',
        object: {
          metadata: { name: 'rich', labels: { app: 'shop', 'pod-template-hash': 'abc' } },
          spec: {
            ...scheduling,
            serviceAccount: 'shop',
            hostAliases: [{ ip: '192.0.2.10', hostnames: ['db.local'] }],
            dnsPolicy: 'None',
            dnsConfig: { nameservers: ['192.0.2.53'], searches: ['shop.example', '_tcp.example.'] },
            schedulingGates: [{ name: 'example.com/quota' }],
            readinessGates: [{ conditionType: 'example.com/registered' }],
            os: { name: 'linux' },
            affinity: {
              podAntiAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                  {
                    topologyKey: 'kubernetes.io/hostname',
                    labelSelector: { matchLabels: { app: 'shop' } },
                    matchLabelKeys: ['pod-template-hash'],
                  },
                ],
              },
            },
            volumes: [
              { name: 'scratch' },
              { name: 'logs', hostPath: { path: '/var/log' } },
              { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'b/a', mode: 256 }] } },
              { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
              { name: 'data', image: { reference: 'registry.example/data' } },
            ],
            initContainers: [{ name: 'proxy', image: 'registry.example/proxy:2', restartPolicy: 'Always' }],
            containers: [
              {
                name: 'web',
                image: 'registry.example/web',
                ports: [{ name: 'http', containerPort: 8080 }],
                env: [
                  { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                  { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
                ],
                resources: { limits: { cpu: '1', memory: '0.5Gi' }, requests: { cpu: '0.0001' } },
                volumeMounts: [{ name: 'scratch', mountPath: '/tmp' }],
                livenessProbe: { httpGet: { port: 'http' } },
                startupProbe: { grpc: { port: 9000 } },
                lifecycle: { preStop: { sleep: { seconds: 5 } } },
              },
            ],
          },
        },
        expected: {
          spec: {
            ...filledSpec,
            serviceAccountName: 'shop',
            serviceAccount: 'shop',
            hostAliases: [{ ip: '192.0.2.10', hostnames: ['db.local'] }],
            dnsPolicy: 'None',
            dnsConfig: { nameservers: ['192.0.2.53'], searches: ['shop.example', '_tcp.example.'] },
            schedulingGates: [{ name: 'example.com/quota' }],
            readinessGates: [{ conditionType: 'example.com/registered' }],
            os: { name: 'linux' },
            affinity: {
              podAntiAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                  {
                    topologyKey: 'kubernetes.io/hostname',
                    labelSelector: {
                      matchLabels: { app: 'shop' },
                      matchExpressions: [{ key: 'pod-template-hash', operator: 'In', values: ['abc'] }],
                    },
                    matchLabelKeys: ['pod-template-hash'],
                  },
                ],
              },
            },
            volumes: [
              { name: 'scratch', emptyDir: {} },
              { name: 'logs', hostPath: { path: '/var/log', type: '' } },
              {
                name: 'settings',
                configMap: { name: 'settings', items: [{ key: 'a', path: 'b/a', mode: 256 }], defaultMode: 420 },
              },
              {
                name: 'token',
                projected: {
                  sources: [{ serviceAccountToken: { expirationSeconds: 3600, path: 'token' } }],
                  defaultMode: 420,
                },
              },
              { name: 'data', image: { reference: 'registry.example/data', pullPolicy: 'Always' } },
            ],
            initContainers: [
              { name: 'proxy', image: 'registry.example/proxy:2', restartPolicy: 'Always', ...filledContainer },
            ],
            containers: [
              {
                ...filledContainer,
                name: 'web',
                image: 'registry.example/web',
                imagePullPolicy: 'Always',
                ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
                env: [
                  { name: 'POD', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
                  { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '0' } } },
                ],
                resources: { limits: { cpu: '1', memory: '512Mi' }, requests: { cpu: '1m', memory: '512Mi' } },
                volumeMounts: [{ name: 'scratch', mountPath: '/tmp' }],
                livenessProbe: { httpGet: { path: '/', port: 'http', scheme: 'HTTP' }, ...probeTimes },
                startupProbe: { grpc: { port: 9000, service: '' }, ...probeTimes },
                lifecycle: { preStop: { sleep: { seconds: 5 } } },
              },
            ],
          },
          status: {
            phase: 'Pending',
            conditions: [
              {
                type: 'PodScheduled',
                status: 'False',
                lastProbeTime: null,
                lastTransitionTime: expect.any(String),
                reason: 'SchedulingGated',
                message: 'Scheduling is blocked due to non-empty scheduling gates',
              },
            ],
            qosClass: 'Burstable',
          },
        },
      },
      {
        name: 'on the network of the node',
        object: {
          metadata: { name: 'host-network' },
          spec: { ...scheduling, hostNetwork: true, containers: [{ ...web, ports: [{ containerPort: 80 }] }] },
        },
        expected: {
          spec: {
            ...filledSpec,
            hostNetwork: true,
            containers: [{ ...web, ...filledContainer, ports: [{ hostPort: 80, containerPort: 80, protocol: 'TCP' }] }],
          },
          status,
        },
      },
    ],
    invalid: [
      {
        name: 'without containers',
        object: { metadata: { name: 'empty' }, spec: scheduling },
        errors: ['spec.containers: Required value'],
      },
      {
        name: 'many mistakes, in order',
        object: {
          metadata: { name: 'mistakes' },
          spec: {
            ...scheduling,
            restartPolicy: 'Sometimes',
            volumes: [{ name: 'a', emptyDir: {}, nfs: { server: 's', path: '/x' } }],
            containers: [
              {
                name: 'web',
                ports: [{ containerPort: 99999, protocol: 'ICMP' }],
                env: [{ name: 'A', value: 'x', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
                volumeMounts: [{ name: 'a', mountPath: '/a' }],
                resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } },
                readinessProbe: { tcpSocket: { port: 0 }, terminationGracePeriodSeconds: 3 },
              },
            ],
          },
        },
        errors: [
          'spec.volumes[0].nfs: Forbidden: may not specify more than 1 volume type',
          'spec.containers[0].image: Required value',
          'spec.containers[0].ports[0].containerPort: Invalid value: 99999: must be between 1 and 65535, inclusive',
          'spec.containers[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
          'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
          'spec.containers[0].volumeMounts[0].name: Not found: "a"',
          'spec.containers[0].resources.requests: Invalid value: "2Gi": must be less than or equal to memory limit of 1Gi',
          'spec.containers[0].readinessProbe.tcpSocket.port: Invalid value: 0: must be between 1 and 65535, inclusive',
          'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 3: must not be set for readinessProbes',
          'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
        ],
      },
      {
        name: 'gated and already on a node',
        object: {
          metadata: { name: 'gated' },
          spec: { ...scheduling, containers: [web], nodeName: 'node-a', schedulingGates: [{ name: 'wait' }] },
        },
        errors: ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
      },
      {
        name: 'things of Linux on Windows',
        object: {
          metadata: { name: 'windows' },
          spec: {
            ...scheduling,
            os: { name: 'windows' },
            hostIPC: true,
            securityContext: { fsGroup: 1 },
            containers: [{ ...web, securityContext: { capabilities: { drop: ['ALL'] } } }],
          },
        },
        errors: [
          'spec.hostIPC: Forbidden: cannot be set for a windows pod',
          'spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod',
          'spec.containers[0].securityContext.capabilities: Forbidden: cannot be set for a windows pod',
        ],
      },
    ],
  },
];
