import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { createAuthority, issueClient, type KeyPair } from './certificates.ts';

let api: TestApi;
let directory: string;
/** The server's own CA, with its key. */
let authority: KeyPair;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-access-'));
  // Objects are in memory, but the certificates must be on disk.
  api = await TestApi.start({ dataDir: directory });
  const [cert, key] = await Promise.all(
    ['ca.crt', 'ca.key'].map((name) => readFile(join(directory, 'pki', name), 'utf8')),
  );
  authority = { cert: cert!, key: key! };
});
afterAll(async () => {
  await api.stop();
  await rm(directory, { recursive: true, force: true });
});

const unauthorized = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
};

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are looked into
  readonly body: any;
}

/** Sends a request on a new connection with any certificate. */
function callAs(pair: KeyPair, path: string, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, api.server.url),
      { method, agent: false, ca: api.tls.ca, cert: pair.cert, key: pair.key },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          const body = text.startsWith('{') ? JSON.parse(text) : text;
          resolve({ status: response.statusCode!, headers: response.headers, body });
        });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

describe('without credentials', () => {
  it.each([
    '/',
    '/version',
    '/api',
    '/api/v1',
    '/apis',
    '/openapi/v2',
    '/openapi/v3',
    '/api/v1/namespaces',
    '/api/v1/namespaces?watch=1',
    '/api/v1/gadgets',
    '/gadgets',
    '/metrics',
    '/livezz',
    '/%6Cive/../api',
  ])('is refused: %s', async (path) => {
    const { status, body } = await api.get(path, { credentials: false });
    expect(status).toBe(401);
    expect(body).toEqual(unauthorized);
  });

  it('changes nothing', async () => {
    const path = '/api/v1/namespaces/default/configmaps';
    const call = { credentials: false };
    expect((await api.post(path, { metadata: { name: 'x' } }, call)).status).toBe(401);
    expect((await api.delete('/api/v1/namespaces/kube-public', call)).status).toBe(401);
    expect((await api.get(`${path}/x`)).status).toBe(404);
  });

  it.each(['/livez', '/readyz', '/healthz', '/livez?verbose', '/readyz/ping', '/healthz/etcd'])(
    'may read the health from the machine itself: %s',
    async (path) => {
      expect((await api.get(path, { credentials: false })).status).toBe(200);
      expect((await api.get(path)).status).toBe(200);
    },
  );

  it.each(['X-Forwarded-For', 'X-Original-Forwarded-For', 'CF-Connecting-IP', 'Via'])(
    'may not read the health through a proxy that sends %s',
    async (name) => {
      const headers = { [name]: '127.0.0.1' };
      expect((await api.get('/livez', { credentials: false, headers })).status).toBe(401);
      expect((await api.get('/livez', { headers })).status).toBe(200);
    },
  );
});

describe('a bearer token', () => {
  const headers = { authorization: 'Bearer made-up' };

  it('is refused if it is unknown', async () => {
    const { status, body } = await api.get('/api/v1/namespaces', { credentials: false, headers });
    expect(status).toBe(401);
    expect(body).toEqual(unauthorized);
  });

  it('does not reduce the permissions of a certificate', async () => {
    expect((await api.get('/api/v1/namespaces', { headers })).status).toBe(200);
  });
});

describe('a certificate', () => {
  it('is refused if another CA issued it, whoever it names', async () => {
    const stranger = await issueClient(await createAuthority('other-ca'), 'kubernetes-admin', ['system:masters']);
    const { status, body } = await callAs(stranger, '/api/v1/namespaces');
    expect(status).toBe(401);
    expect(body).toEqual(unauthorized);
  });

  it('is refused if it pretends to be from the same CA', async () => {
    const { X509Certificate } = await import('@peculiar/x509');
    const name = new X509Certificate(authority.cert).subjectName.getField('CN')[0]!;
    const stranger = await issueClient(await createAuthority(name), 'kubernetes-admin', ['system:masters']);
    expect((await callAs(stranger, '/api/v1/namespaces')).status).toBe(401);
  });

  it('is allowed everything if it names a member of system:masters', async () => {
    const master = await issueClient(authority, 'jane', ['system:masters']);
    expect((await callAs(master, '/api/v1/namespaces')).status).toBe(200);
  });

  it('without a common name identifies no user', async () => {
    const nobody = await issueClient(authority, '', ['system:masters']);
    expect((await callAs(nobody, '/api/v1/namespaces')).status).toBe(401);
  });

  const jane = 'User "jane" cannot';
  it.each([
    [
      'GET',
      '/api/v1/namespaces/default/pods',
      { kind: 'pods' },
      `pods is forbidden: ${jane} list resource "pods" in API group "" in the namespace "default"`,
    ],
    [
      'GET',
      '/api/v1/pods?watch=1',
      { kind: 'pods' },
      `pods is forbidden: ${jane} watch resource "pods" in API group "" at the cluster scope`,
    ],
    [
      'GET',
      '/apis/apps/v1/namespaces/default/deployments/absent',
      { name: 'absent', group: 'apps', kind: 'deployments' },
      `deployments.apps "absent" is forbidden: ${jane} get resource "deployments" in API group "apps" in the namespace "default"`,
    ],
    [
      'PUT',
      '/apis/apps/v1/namespaces/default/deployments/x/status',
      { name: 'x', group: 'apps', kind: 'deployments' },
      `deployments.apps "x" is forbidden: ${jane} update resource "deployments/status" in API group "apps" in the namespace "default"`,
    ],
    [
      'DELETE',
      '/api/v1/namespaces/kube-public',
      { name: 'kube-public', kind: 'namespaces' },
      `namespaces "kube-public" is forbidden: ${jane} delete resource "namespaces" in API group "" in the namespace "kube-public"`,
    ],
    [
      'DELETE',
      '/api/v1/nodes',
      { kind: 'nodes' },
      `nodes is forbidden: ${jane} deletecollection resource "nodes" in API group "" at the cluster scope`,
    ],
    ['GET', '/metrics', {}, `forbidden: ${jane} get path "/metrics"`],
    ['GET', '/gadgets', {}, `forbidden: ${jane} get path "/gadgets"`],
  ])('authenticates any other user, who has no permissions: %s %s', async (method, path, details, message) => {
    const { status, headers, body } = await callAs(await issueClient(authority, 'jane'), path, method);
    expect(status).toBe(403);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body).toEqual({ ...unauthorized, message, reason: 'Forbidden', details, code: 403 });
  });
});

describe('impersonation', () => {
  it.each([
    ['impersonate-group', 'UID:"", Groups:[]string{"x"}, Extra:map[string][]string(nil)'],
    ['impersonate-uid', 'UID:"x", Groups:[]string(nil), Extra:map[string][]string(nil)'],
    ['impersonate-extra-a', 'UID:"", Groups:[]string(nil), Extra:map[string][]string{"a":[]string{"x"}}'],
  ])('needs a user beside %s', async (header, fields) => {
    const { status, headers, body } = await api.get('/api/v1/namespaces', { headers: { [header]: 'x' } });
    expect(status).toBe(400);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body.message).toBe(`requested &user.DefaultInfo{Name:"", ${fields}} without impersonating a user name`);
  });
});
