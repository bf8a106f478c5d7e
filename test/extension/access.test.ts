import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  defineResource,
  type ExtensionOptions,
  type ExtensionServer,
  serveExtension,
  type UserInfo,
} from '../../src/extension-server/index.ts';
import { createAuthority, issueClient, issueServer, type KeyPair } from '../wire/certificates.ts';
import { type ExtensionApi, startExtension } from './extension-api.ts';

interface Visit {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly user: UserInfo | undefined;
}

const visits = defineResource<Visit>({
  kind: 'Visit',
  plural: 'visits',
  backend: { list: ({ namespace, user }) => [{ metadata: { name: 'last', namespace: namespace || 'all' }, user }] },
});
const path = '/apis/example.com/v1/namespaces/default/visits';
const named = (user: string, more: Record<string, string | string[]> = {}) => ({ 'x-remote-user': user, ...more });

describe('an extension server', () => {
  let extension: ExtensionApi;
  let folder: string;
  let authority: KeyPair;
  let proxy: KeyPair;
  let stranger: KeyPair;
  const faults: string[] = [];
  const log = {
    info: () => {},
    error: (message: string, { err }: { err?: Error } = {}) => void faults.push(`${message}: ${err?.message}`),
    flush: async () => {},
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keelson-extension-'));
    authority = await createAuthority('proxy-ca');
    [proxy, stranger] = await Promise.all([issueClient(authority, 'front-proxy'), issueClient(authority, 'stranger')]);
    const caFile = join(folder, 'proxy-ca.crt');
    await writeFile(caFile, authority.cert);
    extension = await startExtension(
      (cluster) => serveExtension({ group: 'example.com', version: 'v1', resources: [visits], cluster, log }),
      {
        requestheaderClientCaFile: caFile,
        requestheaderAllowedNames: ['front-proxy'],
        requestheaderUsernameHeaders: ['X-Remote-User'],
        requestheaderGroupHeaders: ['X-Remote-Group'],
        requestheaderUidHeaders: ['X-Remote-Uid'],
        requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
      },
    );
    const { cluster } = extension;
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
    await cluster.post(roles, {
      metadata: { name: 'visitor' },
      rules: [{ apiGroups: ['example.com'], resources: ['visits'], verbs: ['list'] }],
    });
    await cluster.post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      metadata: { name: 'visitors' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'visitor' },
      subjects: [
        { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'Group', name: 'friends', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
      ],
    });
  });
  afterAll(async () => {
    await extension.stop();
    await rm(folder, { recursive: true });
  });

  interface RequestOptions {
    readonly pair?: KeyPair | undefined;
    readonly headers?: Record<string, string | string[]>;
    readonly at?: string;
    readonly server?: Pick<ExtensionServer, 'url' | 'ca'>;
  }

  /** Sends a request on a new connection. */
  const send = ({
    pair,
    headers = {},
    at = path,
    server = extension.server,
  }: RequestOptions): Promise<{ status: number; user?: UserInfo; message?: string }> =>
    new Promise((resolve, reject) => {
      const agent = new Agent({ ...pair, ca: server.ca });
      const sent = request(server.url + at, { agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          agent.destroy();
          const body = text.startsWith('{') ? JSON.parse(text) : {};
          resolve({ status: response.statusCode!, user: body.items?.[0].user, message: body.message });
        });
      });
      sent.on('error', reject);
      sent.end();
    });

  it('takes the user from the headers of the API server', async () => {
    const headers = named('jane', {
      'x-remote-uid': '17',
      'x-remote-group': ['friends', 'family'],
      'x-remote-extra-scopes': 'all',
    });
    expect(await send({ pair: proxy, headers })).toMatchObject({
      status: 200,
      user: {
        name: 'jane',
        uid: '17',
        groups: ['friends', 'family', 'system:authenticated'],
        extra: { scopes: ['all'] },
      },
    });
  });

  it('asks the API server what the user may do', async () => {
    expect(await send({ pair: proxy, headers: named('bob') })).toMatchObject({
      status: 403,
      message:
        'visits.example.com is forbidden: User "bob" cannot list resource "visits" in API group "example.com" in the namespace "default"',
    });
    expect(await send({ pair: proxy, headers: named('tom', { 'x-remote-group': 'friends' }) })).toMatchObject({
      status: 200,
    });
    const elsewhere = { pair: proxy, headers: named('jane'), at: path.replace('default', 'kube-system') };
    expect((await send(elsewhere)).status).toBe(403);
    expect((await send({ ...elsewhere, headers: named('eve', { 'x-remote-group': 'system:masters' }) })).status).toBe(
      200,
    );
  });

  it.each([
    ['the certificate of another name of that CA', () => stranger, named('jane'), 401],
    ['the certificate of the proxy without a user', () => proxy, {}, 401],
    ['no certificate', () => undefined, named('jane'), 403],
    ['a token that nobody knows', () => undefined, { authorization: 'Bearer unknown' }, 401],
    ['no credentials', () => undefined, {}, 403],
  ])('does not trust %s', async (_what, pair, headers, status) => {
    expect((await send({ pair: pair(), headers })).status).toBe(status);
  });

  it('ignores the headers of clients that come directly', async () => {
    const { cert, key } = extension.cluster.tls;
    const pair = { cert: cert.toString(), key: key.toString() };
    expect((await send({ pair, headers: named('jane') })).user?.name).toBe('kubernetes-admin');
    const impersonated = await send({ pair, headers: { 'impersonate-user': 'jane' } });
    expect(impersonated.user?.name).toBe('jane');
  });

  it('lets the API server review tokens', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await extension.cluster.post(accounts, { metadata: { name: 'robot' } });
    const { body } = await extension.cluster.post(`${accounts}/robot/token`, { spec: {} });
    const response = await send({ headers: { authorization: `Bearer ${body.status.token}` } });
    expect(response.user?.name).toBe('system:serviceaccount:default:robot');
  });

  it.each([
    ['/healthz', 200],
    ['/livez', 200],
    ['/readyz', 200],
    ['/readyz/ping', 403],
    ['/version', 200],
    ['/apis', 403],
  ])('shows its health to everybody: %s', async (at, status) => {
    expect((await send({ at })).status).toBe(status);
  });

  it('follows the trust that the API server publishes', async () => {
    const next = await createAuthority('next-ca');
    const pair = await issueClient(next, 'front-proxy');
    const configMap = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
    await extension.cluster.patch(configMap, { data: { 'requestheader-client-ca-file': next.cert } });
    await vi.waitUntil(async () => (await send({ pair, headers: named('jane') })).status === 200);
    expect((await send({ pair: proxy, headers: named('jane') })).status).toBe(401);
    // An invalid configuration changes nothing.
    await extension.cluster.patch(configMap, { data: { 'requestheader-allowed-names': 'nobody' } });
    await vi.waitFor(() =>
      expect(faults).toContain('trusted CAs not updated: requestheader-allowed-names: not a JSON list of strings'),
    );
    expect((await send({ pair, headers: named('jane') })).status).toBe(200);
    const start = serveExtension({
      group: 'example.com',
      version: 'v1',
      resources: [visits],
      cluster: { kubeconfig: extension.cluster.server.kubeconfig },
    });
    await expect(start).rejects.toThrow(/extension-apiserver-authentication: requestheader-allowed-names: not a JSON/);
    await extension.cluster.patch(configMap, { data: { 'requestheader-allowed-names': '[]' } });
  });

  it('registers itself, and removes what it has registered', async () => {
    const { cluster } = extension;
    const start = (register: ExtensionOptions['register']) =>
      serveExtension({
        group: 'visits.example.com',
        version: 'v1',
        resources: [visits],
        cluster: { kubeconfig: cluster.server.kubeconfig },
        register: register!,
      });
    const service = { namespace: 'default', name: 'visits' };
    const apiService = '/apis/apiregistration.k8s.io/v1/apiservices/v1.visits.example.com';
    const first = await start({ service, address: '192.0.2.7', removeOnStop: true });
    const { spec } = (await cluster.get(apiService)).body;
    expect(spec).toMatchObject({ group: 'visits.example.com', version: 'v1', service: { ...service, port: 443 } });
    expect(Buffer.from(spec.caBundle, 'base64').toString()).toBe(first.ca);
    const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/visits-extension';
    expect((await cluster.get(slice)).body).toMatchObject({
      endpoints: [{ addresses: ['192.0.2.7'] }],
      ports: [{ port: first.port }],
    });
    await first.stop();
    const objects = [apiService, slice, '/api/v1/namespaces/default/services/visits'];
    for (const object of objects) expect((await cluster.get(object)).status).toBe(404);
    const second = await start({ service, address: 'localhost' });
    expect((await cluster.get(objects[2]!)).body.spec).toMatchObject({
      type: 'ExternalName',
      externalName: 'localhost',
    });
    expect((await cluster.get(apiService)).body.spec.service.port).toBe(second.port);
    await second.stop();
    // Requests fail until the server runs again.
    expect((await cluster.get(apiService)).status).toBe(200);
    await expect(start({ service: { namespace: 'nowhere', name: 'x' }, address: 'localhost' })).rejects.toThrow(
      'namespaces "nowhere" not found',
    );
  });

  it('serves with the certificate that it was given last', async () => {
    const other = await createAuthority('serving-ca');
    const [first, second] = await Promise.all([issueServer(other, '127.0.0.1'), issueServer(other, '127.0.0.1')]);
    const server = await serveExtension({
      group: 'example.com',
      version: 'v1',
      resources: [visits],
      cluster: { kubeconfig: extension.cluster.server.kubeconfig },
      tls: { ...first, ca: other.cert },
    });
    expect((await send({ at: '/healthz', server })).status).toBe(200);
    expect(() => server.replaceCertificate({ cert: 'none', key: 'none' })).toThrow();
    expect((await send({ at: '/healthz', server })).status).toBe(200);
    server.replaceCertificate(second);
    expect((await send({ at: '/healthz', server })).status).toBe(200);
    await server.stop();
  });
});
