import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import type { TestApi } from '../wire/api.ts';
import { as, forUser, heldCreate, levelRow, levels, limited, schemas } from '../wire/flow-control.ts';
import { ScrapedMetrics } from '../wire/scraped-metrics.ts';
import { statusesOf, ThreadedServer } from './threaded-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

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
    console: true,
    auditPolicyFile,
    auditLogPath: auditLog,
    auditLogMode: 'blocking-strict',
    // A request waits in a queue for at most a quarter of this time.
    requestTimeoutMs: 600_000,
  });
  clients = threaded.clients(8);
  first = clients[0]!;
  return async () => {
    await threaded.stop();
    await rm(directory, { recursive: true });
  };
});

const all = (status: number): number[] => clients.map(() => status);

it('a session of the console is valid in all threads, until it ends in one', async () => {
  const headers = { 'x-keelson-console': 'sign-in' };
  const link = await clients[1]!.post('/console/links', {});
  const token = link.body.path.split('=')[1];
  const responses = await Promise.all(
    clients.map((api) => api.post('/console/session', { token }, { credentials: false, headers })),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...all(401).slice(1)]);
  const { headers: set, body } = responses.find(({ status }) => status === 200)!;
  const session = { cookie: set['set-cookie']![0]!.split(';')[0]!, 'x-keelson-console': body.proof };
  const call = { credentials: false, headers: session };
  expect(await statusesOf(clients, (api) => api.get(configMaps, call))).toEqual(all(200));
  expect((await clients[2]!.call('DELETE', '/console/session', call)).status).toBe(200);
  expect(await statusesOf(clients, (api) => api.get(configMaps, call))).toEqual(all(401));
});

it('any thread knows the last audit events of all', async () => {
  for (const [index, api] of clients.entries()) await api.get(`${configMaps}/heard-${index}`);
  for (const api of clients) {
    // Threads that do not respond within two seconds are left out, so the test retries.
    await vi.waitFor(async () => {
      const { items } = (await api.get('/keelson/audit?limit=500')).body;
      const recorded = items.filter(
        ({ requestURI, stage }: { requestURI: string; stage: string }) =>
          requestURI.includes('/heard-') && stage === 'ResponseComplete',
      );
      expect(recorded).toHaveLength(clients.length);
    });
  }
});

it('all threads share the seats of a priority level, and any of them shows those of all', async () => {
  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }];
  await first.post(bindings, { metadata: { name: 'jane' }, roleRef, subjects });
  // One of 246 shares, which is three of the 600 seats.
  const queuing = { queues: 1, handSize: 1, queueLengthLimit: 1 };
  await first.post(levels, { metadata: { name: 'narrow' }, spec: limited(1, queuing) });
  await first.post(schemas, { metadata: { name: 'narrow' }, spec: forUser('jane', 'narrow') });
  const shown = (api: TestApi, row: object) => expect.poll(() => levelRow(api, 'narrow')).toMatchObject(row);
  const held = ['a', 'b', 'c'].map((name) => heldCreate(first, { user: 'jane', name: `held-${name}` }));
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

it('numbers, the status and the audit log are those of all threads', async () => {
  await first.post('/api/v1/namespaces', { metadata: { name: 'counted' } });
  const path = '/api/v1/namespaces/counted/secrets';
  expect(await statusesOf(clients, (api, index) => api.post(path, { metadata: { name: `s${index}` } }))).toEqual(
    all(200),
  );
  for (const client of clients) {
    // Threads that do not respond within two seconds are left out, so the test retries.
    await vi.waitFor(async () => {
      const metrics = await ScrapedMetrics.of(client);
      const labels = { verb: 'POST', resource: 'secrets' };
      expect(metrics.value('apiserver_request_total', labels)).toBe(clients.length);
      expect(metrics.value('apiserver_request_duration_seconds_count', labels)).toBe(clients.length);
      expect(metrics.value('apiserver_resource_objects', { resource: 'secrets' })).toBe(clients.length);
      // Sums over two threads would be twice as high.
      expect(metrics.value('apiserver_flowcontrol_nominal_limit_seats', { priority_level: 'catch-all' })).toBe(13);
      expect(metrics.value('process_start_time_seconds')).toBeLessThan((1.5 * Date.now()) / 1000);
      expect((await client.get('/keelson/status')).body).toMatchObject({ threads: threaded.threads });
    });
  }
  const lines = (await readFile(auditLog, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const complete = lines.filter(({ stage, requestURI }) => stage === 'ResponseComplete' && requestURI === path);
  expect(complete).toHaveLength(clients.length);
  // The log is blocking: a line is in the file before the response is sent.
  expect(new Set(complete.map(({ auditID }) => auditID)).size).toBe(clients.length);
});
