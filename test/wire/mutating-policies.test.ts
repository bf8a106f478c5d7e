import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { cronTab, cronTabSchema, defineCronTabs } from './crontabs.ts';
import { addPolicy, apply, bindPolicy, jsonPatch, ruleFor } from './mutating-policies.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }], ...spec },
});
const create = (namespace: string, resource: string, body: object) =>
  api.post(`/api/v1/namespaces/${namespace}/${resource}`, body);

describe('mutating admission policies', () => {
  it('add a sidecar to pods, once', async () => {
    await bindPolicy(api, 'sidecar', {
      rules: [ruleFor(['pods'])],
      mutations: [
        apply(
          `Object{
          spec: Object.spec{
            initContainers: [
              Object.spec.initContainers{
                name: "mesh-proxy",
                image: "registry.example/proxy:2",
                restartPolicy: "Always"
              }
            ]
          }
        }`,
        ),
      ],
      policy: {
        matchConditions: [
          {
            name: 'without-sidecar',
            expression: '!object.spec.?initContainers.orValue([]).exists(c, c.name == "mesh-proxy")',
          },
        ],
        reinvocationPolicy: 'IfNeeded',
      },
    });
    const { body } = await create('sidecar', 'pods', pod('a'));
    expect(body.spec.containers).toHaveLength(1);
    // The container has its defaults, as if the client had sent it.
    expect(body.spec.initContainers).toMatchObject([
      {
        name: 'mesh-proxy',
        image: 'registry.example/proxy:2',
        restartPolicy: 'Always',
        imagePullPolicy: 'IfNotPresent',
      },
    ]);
    const own = { initContainers: [{ name: 'mesh-proxy', image: 'registry.example/own:1' }] };
    expect((await create('sidecar', 'pods', pod('b', own))).body.spec.initContainers).toMatchObject([
      { name: 'mesh-proxy', image: 'registry.example/own:1' },
    ]);
    expect((await create('default', 'pods', pod('elsewhere'))).body.spec.initContainers).toBeUndefined();
  });

  it('set labels with JSON patches, with escaped keys and tests', async () => {
    await bindPolicy(api, 'labels', {
      rules: [ruleFor(['configmaps'])],
      mutations: [
        jsonPatch(`(has(object.metadata.labels) ? [] : [JSONPatch{op: "add", path: "/metadata/labels", value: {}}]) + [
          JSONPatch{
            op: "add",
            path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/team"),
            value: namespaceObject.metadata.name + "-" + request.operation.lowerAscii()
          }
        ]`),
        jsonPatch(`[
          JSONPatch{op: "test", path: "/data/size", value: "small"},
          JSONPatch{op: "replace", path: "/data/size", value: "large"}
        ]`),
        jsonPatch('[JSONPatch{op: "copy", from: "/metadata/name", path: "/metadata/labels/name"}]'),
      ],
    });
    const grown = await create('labels', 'configmaps', { metadata: { name: 'a' }, data: { size: 'small' } });
    expect(grown.body.metadata.labels).toEqual({ 'example.com/team': 'labels-create', name: 'a' });
    expect(grown.body.data).toEqual({ size: 'large' });
    const other = { metadata: { name: 'b', labels: { own: 'x' } }, data: { size: 'medium' } };
    const { body } = await create('labels', 'configmaps', other);
    expect(body.metadata.labels).toEqual({ own: 'x', 'example.com/team': 'labels-create', name: 'b' });
    expect(body.data).toEqual({ size: 'medium' });
  });

  it('merge lists by their keys', async () => {
    await bindPolicy(api, 'merge', {
      rules: [ruleFor(['pods'])],
      mutations: [
        apply(`Object{
          spec: Object.spec{
            containers: object.spec.containers.map(c, Object.spec.containers{
              name: c.name,
              env: [Object.spec.containers.env{name: "ZONE", value: "a"}]
            })
          }
        }`),
      ],
    });
    const containers = [
      { name: 'x', image: 'registry.example/x:1', env: [{ name: 'OWN', value: '1' }] },
      { name: 'y', image: 'registry.example/y:1', env: [{ name: 'ZONE', value: 'b' }], args: ['run'] },
    ];
    const { body } = await create('merge', 'pods', pod('a', { containers }));
    expect(body.spec.containers).toMatchObject([
      {
        name: 'x',
        image: 'registry.example/x:1',
        env: expect.arrayContaining([
          { name: 'OWN', value: '1' },
          { name: 'ZONE', value: 'a' },
        ]),
      },
      { name: 'y', image: 'registry.example/y:1', env: [{ name: 'ZONE', value: 'a' }], args: ['run'] },
    ]);
  });

  it('see what earlier mutations and policies did, in the order of their names', async () => {
    await bindPolicy(api, 'chain-b', {
      rules: [ruleFor(['configmaps'])],
      mutations: [
        apply('Object{data: {"b": object.data.a + "b", "seen": variables.seen}}'),
        apply('Object{data: {"last": variables.seen}}'),
      ],
      policy: { variables: [{ name: 'seen', expression: 'object.data.map(k, k).join(",")' }] },
    });
    await addPolicy(
      api,
      { name: 'chain-a', namespace: 'chain-b' },
      {
        rules: [ruleFor(['configmaps'])],
        mutations: [apply('Object{data: {"a": "a"}}')],
      },
    );
    const { body } = await create('chain-b', 'configmaps', { metadata: { name: 'x' } });
    expect(body.data).toEqual({ a: 'a', b: 'ab', seen: 'a', last: 'a,b,seen' });
  });

  it('are in force with the next request, and until they are gone', async () => {
    await bindPolicy(api, 'force', {
      rules: [ruleFor(['configmaps'])],
      mutations: [apply('Object{data: {"v": "1"}}')],
    });
    expect((await create('force', 'configmaps', { metadata: { name: 'a' } })).body.data).toEqual({ v: '1' });
    const policy = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies/force';
    await api.patch(policy, { spec: { mutations: [apply('Object{data: {"v": "2"}}')] } });
    expect((await create('force', 'configmaps', { metadata: { name: 'b' } })).body.data).toEqual({ v: '2' });
    await api.delete('/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings/force');
    expect((await create('force', 'configmaps', { metadata: { name: 'c' } })).body.data).toBeUndefined();
  });

  it('change updates, with the old object', async () => {
    await bindPolicy(api, 'updates', {
      rules: [ruleFor(['configmaps'], { operations: ['UPDATE'] })],
      mutations: [apply('Object{data: {"before": oldObject.data.v, "now": object.data.v}}')],
    });
    const path = '/api/v1/namespaces/updates/configmaps/a';
    await create('updates', 'configmaps', { metadata: { name: 'a' }, data: { v: '1' } });
    const patched = await api.patch(path, { data: { v: '2' } });
    expect(patched.body.data).toEqual({ v: '2', before: '1', now: '2' });
    const put = await api.put(path, { metadata: { name: 'a' }, data: { v: '3' } });
    expect(put.body.data).toEqual({ v: '3', before: '2', now: '3' });
    expect((await api.delete(path)).status).toBe(200);
  });

  it('change the result of a dry run, but store nothing', async () => {
    await bindPolicy(api, 'dry', {
      rules: [ruleFor(['configmaps'])],
      mutations: [apply('Object{data: {"dry": string(request.dryRun)}}')],
    });
    const path = '/api/v1/namespaces/dry/configmaps';
    const { body } = await api.post(`${path}?dryRun=All`, { metadata: { name: 'a' } });
    expect(body.data).toEqual({ dry: 'true' });
    expect((await api.get(`${path}/a`)).status).toBe(404);
  });

  it('use parameters, once for each', async () => {
    for (const [name, data] of Object.entries({ one: { a: '1' }, two: { b: '2' } })) {
      await create('default', 'configmaps', { metadata: { name, labels: { params: 'yes' } }, data });
    }
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const paramRef = {
      namespace: 'default',
      selector: { matchLabels: { params: 'yes' } },
      parameterNotFoundAction: 'Deny',
    };
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'params' } };
    await bindPolicy(api, 'params', {
      rules: [ruleFor(['secrets'])],
      mutations: [apply('Object{metadata: Object.metadata{annotations: params.data}}')],
      policy: { paramKind },
      binding: { paramRef, matchResources: { namespaceSelector } },
    });
    const { body } = await create('params', 'secrets', { metadata: { name: 'a' } });
    expect(body.metadata.annotations).toEqual({ a: '1', b: '2' });
  });

  it('change subresources', async () => {
    const namespace = 'subresources';
    await bindPolicy(api, namespace, {
      rules: [ruleFor(['deployments/scale'], { operations: ['UPDATE'], apiGroups: ['apps'] })],
      mutations: [apply('Object{spec: Object.spec{replicas: object.spec.replicas > 5 ? 5 : object.spec.replicas}}')],
    });
    await addPolicy(
      api,
      { name: 'subresources-status', namespace },
      {
        rules: [ruleFor(['deployments/status'], { operations: ['UPDATE'], apiGroups: ['apps'] })],
        mutations: [jsonPatch('[JSONPatch{op: "add", path: "/status/observedGeneration", value: 7}]')],
      },
    );
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const labels = { app: 'x' };
    const template = { metadata: { labels }, spec: pod('x').spec };
    await api.post(path, {
      metadata: { name: 'x' },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    });
    const scaled = await api.patch(`${path}/x/scale`, { spec: { replicas: 9 } });
    expect(scaled.body.spec.replicas).toBe(5);
    expect((await api.get(`${path}/x`)).body.spec.replicas).toBe(5);
    const status = await api.patch(`${path}/x/status`, { status: { replicas: 2 } });
    expect(status.body.status).toMatchObject({ replicas: 2, observedGeneration: 7 });
  });

  it('match equivalent versions and see the object in the version of the rule', async () => {
    await bindPolicy(api, 'versions', {
      rules: [ruleFor(['horizontalpodautoscalers'], { apiGroups: ['autoscaling'], apiVersions: ['v2'] })],
      mutations: [
        apply(`Object{metadata: Object.metadata{labels: {
          "seen": request.kind.version, "sent": request.requestKind.version, "metrics": string(size(object.spec.metrics))
        }}}`),
      ],
    });
    const spec = {
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 50,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
    };
    const path = '/apis/autoscaling/v1/namespaces/versions/horizontalpodautoscalers';
    const { body } = await api.post(path, { metadata: { name: 'x' }, spec });
    expect(body).toMatchObject({
      apiVersion: 'autoscaling/v1',
      metadata: { labels: { seen: 'v2', sent: 'v1', metrics: '1' } },
      spec: { targetCPUUtilizationPercentage: 50 },
    });
  });

  it('change custom resources, which get their defaults and are validated', async () => {
    const { openAPIV3Schema } = cronTabSchema;
    const size = {
      type: 'object',
      properties: { width: { type: 'integer' }, height: { type: 'integer', default: 4 } },
    };
    const spec = {
      ...openAPIV3Schema.properties.spec.properties,
      size,
      tags: { type: 'array', items: { type: 'string' } },
    };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } } };
    const path = await defineCronTabs(api, {
      group: 'mutated.example.com',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    });
    const rule = ruleFor(['crontabs'], { apiGroups: ['mutated.example.com'] });
    await addPolicy(
      api,
      { name: 'custom', namespace: 'default' },
      {
        rules: [rule],
        mutations: [
          apply('Object{spec: Object.spec{size: Object.spec.size{width: 3}}}'),
          jsonPatch('[JSONPatch{op: "add", path: "/spec/s", value: string(object.spec.size.height)}]'),
        ],
      },
    );
    const { body } = await api.post(path, cronTab('mutated.example.com', 'a', { spec: { n: 1 } }));
    expect(body.spec).toEqual({ n: 1, size: { width: 3, height: 4 }, s: '4' });
    await addPolicy(
      api,
      { name: 'custom-invalid', namespace: 'default' },
      {
        rules: [rule],
        mutations: [jsonPatch('[JSONPatch{op: "add", path: "/spec/n", value: 99}]')],
      },
    );
    const refused = await api.post(path, cronTab('mutated.example.com', 'b', { spec: { n: 1 } }));
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain('spec.n in body should be less than or equal to 10');
  });

  it('change server-side applied objects without owning what they set', async () => {
    await bindPolicy(api, 'applied', {
      rules: [ruleFor(['configmaps'], { operations: ['CREATE', 'UPDATE'] })],
      mutations: [apply('Object{metadata: Object.metadata{labels: {"set": "yes"}}}')],
    });
    const path = '/api/v1/namespaces/applied/configmaps/a?fieldManager=me';
    const sent = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const { status, body } = await api.call('PATCH', path, { body: sent, headers });
    expect(status).toBe(201);
    expect(body.metadata.labels).toEqual({ set: 'yes' });
    const owned = body.metadata.managedFields.map(({ manager, fieldsV1 }: Record<string, unknown>) => ({
      manager,
      fieldsV1,
    }));
    expect(owned).toContainEqual({ manager: 'me', fieldsV1: { 'f:data': { 'f:k': {} } } });
  });

  it('leave the configuration of admission alone', async () => {
    const everything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
    await addPolicy(
      api,
      { name: 'everything', namespace: 'none' },
      {
        rules: [{ ...everything, resources: ['*'] }],
        mutations: [apply('Object{metadata: Object.metadata{labels: {"touched": "yes"}}}')],
        binding: { matchResources: { resourceRules: [{ ...everything, operations: ['CREATE'] }] } },
      },
    );
    const role = await api.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'touched' } });
    expect(role.body.metadata.labels).toEqual({ touched: 'yes' });
    const binding = await api.post('/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings', {
      metadata: { name: 'untouched' },
      spec: { policyName: 'none' },
    });
    expect(binding.body.metadata.labels).toBeUndefined();
    await api.delete('/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings/everything');
  });
});
