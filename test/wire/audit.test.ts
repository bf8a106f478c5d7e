import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ServerOptions, startServer } from '../../src/index.ts';
import { type Call, TestApi } from './api.ts';
import { define, definitionOf } from './custom-types.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-audit-'));
  return () => rm(directory, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
type Event = any;

/** Requests of the server itself are not recorded, so that the log contains only those of the test. */
const others = { level: 'None', users: ['system:apiserver'] };

const policyOf = (...rules: object[]) =>
  JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [others, ...rules] });

async function audited(policy: string, options: ServerOptions = {}) {
  const auditPolicyFile = join(directory, 'policy.yaml');
  const auditLogPath = join(directory, 'audit.log');
  const tokenAuthFile = join(directory, 'tokens.csv');
  await writeFile(auditPolicyFile, policy);
  await writeFile(tokenAuthFile, 'sesame-of-jane,jane,u-1\n');
  const api = await TestApi.start({ auditPolicyFile, auditLogPath, tokenAuthFile, ...options });
  let running = true;
  const stop = async (): Promise<void> => {
    if (running) await api.stop();
    running = false;
  };
  onTestFinished(stop);
  const text = () => readFile(auditLogPath, 'utf8');
  const events = async (): Promise<Event[]> =>
    (await text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { api, stop, text, events, auditPolicyFile, auditLogPath };
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const asJane: Call = { credentials: false, headers: { authorization: 'Bearer sesame-of-jane' } };

it('records who did what, and the result', async () => {
  const { api, events, auditLogPath } = await audited(policyOf({ level: 'Metadata', omitStages: ['RequestReceived'] }));
  const made = await api.post(configMaps, { metadata: { name: 'x' } }, { headers: { 'audit-id': 'my-id' } });
  expect(made.headers['audit-id']).toBe('my-id');
  const refused = await api.get(`${configMaps}/x?pretty=1`, asJane);
  await api.get(configMaps, { credentials: false, headers: { authorization: 'Bearer made-up' } });
  await api.get(configMaps, { headers: { 'impersonate-user': 'joe' } });
  const [create, denied, unknown, impersonated] = await events();
  // The latest events are also in memory, for administrators.
  const recent = await api.get('/keelson/audit?limit=4');
  expect(recent.body).toEqual({
    kind: 'EventList',
    apiVersion: 'audit.k8s.io/v1',
    metadata: {},
    items: [create, denied, unknown, impersonated],
  });
  expect((await api.get('/keelson/audit?limit=1')).body.items).toMatchObject([
    { requestURI: '/keelson/audit?limit=4' },
  ]);
  expect((await api.get('/keelson/audit', asJane)).status).toBe(403);
  expect((await api.get('/keelson/audit?limit=all')).status).toBe(400);
  expect((await api.post('/keelson/audit', {})).status).toBe(405);
  expect(create).toMatchObject({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: 'my-id',
    stage: 'ResponseComplete',
    requestURI: configMaps,
    verb: 'create',
    user: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
    sourceIPs: ['127.0.0.1'],
    objectRef: { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' },
    responseStatus: { code: 200 },
    annotations: { 'authorization.k8s.io/decision': 'allow' },
  });
  expect(create).not.toHaveProperty('requestObject');
  expect(denied).toMatchObject({
    auditID: refused.headers['audit-id'],
    verb: 'get',
    user: { username: 'jane', uid: 'u-1' },
    objectRef: { name: 'x' },
    responseStatus: { code: 403, reason: 'Forbidden' },
    annotations: { 'authorization.k8s.io/decision': 'forbid' },
  });
  expect(unknown).toMatchObject({ user: {}, responseStatus: { code: 401 } });
  expect(impersonated).toMatchObject({
    user: { username: 'kubernetes-admin' },
    impersonatedUser: { username: 'joe', groups: ['system:authenticated'] },
    responseStatus: { code: 403 },
  });
  expect((await stat(auditLogPath)).mode & 0o777).toBe(0o600);
});

it('names the constrained mode in which a user was impersonated', async () => {
  const { api, events } = await audited(policyOf({ level: 'Metadata', omitStages: ['RequestReceived'] }));
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const rules = [
    { apiGroups: ['authentication.k8s.io'], resources: ['users'], verbs: ['impersonate:user-info'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['impersonate-on:user-info:list'] },
  ];
  await api.post(`${rbac}/clusterroles`, { metadata: { name: 'constrained' }, rules });
  await api.post(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'constrained' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'constrained' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
  });
  await api.get(configMaps, { ...asJane, headers: { ...asJane.headers, 'impersonate-user': 'joe' } });
  await api.get(configMaps, { headers: { 'impersonate-user': 'joe' } });
  const [constrained, unconstrained] = (await events()).filter(({ impersonatedUser }) => impersonatedUser);
  expect(constrained).toMatchObject({
    user: { username: 'jane' },
    impersonatedUser: { username: 'joe' },
    authenticationMetadata: { impersonationConstraint: 'impersonate:user-info' },
  });
  expect(unconstrained).not.toHaveProperty('authenticationMetadata');
});

it('keeps bodies where the policy says so', async () => {
  const { api, events } = await audited(
    policyOf(
      { level: 'Request', verbs: ['patch'], omitStages: ['RequestReceived'] },
      { level: 'RequestResponse', omitStages: ['RequestReceived'], omitManagedFields: true },
    ),
  );
  await api.post(configMaps, { metadata: { name: 'x' }, data: { a: '1' } });
  await api.patch(`${configMaps}/x`, { data: { a: '2' } });
  const protobuf = await api.get(`${configMaps}/x`, { headers: { accept: 'application/vnd.kubernetes.protobuf' } });
  expect(protobuf.headers['content-type']).toBe('application/vnd.kubernetes.protobuf');
  const [create, patch, get] = await events();
  expect(create).toMatchObject({
    requestObject: { metadata: { name: 'x' }, data: { a: '1' } },
    responseObject: { kind: 'ConfigMap', metadata: { name: 'x', uid: expect.any(String) }, data: { a: '1' } },
  });
  expect(create.responseObject.metadata).not.toHaveProperty('managedFields');
  expect(patch.requestObject).toEqual({ data: { a: '2' } });
  expect(patch).not.toHaveProperty('responseObject');
  expect(get.responseObject).toMatchObject({ kind: 'ConfigMap', data: { a: '2' } });
});

it('records when a watch begins and when it ends', async () => {
  const { api, events } = await audited(policyOf({ level: 'RequestResponse' }));
  const watch = await api.watch(`${configMaps}?watch=1`);
  await vi.waitFor(async () =>
    expect((await events()).map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseStarted']),
  );
  watch.close();
  await vi.waitFor(async () =>
    expect((await events()).at(-1)).toMatchObject({ stage: 'ResponseComplete', verb: 'watch' }),
  );
  expect((await events()).some((event) => 'responseObject' in event)).toBe(false);
});

describe('secrets', () => {
  it('are never written, whatever is asked for', async () => {
    const { api, text } = await audited(policyOf({ level: 'RequestResponse' }));
    const marker = 'c2VjcmV0LW1hcmtlcg';
    const plain = 'plain-marker-value';
    await api.post(secrets, { metadata: { name: 's' }, data: { a: `${marker}==` }, stringData: { b: plain } });
    await api.put(`${secrets}/s`, { metadata: { name: 's' }, data: { a: `${marker}==`, b: `${marker}==` } });
    await api.patch(`${secrets}/s`, { stringData: { c: plain } });
    await api.patch(`${secrets}/s`, [{ op: 'add', path: '/stringData', value: { d: plain } }], 'json');
    for (const accept of ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']) {
      await api.get(`${secrets}/s`, { headers: { accept } });
      await api.get(secrets, { headers: { accept } });
    }
    await api.post(`${secrets}?fieldValidation=Strict`, { metadata: { name: 't' }, data: { a: plain } });
    await api.get(`${configMaps}?token=${plain}&access_token=${plain}`);
    const account = await api.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'bot' } });
    expect(account.status).toBe(200);
    const { body } = await api.post('/api/v1/namespaces/default/serviceaccounts/bot/token', { spec: {} });
    const { token } = body.status;
    await api.post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
    await api.get(configMaps, { credentials: false, headers: { authorization: `Bearer ${token}` } });
    await api.get(configMaps, asJane);
    const written = await text();
    expect(written).toContain('redacted');
    for (const secret of [
      marker,
      plain,
      Buffer.from(plain).toString('base64'),
      token,
      token.split('.')[2],
      'sesame-of',
    ]) {
      expect(written).not.toContain(secret);
    }
  });
});

it('follows the policy', async () => {
  const { api, events, auditPolicyFile } = await audited(policyOf({ level: 'None' }));
  await api.get(configMaps);
  expect(await events()).toEqual([]);
  await writeFile(auditPolicyFile, policyOf({ level: 'Metadata' }));
  await vi.waitFor(async () => {
    await api.get(configMaps);
    expect((await events()).length).toBeGreaterThan(0);
  });
});

it('records the status of definitions, which the server itself writes', async () => {
  const rules = [
    { level: 'Metadata', users: ['system:apiserver'], verbs: ['patch'], omitStages: ['RequestReceived'] },
    { level: 'None' },
  ];
  const { api, stop, events } = await audited(JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  await define(api, definitionOf({ singular: 'lamp' }));
  await stop();
  expect(await events()).toContainEqual(
    expect.objectContaining({
      user: expect.objectContaining({ username: 'system:apiserver' }),
      objectRef: expect.objectContaining({
        resource: 'customresourcedefinitions',
        name: 'lamps.example.com',
        subresource: 'status',
      }),
      responseStatus: expect.objectContaining({ code: 200 }),
    }),
  );
});

it('has everything written when the server has stopped', async () => {
  const options: ServerOptions = {
    auditLogMode: 'batch',
    auditLogBatchMaxSize: 100_000,
    auditLogBatchMaxWaitMs: 60_000,
  };
  const { api, stop, events } = await audited(
    policyOf({ level: 'Metadata', omitStages: ['RequestReceived'] }),
    options,
  );
  for (let count = 0; count < 20; count++) await api.get(configMaps);
  expect(await events()).toEqual([]);
  await stop();
  expect((await events()).filter(({ verb }) => verb === 'list')).toHaveLength(20);
});

it.each<[string, string, ServerOptions, string]>([
  ['a policy that is none', 'rules: 7', {}, 'audit policy'],
  ['a level that is none', policyOf({ level: 'Some' }), {}, 'Some'],
  ['a mode that is none', policyOf(), { auditLogMode: 'sometimes' as never }, 'invalid audit log mode sometimes'],
])('does not start with %s', async (_what, policy, options, message) => {
  const auditPolicyFile = join(directory, 'policy.yaml');
  await writeFile(auditPolicyFile, policy);
  const starting = startServer({
    storage: 'memory',
    auditPolicyFile,
    auditLogPath: join(directory, 'log'),
    ...options,
  });
  await expect(starting).rejects.toThrow(message);
});

// Not every system has `/dev/full`, a disk that is always full.
it.skipIf(!existsSync('/dev/full'))('rejects requests that it cannot record in the mode blocking-strict', async () => {
  const { api } = await audited(policyOf({ level: 'Metadata' }), {
    auditLogMode: 'blocking-strict',
    auditLogPath: '/dev/full',
  });
  const { status, text } = await api.get(configMaps);
  expect(status).toBe(500);
  expect(text).toContain('failed to store audit event');
});
