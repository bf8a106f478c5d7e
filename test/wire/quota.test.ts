import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
});
afterAll(() => api.stop());

let count = 0;

/** Creates a namespace with a quota that may already be partly used. */
async function limited(hard: Record<string, string>, used: Record<string, string> = {}, spec = {}): Promise<string> {
  const name = `limited-${++count}`;
  await api.post('/api/v1/namespaces', { metadata: { name } });
  await addQuota(name, 'q', { hard, used, spec });
  return `/api/v1/namespaces/${name}`;
}

async function addQuota(
  namespace: string,
  name: string,
  { hard, used = {}, spec = {} }: { hard: Record<string, string>; used?: Record<string, string>; spec?: object },
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const { body } = await api.post(path, { metadata: { name }, spec: { hard, ...spec } });
  const nothing = Object.fromEntries(Object.keys(hard).map((limit) => [limit, '0']));
  const { status } = await api.put(`${path}/${name}/status`, {
    ...body,
    status: { hard, used: { ...nothing, ...used } },
  });
  expect(status).toBe(200);
}

const used = async (namespace: string, name = 'q'): Promise<Record<string, string>> =>
  (await api.get(`${namespace}/resourcequotas/${name}`)).body.status.used;

const pod = (namespace: string, name: string, resources: object = {}, spec: object = {}): Promise<ApiResponse> =>
  api.post(`${namespace}/pods`, {
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'example.com/c:1', resources }], ...spec },
  });

describe('pods', () => {
  it('must state their resources', async () => {
    const namespace = await limited({ pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' });
    expect((await pod(namespace, 'a')).body).toMatchObject({
      code: 403,
      message: 'pods "a" is forbidden: failed quota: q: must specify limits.memory for: c; requests.cpu for: c',
    });
  });

  it('are charged, and rejected when the quota is exceeded', async () => {
    const namespace = await limited({ pods: '1', 'requests.cpu': '1', 'limits.memory': '1Gi' });
    const resources = (cpu: string) => ({ requests: { cpu }, limits: { memory: '64Mi' } });
    expect((await pod(namespace, 'a', resources('2'))).body.message).toBe(
      'pods "a" is forbidden: exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=0, limited: requests.cpu=1',
    );
    expect((await pod(namespace, 'a', resources('500m'))).status).toBe(200);
    expect(await used(namespace)).toEqual({ 'limits.memory': '64Mi', pods: '1', 'requests.cpu': '500m' });
    expect((await pod(namespace, 'b', resources('600m'))).body.message).toBe(
      'pods "b" is forbidden: exceeded quota: q, requested: pods=1,requests.cpu=600m, used: pods=1,requests.cpu=500m, limited: pods=1,requests.cpu=1',
    );
  });

  it('take nothing in a dry run', async () => {
    const namespace = await limited({ pods: '1' });
    const path = `${namespace}/pods?dryRun=All`;
    const body = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] } };
    expect((await api.post(path, body)).status).toBe(200);
    expect(await used(namespace)).toEqual({ pods: '0' });
    await pod(namespace, 'b');
    expect((await api.post(path, body)).status).toBe(403);
  });

  it('count in their scope', async () => {
    const namespace = await limited({ pods: '0' }, {}, { scopes: ['BestEffort'] });
    expect((await pod(namespace, 'a', { requests: { cpu: '1' } })).status).toBe(200);
    expect((await pod(namespace, 'b')).status).toBe(403);
  });

  it('are charged in the scope that a change brings them into', async () => {
    const namespace = await limited({ pods: '1' }, {}, { scopes: ['Terminating'] });
    await addQuota(namespace.slice(namespace.lastIndexOf('/') + 1), 'lasting', {
      hard: { pods: '5' },
      spec: { scopes: ['NotTerminating'] },
    });
    for (const name of ['a', 'b']) expect((await pod(namespace, name)).status).toBe(200);
    const change = (name: string, body: object) => api.patch(`${namespace}/pods/${name}`, body);
    expect((await change('a', { metadata: { labels: { x: 'y' } } })).status).toBe(200);
    expect(await used(namespace)).toEqual({ pods: '0' });
    expect((await change('a', { spec: { activeDeadlineSeconds: 60 } })).status).toBe(200);
    expect(await used(namespace)).toEqual({ pods: '1' });
    // The earlier usage is released when the controller counts again, because the change could still have failed.
    expect(await used(namespace, 'lasting')).toEqual({ pods: '2' });
    expect((await change('a', { spec: { activeDeadlineSeconds: 30 } })).status).toBe(200);
    expect((await change('b', { spec: { activeDeadlineSeconds: 60 } })).body).toMatchObject({
      code: 403,
      message: 'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    });
  });

  it('take from all quotas or from none', async () => {
    const namespace = await limited({ pods: '5' });
    await addQuota(namespace.split('/').at(-1)!, 'r', { hard: { pods: '3' } });
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => pod(namespace, `p${index}`)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect([await used(namespace), await used(namespace, 'r')]).toEqual([{ pods: '3' }, { pods: '3' }]);
  });
});

describe('a quota without a status', () => {
  it('limits nothing', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'unwritten' } });
    const namespace = '/api/v1/namespaces/unwritten';
    await api.post(`${namespace}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard: { pods: '0' } } });
    expect((await pod(namespace, 'a')).status).toBe(200);
  });

  it('refuses what it cannot count', async () => {
    const namespace = await limited({ pods: '5' });
    const { body } = await api.get(`${namespace}/resourcequotas/q`);
    await api.put(`${namespace}/resourcequotas/q/status`, { ...body, status: { hard: { pods: '5' } } });
    expect((await pod(namespace, 'a')).body.message).toBe(
      'pods "a" is forbidden: status unknown for quota: q, resources: pods',
    );
  });
});

describe('other kinds', () => {
  it.each([
    ['/api/v1', 'configmaps', 'configmaps'],
    ['/api/v1', 'secrets', 'count/secrets'],
    ['/apis/coordination.k8s.io/v1', 'leases', 'count/leases.coordination.k8s.io'],
  ])('count: %s %s as %s', async (root, resource, limit) => {
    const namespace = await limited({ [limit]: '1' });
    const path = `${root}${namespace.slice('/api/v1'.length)}/${resource}`;
    expect((await api.post(path, { metadata: { name: 'a' } })).status).toBe(200);
    expect((await api.post(path, { metadata: { name: 'b' } })).body.message).toContain(
      `"b" is forbidden: exceeded quota: q, requested: ${limit}=1, used: ${limit}=1, limited: ${limit}=1`,
    );
  });

  it('do not count events', async () => {
    const namespace = await limited({ 'count/events': '0' });
    const name = namespace.split('/').at(-1);
    const event = { metadata: { name: 'e' }, involvedObject: { namespace: name } };
    expect((await api.post(`${namespace}/events`, event)).status).toBe(200);
  });

  it('count node ports, also of a service that changes', async () => {
    const namespace = await limited({ 'services.nodeports': '1', services: '5' });
    const path = `${namespace}/services`;
    const two = {
      type: 'NodePort',
      ports: [
        { port: 1, name: 'a' },
        { port: 2, name: 'b' },
      ],
    };
    expect((await api.post(path, { metadata: { name: 's' }, spec: two })).status).toBe(403);
    await api.post(path, { metadata: { name: 's' }, spec: { ports: [{ port: 1 }] } });
    expect(await used(namespace)).toEqual({ services: '1', 'services.nodeports': '0' });
    expect((await api.patch(`${path}/s`, { spec: { type: 'NodePort' } })).status).toBe(200);
    expect(await used(namespace)).toEqual({ services: '1', 'services.nodeports': '1' });
    // The usage is released when the controller counts again, because the change could still have failed when it was
    // charged.
    expect((await api.patch(`${path}/s`, { spec: { type: 'ClusterIP' } })).status).toBe(200);
    expect(await used(namespace)).toEqual({ services: '1', 'services.nodeports': '1' });
  });

  it('count the storage of claims by class', async () => {
    const byClass = 'fast.storageclass.storage.k8s.io/requests.storage';
    const namespace = await limited({ 'requests.storage': '10Gi', [byClass]: '2Gi' });
    const claim = (name: string, storage: string, storageClassName: string): Promise<ApiResponse> =>
      api.post(`${namespace}/persistentvolumeclaims`, {
        metadata: { name },
        spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
      });
    expect((await claim('a', '3Gi', 'fast')).status).toBe(403);
    expect((await claim('a', '3Gi', 'slow')).status).toBe(200);
    expect((await claim('b', '2Gi', 'fast')).status).toBe(200);
    expect(await used(namespace)).toEqual({ [byClass]: '2Gi', 'requests.storage': '5Gi' });
  });
});

it('is never exceeded by concurrent requests', async () => {
  // With this storage, writes take some time, so that concurrent requests conflict.
  const slow = await TestApi.start({ storage: 'embedded' });
  onTestFinished(() => slow.stop());
  const quotas = '/api/v1/namespaces/default/resourcequotas';
  const hard = { pods: '5' };
  const { body } = await slow.post(quotas, { metadata: { name: 'q' }, spec: { hard } });
  await slow.put(`${quotas}/q/status`, { ...body, status: { hard, used: { pods: '0' } } });
  const spec = { containers: [{ name: 'c', image: 'example.com/c:1' }] };
  const path = '/api/v1/namespaces/default/pods';
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => slow.post(path, { metadata: { name: `p${index}` }, spec })),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(responses.filter(({ status }) => status === 403)).toHaveLength(35);
  expect((await slow.get(`${quotas}/q`)).body.status.used).toEqual({ pods: '5' });
  expect((await slow.get(path)).body.items).toHaveLength(5);
});
