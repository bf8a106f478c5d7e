import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] },
};

describe.each([
  [
    `${apps}/deployments`,
    { matchLabels: { app: 'x' }, matchExpressions: [{ key: 'z', operator: 'NotIn', values: ['b', 'a'] }] },
    'app=x,z notin (a,b)',
  ],
  [`${apps}/replicasets`, { matchLabels: { app: 'x' } }, 'app=x'],
  [`${apps}/statefulsets`, { matchLabels: { app: 'x' } }, 'app=x'],
  [`${core}/replicationcontrollers`, { app: 'x' }, 'app=x'],
])('scale of %s', (path, selector, text) => {
  const scale = `${path}/scaled/scale`;
  beforeAll(async () => {
    const spec = { replicas: 2, selector, template, serviceName: 's' };
    const { status } = await api.post(path, { metadata: { name: 'scaled' }, spec });
    expect(status).toBe(200);
  });

  it('shows the desired number of replicas', async () => {
    const { body } = await api.get(scale);
    expect(body).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: {
        name: 'scaled',
        namespace: 'default',
        uid: expect.any(String),
        resourceVersion: expect.any(String),
        creationTimestamp: expect.any(String),
      },
      spec: { replicas: 2 },
      status: { replicas: 0, selector: text },
    });
  });

  it('has columns of its own, unlike the status', async () => {
    const headers = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
    const names = async (url: string) =>
      (await api.get(url, { headers })).body.columnDefinitions.map(({ name }: { name: string }) => name);
    expect(await names(scale)).toEqual(['Name', 'Desired', 'Available', 'Age']);
    expect(await names(`${path}/scaled/status`)).toEqual(await names(`${path}/scaled`));
  });

  it('is written by PUT and PATCH, and counts as a change of the desired state', async () => {
    const before = (await api.get(`${path}/scaled`)).body;
    const put = await api.put(scale, { metadata: { name: 'scaled' }, spec: { replicas: 4 } });
    expect(put.status).toBe(200);
    expect(put.body.spec).toEqual({ replicas: 4 });
    const patched = await api.patch(scale, { spec: { replicas: 5 } });
    expect(patched.body.spec).toEqual({ replicas: 5 });
    const { body } = await api.get(`${path}/scaled`);
    expect(body.spec.replicas).toBe(5);
    expect(body.metadata.generation).toBe(before.metadata.generation + 2);
    expect(body.metadata.resourceVersion).toBe(patched.body.metadata.resourceVersion);
    // The object can be written as it was read, without a change.
    expect((await api.put(`${path}/scaled`, body)).body).toEqual(body);
  });

  it.each([
    [
      { metadata: { name: 'scaled' }, spec: { replicas: -1 } },
      422,
      /^Scale.autoscaling "scaled" is invalid: spec.replicas: /,
    ],
    [
      { metadata: { name: 'scaled', resourceVersion: '1' }, spec: { replicas: 1 } },
      409,
      /the object has been modified/,
    ],
    [{ metadata: { name: 'other' }, spec: { replicas: 1 } }, 400, /does not match the name on the URL/],
    [
      { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'scaled' } },
      400,
      /^Pod in version "v1" cannot be handled as a Scale/,
    ],
  ])('refuses %j', async (body, code, message) => {
    const response = await api.put(scale, body);
    expect(response.status).toBe(code);
    expect(response.body.message).toMatch(message);
  });

  it('does not exist for what does not exist', async () => {
    expect((await api.get(`${path}/absent/scale`)).status).toBe(404);
    expect((await api.patch(`${path}/absent/scale`, { spec: { replicas: 1 } })).status).toBe(404);
  });
});

describe('binding', () => {
  const pod = (name: string) => api.post(`${core}/pods`, { metadata: { name }, spec: template.spec });
  const target = { kind: 'Node', name: 'n1' };

  it.each([
    ['the pod', (name: string) => `${core}/pods/${name}/binding`],
    ['the collection', () => `${core}/bindings`],
  ])('binds a pod to a node, through %s', async (what, path) => {
    const name = what.replaceAll(' ', '-');
    await pod(name);
    const response = await api.post(path(name), { metadata: { name, labels: { bound: 'yes' } }, target });
    expect(response.body).toEqual({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 200 });
    const { body } = await api.get(`${core}/pods/${name}`);
    expect(body.spec.nodeName).toBe('n1');
    expect(body.metadata).toMatchObject({ labels: { bound: 'yes' }, generation: 1 });
    expect(body.status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
    const again = await api.post(path(name), { metadata: { name }, target });
    expect(again.status).toBe(409);
    expect(again.body.message).toContain(`pod ${name} is already assigned to node "n1"`);
  });

  it.each([
    ['another name', { metadata: { name: 'other' }, target }, 400, 'name in URL does not match name in Binding object'],
    [
      'no node',
      { metadata: { name: 'free' }, target: { kind: 'Pod', name: 'x' } },
      400,
      'target.kind: Unsupported value',
    ],
    ['no name', { metadata: { name: 'free' }, target: { kind: 'Node' } }, 400, 'target.name: Required value'],
    ['another pod', { metadata: { name: 'free', uid: 'x' }, target }, 409, 'UID in precondition: x'],
  ])('refuses %s', async (_what, body, code, message) => {
    await pod('free');
    const response = await api.post(`${core}/pods/free/binding`, body);
    expect(response.status).toBe(code);
    expect(response.body.message).toContain(message);
    expect((await api.get(`${core}/pods/free`)).body.spec.nodeName).toBeUndefined();
  });

  it('needs a pod', async () => {
    const response = await api.post(`${core}/pods/absent/binding`, { metadata: { name: 'absent' }, target });
    expect(response.body).toMatchObject({ code: 404, message: 'pods "absent" not found' });
  });
});

describe('a token', () => {
  const token = `${core}/serviceaccounts/robot/token`;
  beforeAll(() => api.post(`${core}/serviceaccounts`, { metadata: { name: 'robot' } }));

  it('says who it is for', async () => {
    const { body } = await api.post(token, { spec: {} });
    const audiences = ['https://kubernetes.default.svc.cluster.local'];
    expect(body).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'robot', namespace: 'default' },
      spec: { audiences, expirationSeconds: 3600, boundObjectRef: null },
    });
    const claims = JSON.parse(Buffer.from(body.status.token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ sub: 'system:serviceaccount:default:robot', aud: audiences, iss: audiences[0] });
    expect(claims.exp - claims.iat).toBe(3600);
    expect(Date.parse(body.status.expirationTimestamp)).toBe(claims.exp * 1000);
  });

  it.each([
    [{ spec: { expirationSeconds: 60 } }, 422, 'may not specify a duration less than 10 minutes'],
    [{ spec: { expirationSeconds: 2 ** 33 } }, 422, 'may not specify a duration larger than 2^32 seconds'],
    [{ metadata: { name: 'x' }, spec: {} }, 422, 'must match the service account name if specified'],
    [{ spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'absent' } } }, 404, 'pods "absent" not found'],
    [
      { spec: { boundObjectRef: { kind: 'X', apiVersion: 'v1', name: 'x' } } },
      400,
      'cannot bind token to object of type /v1, Kind=X',
    ],
  ])('is refused: %j', async (body, code, message) => {
    const response = await api.post(token, body);
    expect(response.status).toBe(code);
    expect(response.body.message).toContain(message);
  });

  it('needs an account', async () => {
    expect((await api.post(`${core}/serviceaccounts/absent/token`, { spec: {} })).status).toBe(404);
  });
});

describe('component statuses', () => {
  it('show the health of the store', async () => {
    const { body } = await api.get('/api/v1/componentstatuses?fieldSelector=metadata.name%3Detcd-0');
    expect(body.items).toEqual([
      { metadata: { name: 'etcd-0' }, conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }] },
    ]);
    expect((await api.get('/api/v1/componentstatuses/etcd-0')).body).toMatchObject({ kind: 'ComponentStatus' });
    expect((await api.get('/api/v1/componentstatuses')).body.items).toHaveLength(3);
  });

  it('are a list of a version', async () => {
    const { resourceVersion } = (await api.get('/api/v1/namespaces/default')).body.metadata;
    for (const accept of ['application/json', 'application/json;as=Table;g=meta.k8s.io;v=v1']) {
      const { body } = await api.get('/api/v1/componentstatuses', { headers: { accept } });
      expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
    }
    expect((await api.get('/api/v1/componentstatuses?resourceVersionMatch=Exact')).status).toBe(400);
  });

  it('are those that there are', async () => {
    const { status, body } = await api.get('/api/v1/componentstatuses/nope');
    expect(status).toBe(404);
    expect(body.message).toBe('componentstatus "nope" not found');
  });
});
