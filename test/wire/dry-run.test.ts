import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';
const services = '/api/v1/namespaces/default/services';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';

let api: TestApi;
beforeAll(async () => {
  // The ranges are small, so that lost addresses and ports are noticed.
  api = await TestApi.start({ serviceClusterIpRange: '10.9.0.0/28', serviceNodePortRange: '30000-30001' });
});
afterAll(() => api.stop());

const configMap = (name: string, metadata: object = {}) => ({ metadata: { name, ...metadata }, data: { a: '1' } });
const pod = (name: string) => ({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] } });
const service = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
const deployment = (name: string) => ({
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod(name).spec },
  },
});

const names = ({ body }: ApiResponse): string[] =>
  body.items.map((item: { metadata: { name: string } }) => item.metadata.name);

/** Returns the version of the whole store, which grows with every write. */
const version = async (): Promise<string> =>
  (await api.get('/api/v1/namespaces/none/secrets')).body.metadata.resourceVersion;

/** A request, the objects that must exist before, and the expected status. */
interface Case {
  readonly prepare?: () => Promise<unknown>;
  readonly send: () => Promise<ApiResponse>;
  readonly status?: number;
}

const dry = (path: string) => `${path}?dryRun=All`;

const cases: Record<string, Case> = {
  'a create': { send: () => api.post(dry(configMaps), configMap('new')) },
  'a create with a made-up name': { send: () => api.post(dry(configMaps), { metadata: { generateName: 'new-' } }) },
  'a create of a namespace': { send: () => api.post(dry('/api/v1/namespaces'), { metadata: { name: 'new' } }) },
  'a create of what exists': {
    prepare: () => api.post(configMaps, configMap('taken')),
    send: () => api.post(dry(configMaps), configMap('taken')),
    status: 409,
  },
  'a create of what is invalid': { send: () => api.post(dry(configMaps), configMap('Bad')), status: 422 },
  'a create where there is no namespace': {
    send: () => api.post(dry('/api/v1/namespaces/none/configmaps'), configMap('a')),
    status: 404,
  },
  'an update': {
    prepare: () => api.post(configMaps, configMap('updated')),
    send: () => api.put(dry(`${configMaps}/updated`), { metadata: { name: 'updated' }, data: { b: '2' } }),
  },
  'an update of what is absent': { send: () => api.put(dry(`${configMaps}/absent`), configMap('absent')), status: 201 },
  'an update with a stale version': {
    prepare: () => api.post(configMaps, configMap('stale')),
    send: () => api.put(dry(`${configMaps}/stale`), configMap('stale', { resourceVersion: '1' })),
    status: 409,
  },
  'a patch': {
    prepare: () => api.post(configMaps, configMap('patched')),
    send: () => api.patch(dry(`${configMaps}/patched`), { data: { b: '2' } }),
  },
  'a patch with a stale version': {
    prepare: () => api.post(configMaps, configMap('stale-patch')),
    send: () => api.patch(dry(`${configMaps}/stale-patch`), { metadata: { resourceVersion: '1' } }),
    status: 409,
  },
  'a patch of the status': {
    prepare: () => api.post(pods, pod('status')),
    send: () => api.patch(dry(`${pods}/status/status`), { status: { phase: 'Running' } }),
  },
  'a change of the scale': {
    prepare: () => api.post(deployments, deployment('scaled')),
    send: () => api.patch(dry(`${deployments}/scaled/scale`), { spec: { replicas: 5 } }),
  },
  'a binding': {
    prepare: () => api.post(pods, pod('bound')),
    send: () =>
      api.post(dry(`${pods}/bound/binding`), { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'n' } }),
  },
  'a delete': {
    prepare: () => api.post(configMaps, configMap('deleted')),
    send: () => api.delete(dry(`${configMaps}/deleted`)),
  },
  'a delete of what has a finalizer': {
    prepare: () => api.post(configMaps, configMap('held', { finalizers: ['example.com/a'] })),
    send: () => api.delete(dry(`${configMaps}/held`)),
  },
  'a delete of a namespace': {
    prepare: () => api.post('/api/v1/namespaces', { metadata: { name: 'kept' } }),
    send: () => api.delete(dry('/api/v1/namespaces/kept')),
  },
  'a delete of everything': {
    prepare: () => api.post(configMaps, configMap('collected')),
    send: () => api.delete(dry(configMaps)),
  },
  'a release of the last finalizer': {
    async prepare() {
      await api.post(configMaps, configMap('released', { finalizers: ['example.com/a'] }));
      await api.delete(`${configMaps}/released`);
    },
    send: () => api.patch(dry(`${configMaps}/released`), { metadata: { finalizers: null } }),
  },
};

describe('a dry run', () => {
  it.each(Object.entries(cases))('stores nothing: %s', async (_title, { prepare, send, status = 200 }) => {
    await prepare?.();
    const before = await version();
    const watch = await api.watch(`/api/v1/configmaps?watch=1&resourceVersion=${before}`);
    const everything = (await api.get('/api/v1/configmaps')).body.items;
    expect((await send()).status).toBe(status);
    expect(await version()).toBe(before);
    expect((await api.get('/api/v1/configmaps')).body.items).toEqual(everything);
    await api.post(configMaps, { metadata: { name: `after-${before}` } });
    expect(await watch.take(1)).toEqual([`ADDED after-${before}`]);
    watch.close();
  });

  it('responds like the request itself', async () => {
    const { body } = await api.post(dry(configMaps), { metadata: { generateName: 'made-' } });
    expect(body.metadata.name).toMatch(/^made-[a-z0-9]{5}$/);
    expect(body.metadata.uid).toBeDefined();
    await api.post(configMaps, configMap('shown'));
    const stored = (await api.get(`${configMaps}/shown`)).body;
    const patched = await api.patch(dry(`${configMaps}/shown`), { data: { b: '2' } });
    const { managedFields } = patched.body.metadata;
    expect(managedFields[0].fieldsV1['f:data']).toEqual({ '.': {}, 'f:a': {}, 'f:b': {} });
    expect(patched.body).toEqual({
      ...stored,
      metadata: { ...stored.metadata, managedFields },
      data: { a: '1', b: '2' },
    });
    const counted = await api.post(deployments, deployment('counted'));
    expect(counted.body.metadata.generation).toBe(1);
    const scaled = await api.patch(dry(`${deployments}/counted`), { spec: { replicas: 3 } });
    expect(scaled.body.metadata.generation).toBe(2);
    expect((await api.get(`${deployments}/counted`)).body).toEqual(counted.body);
  });
});

describe('the addresses and ports of services', () => {
  const external = { type: 'ExternalName', externalName: 'a.example' };
  const onNodes = { type: 'NodePort' };

  it('are not spent by dry runs', async () => {
    await api.post(services, service('kept'));
    await api.post(services, service('bare', external));
    const taken = names(await api.get(addresses));
    for (let round = 0; round < 15; round++) {
      const sent = [
        await api.post(dry(services), service('new', onNodes)),
        await api.put(dry(`${services}/absent`), service('absent', onNodes)),
        await api.patch(dry(`${services}/kept`), { spec: onNodes }),
        await api.patch(dry(`${services}/bare`), { spec: { type: 'ClusterIP', externalName: null } }),
        await api.put(dry(`${services}/bare`), service('bare', onNodes)),
        await api.patch(dry(`${services}/kept`), { spec: { ...external, clusterIP: null, clusterIPs: null } }),
        await api.delete(dry(`${services}/kept`)),
        await api.delete(dry(services)),
      ];
      expect(sent.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200, 200, 200, 200]);
    }
    expect(names(await api.get(addresses))).toEqual(taken);
    expect(names(await api.get(services))).toEqual(['bare', 'kept', 'kubernetes']);
    for (const name of ['first', 'second']) expect((await api.post(services, service(name, onNodes))).status).toBe(200);
  });

  it('are still taken after a dry delete gave them back', async () => {
    const { clusterIP } = (await api.get(`${services}/kept`)).body.spec;
    await api.delete(dry(`${services}/kept`));
    expect((await api.post(services, service('thief', { clusterIP }))).status).toBe(422);
  });
});

describe('a quota', () => {
  const namespace = '/api/v1/namespaces/counted';

  it('is enforced in dry runs, which use nothing of it', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'counted' } });
    const hard = { pods: '1', 'services.nodeports': '1', services: '3' };
    const quota = await api.post(`${namespace}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } });
    const used = { pods: '0', 'services.nodeports': '0', services: '0' };
    await api.put(`${namespace}/resourcequotas/q/status`, { ...quota.body, status: { hard, used } });
    const inUse = async () => (await api.get(`${namespace}/resourcequotas/q`)).body.status.used;
    await api.post(`${namespace}/services`, service('plain', { clusterIP: 'None' }));
    const before = await inUse();
    for (let round = 0; round < 3; round++) {
      expect((await api.post(dry(`${namespace}/pods`), pod('a'))).status).toBe(200);
      expect((await api.delete(dry(`${namespace}/services/plain`))).status).toBe(200);
    }
    expect(await inUse()).toEqual(before);
    await api.post(`${namespace}/pods`, pod('a'));
    expect((await api.post(dry(`${namespace}/pods`), pod('b'))).status).toBe(403);
  });
});

describe('an explanation of admission', () => {
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const claim = {
    metadata: { name: 'explained' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  it.each([
    [
      'a dry run that asks for it',
      '?dryRun=All',
      { 'keelson-explain-admission': 'true' },
      'StorageObjectInUseProtection',
    ],
    ['no other dry run', '?dryRun=All', {}, undefined],
    ['nobody else', '', { 'keelson-explain-admission': 'true' }, undefined],
  ])('is for %s', async (_, query, headers, plugin) => {
    const response = await api.post(claims + query, claim, { headers });
    expect(response.status).toBe(200);
    const shown = response.headers['keelson-admission'];
    expect(shown === undefined ? shown : JSON.parse(`[${shown}]`)[0].plugin).toBe(plugin);
  });
});
