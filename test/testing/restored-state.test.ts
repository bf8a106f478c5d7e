import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Snapshot, startTestServer, type TestServer } from '../../src/testing/index.ts';
import { TestApi } from '../wire/api.ts';
import { widgetDefinition } from '../wire/custom-types.ts';

// All state that the server keeps in memory must match the restored objects as soon as `restore` has resolved.

let server: TestServer;
let api: TestApi;
let pristine: Snapshot;
beforeAll(async () => {
  server = await startTestServer({ enableBootstrapTokenAuth: true, authorizationMode: ['Node', 'RBAC'] });
  api = new TestApi(server);
  await server.untilQuiet();
  pristine = await server.snapshot();
});
afterAll(() => api.stop());

const configMaps = '/api/v1/namespaces/default/configmaps';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const admission = '/apis/admissionregistration.k8s.io/v1';
const encoded = (text: string) => Buffer.from(text).toString('base64');
const pod = (name: string) => ({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }] } });

async function made(path: string, body: object): Promise<void> {
  expect(await api.post(path, body)).toMatchObject({ status: 200 });
}

/** Returns the user of the token, or 401 if it is invalid. */
async function bearer(token: string): Promise<number | string> {
  const call = { credentials: false, headers: { authorization: `Bearer ${token}` } };
  const { status, body } = await api.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, call);
  return status === 200 ? body.status.userInfo.username : status;
}

const bootstrapToken = 'abcdef.0123456789abcdef';
interface Case {
  /** Creates objects, and returns a function that shows their effect. */
  readonly make: () => Promise<() => Promise<unknown>>;
  /** The result with and without the objects. */
  readonly effect: unknown;
  readonly without: unknown;
}

const cases: Readonly<Record<string, Case>> = {
  'the token of a service account': {
    make: async () => {
      await made('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
      const issued = await api.post('/api/v1/namespaces/default/serviceaccounts/robot/token', { spec: {} });
      return () => bearer(issued.body.status.token);
    },
    effect: 'system:serviceaccount:default:robot',
    without: 401,
  },
  'a token that is bound to a secret': {
    make: async () => {
      await made('/api/v1/namespaces/default/secrets', { metadata: { name: 'bound' } });
      const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 'bound' };
      const spec = { spec: { boundObjectRef } };
      const issued = await api.post('/api/v1/namespaces/default/serviceaccounts/default/token', spec);
      return () => bearer(issued.body.status.token);
    },
    effect: 'system:serviceaccount:default:default',
    without: 401,
  },
  'a bootstrap token': {
    make: async () => {
      const [id, secret] = bootstrapToken.split('.') as [string, string];
      const data = { 'token-id': encoded(id), 'token-secret': encoded(secret) };
      await made('/api/v1/namespaces/kube-system/secrets', {
        metadata: { name: `bootstrap-token-${id}` },
        type: 'bootstrap.kubernetes.io/token',
        data: { ...data, 'usage-bootstrap-authentication': encoded('true') },
      });
      return () => bearer(bootstrapToken);
    },
    effect: 'system:bootstrap:abcdef',
    without: 401,
  },
  'a role and its binding': {
    make: async () => {
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
      await made(`${rbac}/clusterroles`, { metadata: { name: 'lister' }, rules });
      await made(`${rbac}/clusterrolebindings`, {
        metadata: { name: 'lister' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'lister' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
      });
      return async () => (await api.get(configMaps, { headers: { 'impersonate-user': 'ann' } })).status;
    },
    effect: 200,
    without: 403,
  },
  'the uses of a node': {
    make: async () => {
      await made('/api/v1/nodes', { metadata: { name: 'n' } });
      await made(configMaps, { metadata: { name: 'used' } });
      const { spec } = pod('user');
      const volumes = [{ name: 'v', configMap: { name: 'used' } }];
      await made('/api/v1/namespaces/default/pods', {
        metadata: { name: 'user' },
        spec: { ...spec, nodeName: 'n', volumes },
      });
      const headers = { 'impersonate-user': 'system:node:n', 'impersonate-group': 'system:nodes' };
      return async () => (await api.get(`${configMaps}/used`, { headers })).status;
    },
    effect: 200,
    without: 403,
  },
  'a custom type, its discovery and its OpenAPI document': {
    make: async () => {
      await made('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgetDefinition);
      await server.untilQuiet();
      return async () => [
        (await api.get('/apis/example.com/v1/widgets')).status,
        (await api.get('/apis/example.com/v1')).status,
        (await api.get('/openapi/v3')).body.paths['apis/example.com/v1'] !== undefined,
      ];
    },
    effect: [200, 200, true],
    without: [404, 404, false],
  },
  'a policy': {
    make: async () => {
      const validations = [{ expression: 'object.metadata.name != "forbidden"' }];
      const resourceRules = [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ];
      const spec = { failurePolicy: 'Fail', matchConstraints: { resourceRules }, validations };
      await made(`${admission}/validatingadmissionpolicies`, { metadata: { name: 'p' }, spec });
      const binding = { policyName: 'p', validationActions: ['Deny'] };
      await made(`${admission}/validatingadmissionpolicybindings`, { metadata: { name: 'p' }, spec: binding });
      await server.untilQuiet();
      return async () => (await api.post(`${configMaps}?dryRun=All`, { metadata: { name: 'forbidden' } })).status;
    },
    effect: 422,
    without: 200,
  },
  'a webhook': {
    make: async () => {
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
      await made(`${admission}/validatingwebhookconfigurations`, {
        metadata: { name: 'w' },
        webhooks: [
          {
            name: 'w.example.com',
            rules,
            clientConfig: { url: 'https://127.0.0.1:1/' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
          },
        ],
      });
      return async () => (await api.post(`${configMaps}?dryRun=All`, { metadata: { name: 'a' } })).status;
    },
    effect: 500,
    without: 200,
  },
  'a quota': {
    make: async () => {
      const quotas = '/api/v1/namespaces/default/resourcequotas';
      await made(quotas, { metadata: { name: 'q' }, spec: { hard: { 'count/secrets': '0' } } });
      await server.untilQuiet();
      return async () => (await api.post('/api/v1/namespaces/default/secrets', { metadata: { name: 'extra' } })).status;
    },
    effect: 403,
    without: 200,
  },
  'a limit range': {
    make: async () => {
      const limits = [{ type: 'Container', default: { cpu: '1' } }];
      await made('/api/v1/namespaces/default/limitranges', { metadata: { name: 'l' }, spec: { limits } });
      return async () => {
        const { body } = await api.post('/api/v1/namespaces/default/pods?dryRun=All', pod('limited'));
        return body.spec.containers[0].resources.limits?.cpu;
      };
    },
    effect: '1',
    without: undefined,
  },
  'the labels of a namespace': {
    make: async () => {
      await api.patch('/api/v1/namespaces/default', {
        metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
      });
      return async () => (await api.post('/api/v1/namespaces/default/pods?dryRun=All', pod('plain'))).status;
    },
    effect: 403,
    without: 200,
  },
  'a node port': {
    make: async () => {
      const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_777 }] };
      await made('/api/v1/namespaces/default/services', { metadata: { name: 's' }, spec });
      const other = { metadata: { name: 'other' }, spec };
      return async () => (await api.post('/api/v1/namespaces/default/services?dryRun=All', other)).status;
    },
    effect: 422,
    without: 200,
  },
};

it.each(Object.entries(cases))('%s', async (_, { make, effect, without }) => {
  const show = await make();
  expect(await show()).toEqual(effect);
  const withObjects = await server.snapshot();
  await server.restore(pristine);
  expect(await show()).toEqual(without);
  // After another restore, no state of the time without the objects remains.
  await server.restore(withObjects);
  expect(await show()).toEqual(effect);
  await server.restore(pristine);
});

it('objects and their owner come back together, and stay', async () => {
  const owner = (await api.post(configMaps, { metadata: { name: 'owner' } })).body.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.uid }];
  for (const name of ['d1', 'd2'])
    await made('/api/v1/namespaces/default/secrets', { metadata: { name, ownerReferences } });
  await server.untilQuiet();
  const complete = await server.snapshot();
  const statuses = async () =>
    Promise.all(
      [`${configMaps}/owner`, ...['d1', 'd2'].map((name) => `/api/v1/namespaces/default/secrets/${name}`)].map(
        async (path) => (await api.get(path)).status,
      ),
    );
  await api.delete(`${configMaps}/owner`);
  await server.untilQuiet();
  expect(await statuses()).toEqual([404, 404, 404]);
  await server.restore(complete);
  await server.untilQuiet();
  expect(await statuses()).toEqual([200, 200, 200]);
  await server.restore(pristine);
});
