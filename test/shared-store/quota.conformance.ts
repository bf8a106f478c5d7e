import { expect, it, vi } from 'vitest';
import { type NewStore, type SharedServer, startForSuite } from './shared-store.ts';

async function addQuota({ api }: SharedServer, namespace: string, hard: Record<string, string>): Promise<void> {
  await api.post('/api/v1/namespaces', { metadata: { name: namespace } });
  const path = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const { body } = await api.post(path, { metadata: { name: 'q' }, spec: { hard } });
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
  expect((await api.put(`${path}/q/status`, { ...body, status: { hard, used } })).status).toBe(200);
}

const usedOf = async ({ api }: SharedServer, namespace: string): Promise<Record<string, string>> =>
  (await api.get(`/api/v1/namespaces/${namespace}/resourcequotas/q`)).body.status.used;

interface Storm {
  readonly resource: string;
  readonly hard: Record<string, string>;
  readonly object: object;
  readonly most: number;
}

/** Tests for quotas on servers that share a store. */
export function describeQuotas(newStore: NewStore): void {
  const started = startForSuite(newStore, 2);

  it.each<Storm>([
    { resource: 'configmaps', hard: { configmaps: '7' }, object: {}, most: 7 },
    {
      resource: 'pods',
      hard: { pods: '20', 'requests.cpu': '1' },
      object: { spec: { containers: [{ name: 'c', image: 'c', resources: { requests: { cpu: '150m' } } }] } },
      most: 6,
    },
  ])('never admits more $resource than a quota allows, whichever server is used', async (tested) => {
    const { resource, hard, object, most } = tested;
    const { servers } = started();
    const namespace = `with-${resource}`;
    await addQuota(servers[0]!, namespace, hard);
    const path = `/api/v1/namespaces/${namespace}/${resource}`;
    // Both servers must know the quota, because a server that does not know it enforces nothing.
    for (const { api } of servers) await api.get(`/api/v1/namespaces/${namespace}/resourcequotas/q`);
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        servers[index % 2]!.api.post(path, { ...object, metadata: { name: `o${index}` } }),
      ),
    );
    const admitted = results.filter(({ status }) => status === 200);
    expect(admitted).toHaveLength(most);
    for (const { status, body } of results) if (status !== 200) expect(body.message).toMatch(/exceeded quota: q/);
    for (const server of servers) {
      expect((await server.api.get(path)).body.items).toHaveLength(most);
      const used = await usedOf(server, namespace);
      expect(used[resource]).toBe(String(most));
      if (used['requests.cpu'] !== undefined) expect(used['requests.cpu']).toBe('900m');
    }
  });

  it('releases charges of failed creates and of deleted objects', async () => {
    const store = await newStore();
    const servers = await store.startAll(2, () => ({ controllers: ['resourcequota-controller'] }));
    const [one, other] = servers as [SharedServer, SharedServer];
    await one.api.post('/api/v1/namespaces', { metadata: { name: 'n' } });
    await one.api.post('/api/v1/namespaces/n/resourcequotas', {
      metadata: { name: 'q' },
      spec: { hard: { 'count/secrets': '5' } },
    });
    await vi.waitFor(async () => expect(await usedOf(other, 'n')).toEqual({ 'count/secrets': '0' }));
    const path = '/api/v1/namespaces/n/secrets';
    const create = (name: string) => Promise.all(servers.map(({ api }) => api.post(path, { metadata: { name } })));
    expect((await one.api.post(path, { metadata: { name: 'other' } })).status).toBe(200);
    // The same name is created on both servers: both are charged, one is stored.
    const results = (await Promise.all(['a', 'b'].map(create))).flat();
    expect(results.filter(({ status }) => status === 200)).toHaveLength(2);
    expect((await one.api.delete(`${path}/other`)).status).toBe(200);
    // Any deletion makes the controller count again. Without one, it counts only every few minutes.
    await one.api.post(path, { metadata: { name: 'deleted' } });
    await one.api.delete(`${path}/deleted`);
    await vi.waitFor(async () => expect(await usedOf(one, 'n')).toEqual({ 'count/secrets': '2' }));
    await Promise.all([one.api.delete(`${path}/a`), other.api.delete(`${path}/b`)]);
    await vi.waitFor(async () => expect(await usedOf(one, 'n')).toEqual({ 'count/secrets': '0' }));
    // The other server does not reject creates because of its earlier usage data.
    const names = ['c', 'd', 'e', 'f', 'g'];
    const again = await Promise.all(names.map((name) => other.api.post(path, { metadata: { name } })));
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });
}
