import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failing, startJsonServer } from '../../src/client/test-json-server.conformance.ts';
import { type ServerOptions, startServer } from '../../src/index.ts';
import { silentLogger } from '../../src/meta/logger.ts';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import { type ApiResponse, TestApi } from './api.ts';
import { kubeconfigFor } from './kubeconfig-for.ts';

let directory: string;
let tokenAuthFile: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-modes-'));
  tokenAuthFile = await file('tokens.csv', 'jane,jane,u-1,dev\njoe,joe,u-2\n');
  return () => rm(directory, { recursive: true, force: true });
});

async function file(name: string, content: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

async function started(options: ServerOptions): Promise<TestApi> {
  const api = await TestApi.start({ tokenAuthFile, ...options });
  onTestFinished(() => api.stop());
  return api;
}

const pods = '/api/v1/namespaces/default/pods';
const asJane = { credentials: false, headers: { authorization: 'Bearer jane' } };
const get = (api: TestApi, path = pods): Promise<ApiResponse> => api.get(path, asJane);

it.each<[string[], number, string | undefined]>([
  [
    ['RBAC'],
    403,
    'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"',
  ],
  [['AlwaysAllow'], 200, undefined],
  [['AlwaysDeny'], 403, 'Everything is forbidden.'],
  [['AlwaysDeny', 'AlwaysAllow'], 200, undefined],
])('%j', async (authorizationMode, status, message) => {
  const api = await started({ authorizationMode });
  const response = await get(api);
  expect(response.status).toBe(status);
  if (message !== undefined) expect(response.body.message).toContain(message);
  // The administrator is allowed in all modes.
  expect((await api.get(pods)).status).toBe(200);
});

it('anonymous access is disabled when everything is allowed', async () => {
  const info = vi.fn();
  const log = { ...silentLogger, info };
  const anonymous = { credentials: false };
  const open = await started({ authorizationMode: ['RBAC', 'AlwaysAllow'], anonymousAuth: true, log });
  expect((await open.get(pods, anonymous)).status).toBe(401);
  expect(info).toHaveBeenCalledWith(expect.stringContaining('not allowed with the AlwaysAllow authorizer'));
  const closed = await started({ anonymousAuth: true });
  expect((await closed.get(pods, anonymous)).status).toBe(403);
});

it.each<[ServerOptions, string]>([
  [{ authorizationMode: ['Gadget'] }, 'authorization-mode "Gadget" is not a valid mode'],
  [{ authorizationMode: [] }, 'at least one authorization-mode'],
  [{ authorizationMode: ['ABAC'] }, 'ABAC'],
  [{ authorizationMode: ['Webhook'] }, "authorization-mode Webhook's authorization config file not passed"],
  [{ authorizationConfig: '/nowhere/authorization.yaml' }, 'ENOENT'],
])('does not start with %j', async (options, message) => {
  const starting = startServer({ storage: 'memory', ...options });
  await expect(starting).rejects.toThrow(message);
  await expect(starting).rejects.toBeInstanceOf(RangeError);
});

describe('a webhook', () => {
  const review = (status: object) => ({ kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', status });

  it('decides, and is asked once by a thread for the same question', async () => {
    const hook = await startJsonServer({
      responses: [
        (response) => {
          const { spec } = hook.seen.at(-1)!.body as { spec: { resourceAttributes: { resource: string } } };
          const allowed = spec.resourceAttributes.resource === 'pods';
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(review(allowed ? { allowed } : { allowed, reason: 'not today' })));
        },
      ],
    });
    const api = await started({
      authorizationMode: ['Webhook'],
      authorizationWebhookConfigFile: await file('hook.yaml', kubeconfigFor(hook)),
      authorizationWebhookVersion: 'v1',
    });
    for (let count = 0; count <= testedThreads; count++) {
      expect((await get(api, `${pods}?labelSelector=a%3Db`)).status).toBe(200);
    }
    expect(hook.seen.length).toBeLessThanOrEqual(testedThreads);
    expect(hook.seen[0]!.body).toMatchObject({
      spec: {
        user: 'jane',
        uid: 'u-1',
        groups: ['dev', 'system:authenticated'],
        resourceAttributes: {
          verb: 'list',
          resource: 'pods',
          namespace: 'default',
          labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
        },
      },
    });
    expect((await get(api, '/api/v1/nodes')).body.message).toMatch(/at the cluster scope: not today$/);
  });

  it('causes an error when it fails, and allows nothing', async () => {
    const hook = await startJsonServer({ responses: [failing(404)] });
    const api = await started({
      authorizationMode: ['Webhook'],
      authorizationWebhookConfigFile: await file('hook.yaml', kubeconfigFor(hook)),
    });
    const { status, text } = await get(api);
    expect(status).toBe(500);
    expect(text).toContain('Internal Server Error');
    expect(text).not.toContain('secret');
  });
});

it('goes on with another configuration', async () => {
  const configuration = (...types: string[]) =>
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthorizationConfiguration',
      authorizers: types.map((type) => ({ type, name: type.toLowerCase() })),
    });
  const path = await file('authorization.yaml', configuration('RBAC'));
  const errors: string[] = [];
  const log = { info: () => {}, error: (message: string) => errors.push(message), flush: () => Promise.resolve() };
  const api = await started({ authorizationConfig: path, log });
  expect((await get(api)).status).toBe(403);
  await writeFile(path, configuration('RBAC', 'AlwaysAllow'));
  // One thread reads the file, and all threads use it.
  const enough = Array.from({ length: testedThreads === 1 ? 1 : 8 * testedThreads });
  const statuses = async () => new Set(await Promise.all(enough.map(async () => (await get(api)).status)));
  await vi.waitFor(async () => expect(await statuses()).toEqual(new Set([200])));
  await writeFile(path, 'authorizers: nonsense');
  const failure = 'authorization configuration not reloaded';
  await vi.waitFor(() => expect(errors.filter((message) => message === failure)).toHaveLength(1));
  expect(await statuses()).toEqual(new Set([200]));
});

describe('denials are explained', () => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';

  async function explaining() {
    const denied: Record<string, unknown>[] = [];
    const log = {
      info: (message: string, fields?: object) => message === 'denied' && denied.push({ ...fields }),
      error: () => {},
      flush: () => Promise.resolve(),
    };
    const api = await started({ explainDenials: true, log: log as never });
    await api.post(`${rbac}/namespaces/default/roles`, {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
    });
    await api.post(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: 'readers' },
      roleRef: { kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'User', name: 'jane' }],
    });
    return { api, denied };
  }

  it('in the log, but not to users without permission', async () => {
    const { api, denied } = await explaining();
    const { status, headers } = await api.delete(`${pods}/x`, asJane);
    expect([status, headers['keelson-denial']]).toEqual([403, undefined]);
    expect(denied).toEqual([
      expect.objectContaining({
        user: 'jane',
        verb: 'delete',
        closest: 'closest: RoleBinding "default/readers" of Role "reader" allows get,list on pods, not delete',
      }),
    ]);
  });

  it('to those who may review access, also in the name of others', async () => {
    const { api } = await explaining();
    const response = await api.delete(`${pods}/x`, { headers: { 'impersonate-user': 'jane' } });
    expect(response.headers['keelson-denial']).toContain('RoleBinding "default/readers"');
    await api.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'reviewers' },
      roleRef: { kind: 'ClusterRole', name: 'system:auth-delegator' },
      subjects: [{ kind: 'User', name: 'jane' }],
    });
    expect((await api.delete(`${pods}/x`, asJane)).headers['keelson-denial']).toContain('not delete');
    expect((await get(api)).headers['keelson-denial']).toBeUndefined();
  });

  it('but not unless asked for', async () => {
    const api = await started({});
    const { headers } = await api.delete(`${pods}/x`, { headers: { 'impersonate-user': 'jane' } });
    expect(headers['keelson-denial']).toBeUndefined();
  });
});
