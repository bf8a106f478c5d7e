import type { ResourceObject } from '../../src/meta/object.ts';

const amounts = { cpu: '1', memory: '1Gi', storage: '5Gi' };
const annotations = {
  'storageclass.kubernetes.io/is-default-class': 'true',
  'ingressclass.kubernetes.io/is-default-class': 'true',
};
const limit = { min: amounts, max: amounts, maxLimitRequestRatio: amounts };
const limits = [
  { type: 'Container', ...limit, default: amounts, defaultRequest: amounts },
  { type: 'Pod', ...limit },
  { type: 'PersistentVolumeClaim', ...limit },
];
const counted = ['pods', 'services', 'persistentvolumeclaims', 'configmaps'].flatMap((name) => [name, `count/${name}`]);
const hard = Object.fromEntries(
  [...counted, 'requests.cpu', 'limits.memory', 'requests.storage', 'services.nodeports'].map((name) => [name, '10']),
);
const scopes = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'];
const quota = (name: string, spec: object): ResourceObject => ({
  metadata: { name, namespace: 'ns' },
  spec,
  status: { hard, used: Object.fromEntries(Object.keys(hard).map((key) => [key, '0'])) },
});
const enforce = { 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/warn': 'restricted' };

/**
 * The objects that a lookup by name finds, by resource. They make every plugin run as many of its checks as possible.
 */
export const presentObjects: Readonly<Record<string, (name: string) => ResourceObject[]>> = {
  namespaces: (name) => [{ metadata: { name, labels: enforce } }],
  serviceaccounts: (name) => [
    {
      metadata: { name, namespace: 'ns', annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } },
      secrets: [{ name: 's' }, {}],
      imagePullSecrets: [{ name: 's' }, {}],
    },
  ],
  limitranges: () => [{ metadata: { name: 'l' }, spec: { limits } }],
  resourcequotas: () => [
    quota('q', {}),
    ...scopes.map((scope) => quota(scope, { scopes: [scope] })),
    quota('classes', { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] } }),
    quota('volumes', {
      scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'NotIn', values: ['x'] }] },
    }),
  ],
  priorityclasses: (name) => [{ metadata: { name }, value: 5, globalDefault: true }],
  runtimeclasses: (name) => [
    {
      metadata: { name },
      overhead: { podFixed: amounts },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'x', operator: 'Exists' }] },
    },
  ],
  storageclasses: (name) => [{ metadata: { name, annotations }, allowVolumeExpansion: true }],
  ingressclasses: (name) => [{ metadata: { name, annotations } }],
  nodes: (name) => [{ metadata: { name, uid: 'u' } }],
  pods: (name) => [{ metadata: { name, namespace: 'ns', uid: 'u' }, spec: { nodeName: 'n1', containers: null } }],
};
