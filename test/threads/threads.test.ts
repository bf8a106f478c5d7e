import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { startServer } from '../../src/index.ts';
import { threadsReady } from '../shared-store/start-tested-server.ts';
import type { TestApi } from '../wire/api.ts';
import { widgetDefinition } from '../wire/custom-types.ts';
import { as, forUser, heldCreate, levelRow, levels, limited, schemas } from '../wire/flow-control.ts';
import { ScrapedMetrics } from '../wire/scraped-metrics.ts';
import { ThreadedServer } from './threaded-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const somebody = { headers: { 'impersonate-user': 'somebody' } };

let threaded: ThreadedServer;
let clients: readonly TestApi[];
let first: TestApi;
let auditLog: string;

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'keelson-threads-'));
  auditLog = join(directory, 'audit.log');
  const auditPolicyFile = join(directory, 'policy.yaml');
  await writeFile(auditPolicyFile, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n');
  threaded = await ThreadedServer.start({
    controllers: ['namespace-controller'],
    console: true,
    auditPolicyFile,
    auditLogPath: auditLog,
    auditLogMode: 'blocking-strict',
  });
  clients = threaded.clients(8);
  first = clients[0]!;
  return async () => {
    await threaded.stop();
    await rm(directory, { recursive: true });
  };
});

const statuses = (call: (client: TestApi, index: number) => Promise<{ status: number }>) =>
  Promise.all(clients.map(async (client, index) => (await call(client, index)).status));
const all = (status: number): number[] => clients.map(() => status);

it('permissions that any thread has changed hold in every thread', async () => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const bindings = `${rbac}/rolebindings`;
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
  expect((await first.post(`${rbac}/roles`, { metadata: { name: 'r' }, rules })).status).toBe(200);
  for (const client of clients) {
    expect(await statuses((api) => api.get(configMaps, somebody))).toEqual(all(403));
    const bound = await client.post(bindings, {
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'somebody' }],
    });
    expect(bound.status).toBe(200);
    expect(await statuses((api) => api.get(configMaps, somebody))).toEqual(all(200));
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
  expect(await statuses((api, index) => api.post(widgets, widget(`w${index}`)))).toEqual(all(200));
  for (const client of clients) expect((await client.get(widgets)).body.items).toHaveLength(clients.length);
});

it('all threads together admit no more than a quota allows', async () => {
  const quotas = '/api/v1/namespaces/limited/resourcequotas';
  await first.post('/api/v1/namespaces', { metadata: { name: 'limited' } });
  const { body: quota } = await first.post(quotas, { metadata: { name: 'q' }, spec: { hard: { configmaps: '3' } } });
  const status = { hard: { configmaps: '3' }, used: { configmaps: '0' } };
  expect((await clients[1]!.put(`${quotas}/q/status`, { ...quota, status })).status).toBe(200);
  const created = await statuses((api, index) =>
    api.post('/api/v1/namespaces/limited/configmaps', { metadata: { name: `c${index}` } }),
  );
  expect(created.filter((one) => one === 200)).toHaveLength(3);
});

it('who has signed in to the console by one thread has a session in all, until it ends in one', async () => {
  const headers = { 'x-keelson-console': 'sign-in' };
  const link = await clients[1]!.post('/console/links', {});
  const token = link.body.path.split('=')[1];
  const answers = await Promise.all(
    clients.map((api) => api.post('/console/session', { token }, { credentials: false, headers })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...all(401).slice(1)]);
  const { headers: set, body } = answers.find(({ status }) => status === 200)!;
  const session = { cookie: set['set-cookie']![0]!.split(';')[0]!, 'x-keelson-console': body.proof };
  const call = { credentials: false, headers: session };
  expect(await statuses((api) => api.get(configMaps, call))).toEqual(all(200));
  expect((await clients[2]!.call('DELETE', '/console/session', call)).status).toBe(200);
  expect(await statuses((api) => api.get(configMaps, call))).toEqual(all(401));
});

it('any thread knows the last audit events of all', async () => {
  for (const [index, api] of clients.entries()) await api.get(`${configMaps}/heard-${index}`);
  for (const api of clients) {
    const { items } = (await api.get('/keelson/audit?limit=500')).body;
    const heard = items.filter(
      ({ requestURI, stage }: { requestURI: string; stage: string }) =>
        requestURI.includes('/heard-') && stage === 'ResponseComplete',
    );
    expect(heard).toHaveLength(clients.length);
  }
});

it('all threads share the seats of a priority level, and any of them shows those of all', async () => {
  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }];
  await first.post(bindings, { metadata: { name: 'jane' }, roleRef, subjects });
  // One of 246 shares: three of the 600 seats.
  const queuing = { queues: 1, handSize: 1, queueLengthLimit: 1 };
  await first.post(levels, { metadata: { name: 'narrow' }, spec: limited(1, queuing) });
  await first.post(schemas, { metadata: { name: 'narrow' }, spec: forUser('jane', 'narrow') });
  const shown = (api: TestApi, row: object) => expect.poll(() => levelRow(api, 'narrow')).toMatchObject(row);
  const held = ['a', 'b', 'c'].map((name) => heldCreate(first, 'jane', `held-${name}`));
  await shown(first, { ExecutingRequests: '3', WaitingRequests: '0' });
  const waiting = clients[1]!.get(configMaps, as('jane'));
  for (const api of clients) await shown(api, { ExecutingRequests: '3', WaitingRequests: '1' });
  const others = clients.filter((api) => api !== clients[1]);
  const refused = await Promise.all(others.map(async (api) => (await api.get(configMaps, as('jane'))).status));
  expect(refused).toEqual(others.map(() => 429));
  for (const { finish } of held) finish();
  expect(await Promise.all(held.map(({ status }) => status))).toEqual([200, 200, 200]);
  expect((await waiting).status).toBe(200);
  await shown(first, { IsIdle: 'true', DispatchedRequests: '4', RejectedRequests: String(others.length) });
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

it('a watch is told what all threads write, in one order', async () => {
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
    const told: number[] = [];
    while (told.length < 40) told.push(Number((await watch.next())!.object.metadata.resourceVersion));
    expect(told).toEqual(versions);
  }
  const { watches: open } = (await first.get('/keelson/status')).body.requests;
  expect(open).toBeGreaterThanOrEqual(clients.length);
  for (const watch of watches) watch.close();
});

it('numbers, the status and the audit log are those of all threads', async () => {
  await first.post('/api/v1/namespaces', { metadata: { name: 'counted' } });
  const path = '/api/v1/namespaces/counted/secrets';
  expect(await statuses((api, index) => api.post(path, { metadata: { name: `s${index}` } }))).toEqual(all(200));
  for (const client of clients) {
    const metrics = await ScrapedMetrics.of(client);
    const labels = { verb: 'POST', resource: 'secrets' };
    expect(metrics.value('apiserver_request_total', labels)).toBe(clients.length);
    expect(metrics.value('apiserver_request_duration_seconds_count', labels)).toBe(clients.length);
    expect(metrics.value('apiserver_resource_objects', { resource: 'secrets' })).toBe(clients.length);
    // The sums over two threads would be twice as much.
    expect(metrics.value('apiserver_flowcontrol_nominal_limit_seats', { priority_level: 'catch-all' })).toBe(13);
    expect(metrics.value('process_start_time_seconds')).toBeLessThan((1.5 * Date.now()) / 1000);
    expect((await client.get('/keelson/status')).body).toMatchObject({ threads: threaded.threads });
  }
  const lines = (await readFile(auditLog, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const complete = lines.filter(({ stage, requestURI }) => stage === 'ResponseComplete' && requestURI === path);
  expect(complete).toHaveLength(clients.length);
  // Blocking: a line is in the file before the response is sent.
  expect(new Set(complete.map(({ auditID }) => auditID)).size).toBe(clients.length);
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

it('a port that something else listens on is an error', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen({ host: '127.0.0.1', port: 0, reusePort: true }, resolve));
  const { port } = other.address() as AddressInfo;
  const started = startServer({ storage: 'memory', threads: 2, securePort: port });
  await expect(started).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => other.close(resolve));
});
