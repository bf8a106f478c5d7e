import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await api.post(pods, pod({}));
  await api.post('/api/v1/nodes', { metadata: { name: 'n' } });
});
afterAll(() => api.stop());

const pods = '/api/v1/namespaces/default/pods';
const container = { name: 'c', image: 'i' };
const pod = (spec: object, name = 'present') => ({ metadata: { name }, spec: { containers: [container], ...spec } });
const volume = (source: object) => pod({ volumes: [{ name: 'v', ...source }] }, 'other');
const node = (terms: object) => pod({ affinity: { nodeAffinity: terms } }, 'other');
const job = (spec: object) => ({
  metadata: { name: 'j' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } }, ...spec },
});
const group = (name: string, version = 'v1') => `/apis/${name}/${version}`;
const jobs = `${group('batch')}/namespaces/default/jobs`;
const metadata = { name: 'a' };

/** Lists that are written also when they are empty are null in an object that lacks them. */
it.each<[string, string, object]>([
  [
    'status without requestMappings',
    `${pods}/present/status`,
    {
      status: { extendedResourceClaimStatus: { resourceClaimName: 'x' } },
    },
  ],
  [
    'container status without resources',
    `${pods}/present/status`,
    {
      status: { containerStatuses: [{ name: 'c', allocatedResourcesStatus: [{ name: 'claim:a' }] }] },
    },
  ],
  ['image without names', '/api/v1/nodes/n/status', { status: { images: [{}] } }],
  ['node affinity without terms', pods, node({ requiredDuringSchedulingIgnoredDuringExecution: {} })],
  [
    'node affinity without values',
    pods,
    node({
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{}] } }],
    }),
  ],
  ['cephfs without monitors', pods, volume({ cephfs: {} })],
  ['rbd without monitors', pods, volume({ rbd: {} })],
  ['projected without sources', pods, volume({ projected: {} })],
  ['cephfs without monitors', '/api/v1/persistentvolumes', { metadata, spec: { cephfs: {} } }],
  ['rbd without monitors', '/api/v1/persistentvolumes', { metadata, spec: { rbd: {} } }],
  ['policy without rules', jobs, job({ podFailurePolicy: {} })],
  [
    'exit codes without values',
    jobs,
    job({
      podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In' } }] },
    }),
  ],
  ['success policy without rules', jobs, job({ completionMode: 'Indexed', completions: 1, successPolicy: {} })],
  ['limits', '/api/v1/namespaces/default/limitranges', { metadata, spec: {} }],
  ['role without rules', `${group('rbac.authorization.k8s.io')}/clusterroles`, { metadata }],
  ['rule without verbs', `${group('rbac.authorization.k8s.io')}/clusterroles`, { metadata, rules: [{}] }],
  ['endpoints', `${group('discovery.k8s.io')}/namespaces/default/endpointslices`, { metadata, addressType: 'IPv4' }],
  [
    'addresses',
    `${group('discovery.k8s.io')}/namespaces/default/endpointslices`,
    {
      metadata: { name: 'b' },
      addressType: 'IPv4',
      endpoints: [{}],
    },
  ],
  [
    'paths',
    `${group('networking.k8s.io')}/namespaces/default/ingresses`,
    {
      metadata,
      spec: { rules: [{ http: {} }] },
    },
  ],
  [
    'subjects and rules',
    `${group('flowcontrol.apiserver.k8s.io')}/flowschemas`,
    {
      metadata,
      spec: { priorityLevelConfiguration: { name: 'p' }, rules: [{}] },
    },
  ],
  [
    'verbs and groups',
    `${group('flowcontrol.apiserver.k8s.io')}/flowschemas`,
    {
      metadata,
      spec: {
        priorityLevelConfiguration: { name: 'p' },
        rules: [{ subjects: [{ kind: 'User', user: { name: 'u' } }], resourceRules: [{}], nonResourceRules: [{}] }],
      },
    },
  ],
  [
    'topology keys',
    `${group('storage.k8s.io')}/csinodes`,
    {
      metadata,
      spec: { drivers: [{ name: 'd', nodeID: 'n' }] },
    },
  ],
  [
    'versions',
    `${group('admissionregistration.k8s.io')}/validatingwebhookconfigurations`,
    {
      metadata,
      webhooks: [{ name: 'a.b.c' }],
    },
  ],
  [
    'versions',
    `${group('admissionregistration.k8s.io')}/mutatingwebhookconfigurations`,
    {
      metadata,
      webhooks: [{ name: 'a.b.c' }],
    },
  ],
  [
    'versions and conversion versions',
    `${group('apiextensions.k8s.io')}/customresourcedefinitions`,
    {
      metadata: { name: 'as.b.c' },
      spec: { group: 'b.c', scope: 'Cluster', names: { plural: 'as', kind: 'A' }, conversion: { webhook: {} } },
    },
  ],
  ['requests', `${group('resource.k8s.io')}/namespaces/default/resourceclaims`, { metadata, spec: { devices: {} } }],
  [
    'constraints',
    `${group('resource.k8s.io')}/namespaces/default/resourceclaims`,
    {
      metadata,
      spec: { devices: { requests: [{ name: 'a' }], constraints: [{}], config: [{}] } },
    },
  ],
  ['audiences', '/api/v1/namespaces/default/serviceaccounts/default/token', {}],
])('a missing list is no internal error: %s at %s', async (_what, path, body) => {
  const isPatch = /\/status$/.test(path);
  const { status, text } = isPatch ? await api.patch(path, body) : await api.post(path, body);
  expect(status, text).toBeLessThan(500);
});
