import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';
import {
  as,
  configMaps,
  debug,
  forUser,
  heldCreate,
  levelRow,
  levels,
  limited,
  rows,
  schemas,
} from './flow-control.ts';

/** Debug pages omit threads that do not respond within two seconds, so tests poll them. */
async function start(options: Parameters<typeof TestApi.start>[0] = {}): Promise<TestApi> {
  const api = await TestApi.start({ authorizationMode: ['AlwaysAllow'], ...options });
  onTestFinished(() => api.stop());
  return api;
}

const uidOf = async (api: TestApi, path: string): Promise<string> => (await api.get(path)).body.metadata.uid;

it('has the default objects, with their conditions, when it is ready', async () => {
  const api = await start();
  const items = async (path: string) => (await api.get(path)).body.items;
  const summary = (await items(schemas)).map(
    ({ metadata, spec, status }: ApiResponse['body']) =>
      `${spec.matchingPrecedence} ${metadata.name} ${spec.priorityLevelConfiguration.name} ${status.conditions[0].reason}`,
  );
  expect(summary.sort()).toEqual([
    '1 exempt exempt Found',
    '100 system-leader-election leader-election Found',
    '10000 catch-all catch-all Found',
    '2 probes exempt Found',
    '400 system-node-high node-high Found',
    '500 system-nodes system Found',
    '800 kube-controller-manager workload-high Found',
    '800 kube-scheduler workload-high Found',
    '900 kube-system-service-accounts workload-high Found',
    '9000 service-accounts workload-low Found',
    '9900 global-default global-default Found',
  ]);
  const shares = (await items(levels)).map(
    ({ metadata, spec }: ApiResponse['body']) => `${metadata.name} ${spec.limited?.nominalConcurrencyShares}`,
  );
  expect(shares.sort()).toEqual([
    'catch-all 5',
    'exempt undefined',
    'global-default 20',
    'leader-election 10',
    'node-high 40',
    'system 30',
    'workload-high 40',
    'workload-low 100',
  ]);
  const { metadata } = (await api.get(`${schemas}/catch-all`)).body;
  expect(metadata.annotations).toEqual({ 'apf.kubernetes.io/autoupdate-spec': 'true' });
  const owners = metadata.managedFields.map(
    ({ manager, operation, subresource = '' }: Record<string, string>) => `${manager} ${operation} ${subresource}`,
  );
  expect(owners).toEqual([
    'api-priority-and-fairness-config-consumer-v1 Apply status',
    'api-priority-and-fairness-config-producer-v1 Update ',
  ]);
});

it('repairs and renews the default objects at the next start, and leaves what belongs to users', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-flow-control-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const api = await TestApi.start({ storage: 'embedded', dataDir });
  const annotation = (value: string) => ({ metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': value } } });
  await api.delete(`${schemas}/exempt`);
  await api.delete(`${schemas}/probes`);
  await api.patch(`${schemas}/global-default`, { spec: { matchingPrecedence: 9901 } });
  await api.patch(`${schemas}/kube-scheduler`, { ...annotation('false'), spec: { matchingPrecedence: 801 } });
  await api.post(schemas, { metadata: { name: 'old', ...annotation('true').metadata }, spec: forUser('x', 'exempt') });
  await api.patch(`${levels}/exempt`, { spec: { exempt: { nominalConcurrencyShares: 7 } } });
  await api.stop();
  const again = await start({ storage: 'embedded', dataDir });
  const precedence = async (name: string) => (await again.get(`${schemas}/${name}`)).body.spec?.matchingPrecedence;
  expect(await Promise.all(['exempt', 'probes', 'global-default', 'kube-scheduler', 'old'].map(precedence))).toEqual([
    1,
    2,
    9900,
    801,
    undefined,
  ]);
  const { exempt } = (await again.get(`${levels}/exempt`)).body.spec;
  expect(exempt.nominalConcurrencyShares).toBe(7);
});

it('shows whether the level of a schema exists, and then uses it', async () => {
  const api = await start();
  const condition = async () => (await api.get(`${schemas}/jail`)).body.status.conditions?.[0];
  await api.post(schemas, { metadata: { name: 'jail' }, spec: forUser('mallory', 'jail') });
  await expect.poll(condition).toMatchObject({
    type: 'Dangling',
    status: 'True',
    reason: 'NotFound',
    message:
      'This FlowSchema references the PriorityLevelConfiguration object named "jail" but there is no such object',
  });
  expect((await api.get(configMaps, as('mallory'))).status).toBe(200);
  await api.post(levels, { metadata: { name: 'jail' }, spec: limited(0) });
  // A change takes effect for the next request, before its condition is written.
  expect((await api.get(configMaps, as('mallory'))).status).toBe(429);
  await expect.poll(condition).toMatchObject({
    status: 'False',
    reason: 'Found',
    message: 'This FlowSchema references the PriorityLevelConfiguration object named "jail" and it exists',
  });
  expect((await api.get(configMaps, as('alice'))).status).toBe(200);
  await api.delete(`${levels}/jail`);
  expect((await api.get(configMaps, as('mallory'))).status).toBe(200);
  await expect.poll(condition).toMatchObject({ status: 'True' });
  // Another client writes the condition.
  const status = { conditions: [{ type: 'Dangling', status: 'False', reason: 'R', message: 'm' }] };
  await api.put(`${schemas}/jail/status`, { metadata: { name: 'jail' }, status });
  await expect.poll(condition).toMatchObject({ status: 'True', reason: 'NotFound' });
});

it('names the schema and the level in the headers of every response', async () => {
  const api = await start();
  const headersOf = ({ headers }: ApiResponse) => [
    headers['x-kubernetes-pf-flowschema-uid'],
    headers['x-kubernetes-pf-prioritylevel-uid'],
  ];
  const expected = async (schema: string, level: string) => [
    await uidOf(api, `${schemas}/${schema}`),
    await uidOf(api, `${levels}/${level}`),
  ];
  expect(headersOf(await api.get('/api/v1/nodes'))).toEqual(await expected('exempt', 'exempt'));
  expect(headersOf(await api.get('/readyz', as('jane')))).toEqual(await expected('probes', 'exempt'));
  const ofUsers = await expected('global-default', 'global-default');
  for (const path of ['/api/v1/nodes', '/api/v1/nodes/none', '/version', '/nothing']) {
    expect(headersOf(await api.get(path, as('jane'))), path).toEqual(ofUsers);
  }
  const watch = await api.get(`${configMaps}?watch=1&timeoutSeconds=1`, as('jane'));
  expect(headersOf(watch)).toEqual(ofUsers);
});

it('refuses a request in plain text', async () => {
  const api = await start();
  await api.post(levels, { metadata: { name: 'jail' }, spec: limited(0) });
  await api.post(schemas, { metadata: { name: 'jail' }, spec: forUser('mallory', 'jail') });
  const { status, headers, text } = await api.get(configMaps, as('mallory'));
  expect(status).toBe(429);
  expect(text).toBe('Too many requests, please try again later.\n');
  expect(headers).toMatchObject({
    'retry-after': '1',
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-kubernetes-pf-flowschema-uid': await uidOf(api, `${schemas}/jail`),
    'x-kubernetes-pf-prioritylevel-uid': await uidOf(api, `${levels}/jail`),
  });
  await expect.poll(() => levelRow(api, 'jail')).toMatchObject({ RejectedRequests: '1', DispatchedRequests: '0' });
});

it('lets requests wait for seats and refuses them when a queue is full', async () => {
  // Each level has one seat, except workload-low.
  const api = await start({ maxRequestsInFlight: 3, maxMutatingRequestsInFlight: 0 });
  const queuing = { queues: 1, handSize: 1, queueLengthLimit: 1 };
  await api.post(levels, { metadata: { name: 'narrow' }, spec: limited(1, queuing) });
  await api.post(schemas, { metadata: { name: 'narrow' }, spec: forUser('jane', 'narrow') });
  const held = heldCreate(api, { user: 'jane', name: 'held' });
  await expect.poll(() => levelRow(api, 'narrow')).toMatchObject({ ExecutingRequests: '1', WaitingRequests: '0' });
  const waiting = api.get(configMaps, as('jane'));
  await expect.poll(() => levelRow(api, 'narrow')).toMatchObject({ ExecutingRequests: '1', WaitingRequests: '1' });
  const ofLevel = async (page: string) =>
    (await rows(api, page)).filter(({ PriorityLevelName }) => PriorityLevelName === 'narrow');
  const shared = { FlowSchemaName: 'narrow', FlowDistingsher: 'jane', UserName: 'jane', Namespace: 'default' };
  await expect
    .poll(() => ofLevel('dump_requests?includeRequestDetails=1'))
    .toEqual([
      expect.objectContaining({ ...shared, Verb: 'create', RequestIndexInQueue: '-1', APIPath: configMaps }),
      expect.objectContaining({ ...shared, Verb: 'list', RequestIndexInQueue: '0', StartTime: '0001-01-01T00:00:00Z' }),
    ]);
  await expect
    .poll(() => ofLevel('dump_queues'))
    .toEqual([expect.objectContaining({ Index: '0', PendingRequests: '1', ExecutingRequests: '1', SeatsInUse: '1' })]);
  expect((await api.get(configMaps, as('jane'))).status).toBe(429);
  // Other users have their own seats, and administrators need none.
  expect((await api.get(configMaps, as('alice'))).status).toBe(200);
  expect((await api.get(configMaps)).status).toBe(200);
  held.finish();
  expect(await held.status).toBe(200);
  expect((await waiting).status).toBe(200);
  await expect
    .poll(() => levelRow(api, 'narrow'))
    .toMatchObject({
      IsIdle: 'true',
      DispatchedRequests: '2',
      RejectedRequests: '1',
    });
});

it('gives up a request that waits too long, or whose client leaves', async () => {
  const api = await start({ maxRequestsInFlight: 3, maxMutatingRequestsInFlight: 0 });
  const held = heldCreate(api, { user: 'jane', name: 'held' });
  onTestFinished(() => void held.abort());
  held.status.catch(() => {});
  await expect.poll(() => levelRow(api, 'global-default')).toMatchObject({ ExecutingRequests: '1' });
  const leaving = heldCreate(api, { user: 'jane', name: 'leaving' });
  leaving.status.catch(() => {});
  await expect.poll(() => levelRow(api, 'global-default')).toMatchObject({ WaitingRequests: '1' });
  leaving.abort();
  await expect
    .poll(() => levelRow(api, 'global-default'))
    .toMatchObject({
      WaitingRequests: '0',
      CancelledRequests: '1',
    });
  const { status, text } = await api.get(`${configMaps}?timeout=100ms`, as('alice'));
  expect([status, text]).toEqual([429, 'Too many requests, please try again later.\n']);
  await expect.poll(() => levelRow(api, 'global-default')).toMatchObject({ TimedoutRequests: '1' });
});

it('takes the seat from a request whose body has not come in time', async () => {
  const api = await start({ maxRequestsInFlight: 3, maxMutatingRequestsInFlight: 0 });
  const late = heldCreate(api, { user: 'jane', name: 'late', timeout: '100ms' });
  onTestFinished(() => void late.abort());
  expect(await late.status).toBe(504);
  // This is sooner than the timeout for the body.
  expect((await api.get(`${configMaps}?timeout=20s`, as('jane'))).status).toBe(200);
});

it('lets a watch give back its seat when it has begun', async () => {
  const api = await start({ maxRequestsInFlight: 3, maxMutatingRequestsInFlight: 0 });
  const opened = await Promise.all(
    [1, 2, 3].map(
      () =>
        new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
          const url = new URL(`${configMaps}?watch=1`, api.server.url);
          httpsRequest(url, { ...api.tls, ...as('jane') }, resolve)
            .on('error', reject)
            .end();
        }),
    ),
  );
  expect(opened.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  for (const response of opened) response.destroy();
});

it('limits only the number of requests without priority and fairness', async () => {
  const api = await start({ enablePriorityAndFairness: false, maxMutatingRequestsInFlight: 1 });
  expect((await api.get(schemas)).body.items).toEqual([]);
  const { headers } = await api.get('/version');
  expect(Object.keys(headers).filter((name) => name.includes('-pf-'))).toEqual([]);
  expect((await api.get(`${debug}/dump_queues`)).status).toBe(404);
  const hold = () => heldCreate(api, { user: 'jane', name: 'held' });
  let held = hold();
  const create = () => api.post(`${configMaps}?dryRun=All`, { metadata: { name: 'a' } }, as('alice'));
  await vi.waitFor(
    async () => {
      const { status } = await create();
      // A create of the other user that runs when the held one arrives makes the server refuse that one.
      if ((await Promise.race([held.status, undefined])) === 429) held = hold();
      expect(status).toBe(429);
    },
    { timeout: 30_000, interval: 20 },
  );
  const refused = await create();
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('1');
  expect(refused.text).toBe('Too many requests, please try again later.\n');
  // Reads have a separate limit, and administrators are exempt.
  expect((await api.get(configMaps, as('alice'))).status).toBe(200);
  expect((await api.post(`${configMaps}?dryRun=All`, { metadata: { name: 'a' } })).status).toBe(200);
  held.finish();
  expect(await held.status).toBe(200);
  // The thread counts the request until its response has been sent.
  await expect.poll(async () => (await create()).status).toBe(200);
});

it.each([
  [{ maxRequestsInFlight: -1 }, 'the maximum numbers of requests in flight must not be negative'],
  [
    { maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 },
    'priority and fairness needs a maximum number of requests in flight',
  ],
])('refuses %o', async (options, message) => {
  await expect(TestApi.start(options)).rejects.toThrow(new RangeError(message));
});
