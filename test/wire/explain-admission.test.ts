import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { configureWebhooks } from './webhook-configurations.ts';
import { WebhookServer } from './webhook-server.ts';

let api: TestApi;
let directory: string;
let auditLogPath: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-explain-'));
  auditLogPath = join(directory, 'audit.log');
  const auditPolicyFile = join(directory, 'policy.yaml');
  const rules = [{ level: 'Metadata', omitStages: ['RequestReceived'] }];
  await writeFile(auditPolicyFile, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules }));
  api = await TestApi.start({ explainAdmission: true, auditPolicyFile, auditLogPath });
  await api.post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    metadata: { name: 'admins' },
    roleRef: { kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [
      { kind: 'User', name: 'jane' },
      { kind: 'ServiceAccount', name: 'bot', namespace: 'default' },
    ],
  });
});
afterAll(async () => {
  await api.stop();
  await rm(directory, { recursive: true, force: true });
});

const pods = '/api/v1/namespaces/default/pods';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const claim = (name: string) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});

function steps(header: unknown): unknown {
  return JSON.parse(`[${String(header)}]`);
}

async function auditedSteps(name: string): Promise<unknown[]> {
  const lines = (await readFile(auditLogPath, 'utf8')).split('\n').filter(Boolean);
  const { annotations = {} } = lines.map((line) => JSON.parse(line)).find(({ objectRef }) => objectRef?.name === name);
  const explained = Object.entries(annotations).filter(([key]) => key.startsWith('explanation.admission.keelson/'));
  return explained.map(([, value]) => JSON.parse(String(value)));
}

const protection = { plugin: 'StorageObjectInUseProtection', phase: 'mutate' };

it('shows what changed to those who may review access, and to the audit log without values', async () => {
  const { headers } = await api.post(claims, claim('mine'));
  const patch = { op: 'add', path: '/metadata/finalizers' };
  expect(steps(headers['keelson-admission'])).toEqual([
    { ...protection, patch: [{ ...patch, value: ['kubernetes.io/pvc-protection'] }] },
  ]);
  expect(await auditedSteps('mine')).toEqual([{ ...protection, patch: [patch] }]);
});

it('shows nothing to others', async () => {
  const { status, headers } = await api.post(claims, claim('hers'), { headers: { 'impersonate-user': 'jane' } });
  expect([status, headers['keelson-admission']]).toEqual([200, expect.stringContaining(protection.plugin)]);
  await api.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'bot' } });
  const issued = await api.post('/api/v1/namespaces/default/serviceaccounts/bot/token', { spec: {} });
  const authorization = `Bearer ${issued.body.status.token}`;
  const response = await api.post(claims, claim('its'), { credentials: false, headers: { authorization } });
  expect([response.status, response.headers['keelson-admission']]).toEqual([200, undefined]);
  expect(await auditedSteps('its')).toHaveLength(1);
});

it('shows who denied', async () => {
  const spec = { containers: [{ name: 'c', image: 'i' }], priorityClassName: 'none' };
  const { status, headers, body } = await api.post(pods, { metadata: { name: 'p' }, spec });
  expect(status).toBe(403);
  const denied = { plugin: 'Priority', phase: 'mutate', denied: body.message };
  expect(steps(headers['keelson-admission'])).toContainEqual(denied);
});

it('says nothing about reads', async () => {
  expect((await api.get(pods)).headers['keelson-admission']).toBeUndefined();
});

it('names the webhook that changed or rejected an object', async () => {
  const server = await WebhookServer.start();
  onTestFinished(() => server.stop());
  const patch = [{ op: 'add', path: '/data', value: { a: 'b' } }];
  const changing = { name: 'changes.hook.example', clientConfig: server.clientConfigFor('respond', { patch }) };
  const silent = { name: 'nothing.hook.example', clientConfig: server.clientConfigFor('respond') };
  const rejecting = { name: 'no.hook.example', clientConfig: server.clientConfigFor('respond', { allowed: false }) };
  await configureWebhooks(api, 'mutating', { webhooks: [silent, changing] });
  await configureWebhooks(api, 'validating', { webhooks: [rejecting] });
  const { status, headers } = await api.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'hooked' } });
  expect(status).toBe(400);
  expect(steps(headers['keelson-admission'])).toEqual([
    { plugin: 'MutatingAdmissionWebhook', source: 'changes.hook.example', phase: 'mutate', patch },
    {
      plugin: 'ValidatingAdmissionWebhook',
      source: 'no.hook.example',
      phase: 'validate',
      denied: 'admission webhook "no.hook.example" denied the request without explanation',
    },
  ]);
});
