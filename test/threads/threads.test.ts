import { type AddressInfo, createServer } from 'node:net';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { startServer } from '../../src/index.ts';
import { threadsReady } from '../shared-store/start-tested-server.ts';
import { gates } from '../shared-store/told-versions.ts';
import type { TestApi } from '../wire/api.ts';
import { widgetDefinition } from '../wire/custom-types.ts';
import { statusesOf, ThreadedServer } from './threaded-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const somebody = { headers: { 'impersonate-user': 'somebody' } };

let threaded: ThreadedServer;
let clients: readonly TestApi[];
let first: TestApi;

beforeAll(async () => {
  threaded = await ThreadedServer.start({ controllers: ['namespace-controller'] });
  clients = threaded.clients(8);
  first = clients[0]!;
  return () => threaded.stop();
});

const all = (status: number): number[] => clients.map(() => status);

it('permissions that any thread has changed hold in every thread', async () => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const bindings = `${rbac}/rolebindings`;
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
  expect((await first.post(`${rbac}/roles`, { metadata: { name: 'r' }, rules })).status).toBe(200);
  for (const client of clients) {
    expect(await statusesOf(clients, (api) => api.get(configMaps, somebody))).toEqual(all(403));
    const bound = await client.post(bindings, {
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'somebody' }],
    });
    expect(bound.status).toBe(200);
    expect(await statusesOf(clients, (api) => api.get(configMaps, somebody))).toEqual(all(200));
    expect((await client.delete(`${bindings}/b`)).status).toBe(200);
  }
});

it('a type that one thread shows to be established is served by all', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  expect((await first.post(definitions, widgetDefinition)).status).toBe(200);
  const conditions = async (): Promise<{ type: string; status: string }[]> =>
    (await clients[1]!.get(`${definitions}/widgets.example.com`)).body.status?.conditions ?? [];
  const established = expect.objectContaining({ type: 'Established', status: 'True' });
  await vi.waitFor(async () => expect(await conditions()).toContainEqual(established));
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  const widget = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } });
  expect(await statusesOf(clients, (api, index) => api.post(widgets, widget(`w${index}`)))).toEqual(all(200));
  for (const client of clients) expect((await client.get(widgets)).body.items).toHaveLength(clients.length);
});

it('all threads together admit no more than a quota allows', async () => {
  const quotas = '/api/v1/namespaces/limited/resourcequotas';
  await first.post('/api/v1/namespaces', { metadata: { name: 'limited' } });
  const { body: quota } = await first.post(quotas, { metadata: { name: 'q' }, spec: { hard: { configmaps: '3' } } });
  const status = { hard: { configmaps: '3' }, used: { configmaps: '0' } };
  expect((await clients[1]!.put(`${quotas}/q/status`, { ...quota, status })).status).toBe(200);
  const created = await statusesOf(clients, (api, index) =>
    api.post('/api/v1/namespaces/limited/configmaps', { metadata: { name: `c${index}` } }),
  );
  expect(created.filter((one) => one === 200)).toHaveLength(3);
});

it('services of all threads have addresses and ports of their own', async () => {
  const services = '/api/v1/namespaces/default/services';
  const created = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      clients[index % clients.length]!.post(services, {
        metadata: { name: `s${index}` },
        spec: { type: 'NodePort', ports: [{ port: 80 }] },
      }),
    ),
  );
  expect(created.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
  expect(new Set(created.map(({ body }) => body.spec.clusterIP)).size).toBe(40);
  expect(new Set(created.map(({ body }) => body.spec.ports[0].nodePort)).size).toBe(40);
});

it('nothing is left in a namespace that is deleted while all threads create in it', async () => {
  await first.post('/api/v1/namespaces', { metadata: { name: 'ending' } });
  const refused = Promise.all(
    clients.map(async (client, index) => {
      for (let count = 0; ; count++) {
        const metadata = { name: `o-${index}-${count}` };
        const { status } = await client.post('/api/v1/namespaces/ending/configmaps', { metadata });
        if (status !== 200) return status;
      }
    }),
  );
  expect((await first.delete('/api/v1/namespaces/ending')).status).toBe(200);
  for (const status of await refused) expect([403, 404]).toContain(status);
  await vi.waitFor(async () => expect((await first.get('/api/v1/namespaces/ending')).status).toBe(404));
  for (const client of clients) {
    const { body } = await client.get('/api/v1/configmaps');
    const namespaces = body.items.map(({ metadata }: { metadata: { namespace: string } }) => metadata.namespace);
    expect(namespaces).not.toContain('ending');
  }
});

it('a watch receives the writes of all threads in one order', async () => {
  await first.post('/api/v1/namespaces', { metadata: { name: 'watched' } });
  const path = '/api/v1/namespaces/watched/configmaps';
  const watches = await Promise.all(clients.map((client) => client.watch(`${path}?watch=true`)));
  const created = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      clients[index % clients.length]!.post(path, { metadata: { name: `c${index}` } }),
    ),
  );
  const versions = created.map(({ body }) => Number(body.metadata.resourceVersion)).sort((a, b) => a - b);
  for (const watch of watches) {
    const received: number[] = [];
    while (received.length < 40) received.push(Number((await watch.next())!.object.metadata.resourceVersion));
    expect(received).toEqual(versions);
  }
  // Threads that do not respond within two seconds are left out, so the test retries.
  await vi.waitFor(async () => {
    const { watches: open } = (await first.get('/keelson/status')).body.requests;
    expect(open).toBeGreaterThanOrEqual(clients.length);
  });
  for (const watch of watches) watch.close();
});

it('a thread that ends takes its connections with it, is reported and comes back', async () => {
  const watches = await Promise.all(clients.map((client) => client.watch(`${configMaps}?watch=true`)));
  let ended = 0;
  for (const watch of watches) void watch.ended.then(() => ended++);
  const worker = threaded.workers.get('api-1')!;
  await worker.terminate();
  await vi.waitFor(() => expect(threaded.workers.get('api-1')).not.toBe(undefined));
  expect(threaded.workers.get('api-1')).not.toBe(worker);
  const message = 'a thread has ended and is started again';
  expect(threaded.errors).toContainEqual({ message, fields: expect.objectContaining({ thread: 1 }) });
  const again = threaded.clients(8);
  const names = again.map((_, index) => `again-${index}`);
  const created = await Promise.all(
    again.map((api, index) => api.post(configMaps, { metadata: { name: names[index] } })),
  );
  expect(created.map(({ status }) => status)).toEqual(again.map(() => 200));
  await threadsReady(threaded.server, threaded.threads);
  for (const client of threaded.clients(4)) {
    const { body } = await client.get(configMaps);
    const listed = body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(listed).toEqual(expect.arrayContaining(names));
  }
  expect(ended).toBeLessThan(watches.length);
  for (const watch of watches) watch.close();
});

it('all threads write when the server reports its storage versions', async () => {
  const publishing = await ThreadedServer.start({ ...gates, threads: 2 });
  onTestFinished(() => publishing.stop());
  const apis = publishing.clients(8);
  const created = await statusesOf(apis, (api, index) => api.post(configMaps, { metadata: { name: `c${index}` } }));
  expect(created).toEqual(all(200));
  const hook = '/readyz/poststarthook/built-in-resources-storage-version-updater';
  expect(await statusesOf(apis, (api) => api.get(hook))).toEqual(all(200));
});

it('every thread says that the addresses of services are repaired', async () => {
  const hook = '/readyz/poststarthook/start-service-ip-repair-controllers';
  expect(await statusesOf(clients, (api) => api.get(hook))).toEqual(all(200));
});

it('a port that something else listens on is an error', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen({ host: '127.0.0.1', port: 0, reusePort: true }, resolve));
  const { port } = other.address() as AddressInfo;
  const started = startServer({ storage: 'memory', threads: 2, securePort: port });
  await expect(started).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => other.close(resolve));
});
