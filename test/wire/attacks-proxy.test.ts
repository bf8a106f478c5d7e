import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';
import { createAuthority, issueClient, issueServer } from './certificates.ts';
import {
  ownAddress,
  type ProxiedServer,
  startForKubelets,
  startProxied,
  writeNode,
  writePod,
  writeService,
} from './proxied-server.ts';
import { RawClient } from './raw-client.ts';
import { openSocket, readUntilClose, statusesOf } from './raw-socket.ts';

const services = '/api/v1/namespaces/default/services';
const pods = '/api/v1/namespaces/default/pods';

let api: TestApi;
let target: ProxiedServer;
/** A TLS server that accepts client certificates. */
let secure: ProxiedServer;
let kubelet: ProxiedServer;
/** A kubelet whose responses never end. */
let endless: ProxiedServer;

beforeAll(async () => {
  const kubelets = await createAuthority('kubelets');
  const client = await issueClient(kubelets, 'the-server');
  target = await startProxied((request, response) => {
    if (request.url === '/unasked') {
      response.socket!.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nx');
    } else response.end(`reached ${request.url}`);
  });
  const certificate = await issueServer(kubelets, '192.0.2.77');
  secure = await startProxied((request, response) => response.end(commonName(request) ?? 'nobody'), {
    tls: certificate,
    clientCa: kubelets.cert,
    clientMayHide: true,
  });
  kubelet = await startProxied((request, response) => response.end(commonName(request)), {
    tls: await issueServer(kubelets, '127.0.0.1'),
    clientCa: kubelets.cert,
  });
  endless = await startProxied((_request, response) => void response.write('begun'), { tls: certificate });
  api = await startForKubelets({ ca: kubelets.cert, client });
  await writeNode(api, { name: 'n', port: kubelet.port });
});

function commonName(request: IncomingMessage): string | undefined {
  const name = (request.socket as TLSSocket).getPeerCertificate().subject?.CN;
  return Array.isArray(name) ? name[0] : name;
}

describe('the server does not connect to', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'ff02::1',
  ])('a pod with the address %s', async (ip) => {
    const name = `pod-${ip.replaceAll(/[.:]/g, '-')}-x`;
    await writePod(api, { name, ip, port: target.port });
    expect((await api.get(`${pods}/${name}`)).body.status.podIP).toBe(ip);
    const before = target.seen.length;
    for (const proxiedName of [name, `${name}:${target.port}`, `http:${name}:${target.port}`]) {
      expect((await api.get(`${pods}/${proxiedName}/proxy/`)).body).toMatchObject({
        code: 400,
        message: 'address not allowed',
      });
    }
    expect(target.seen).toHaveLength(before);
  });

  it.each([
    ['a host of this machine', '127.0.0.1'],
    ['the services of a cloud', '169.254.169.254'],
  ])('another port of a node: %s', async (_what, address) => {
    const name = `node-${address.replaceAll('.', '-')}`;
    await writeNode(api, { name, address, port: kubelet.port });
    const { body } = await api.get(`/api/v1/nodes/${name}:${target.port}/proxy/`);
    expect(body).toMatchObject({ code: 400, message: 'address not allowed' });
  });

  it('a node by a name that leads to this machine', async () => {
    await api.post('/api/v1/nodes', { metadata: { name: 'named' } });
    const addresses = [{ type: 'Hostname', address: 'localhost' }];
    await api.patch('/api/v1/nodes/named/status', { status: { addresses } });
    const { body } = await api.get(`/api/v1/nodes/named:${target.port}/proxy/`);
    expect(body).toMatchObject({ code: 400, message: 'address not allowed' });
  });
});

describe.skipIf(ownAddress === undefined)('the proxy in a network', () => {
  const ip = ownAddress!;

  beforeAll(async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'other' } });
    await writePod(api, { name: 'web', ip, port: target.port });
    await writePod(api, { name: 'elsewhere', ip: '192.0.2.99' });
    await writePod(api, { name: 'foreign', ip, namespace: 'other' });
    await writeService(api, {
      name: 'web',
      ports: [
        { name: 'http', port: 80, targetPort: target.port },
        { name: 'https', port: 443, targetPort: secure.port },
      ],
      endpoints: [{ ip, pod: 'web' }],
    });
  });

  it.each([
    ['without a pod', { ip }],
    ['of a pod that does not exist', { ip, pod: 'missing' }],
    ['of a pod with another address', { ip, pod: 'elsewhere' }],
    ['of a pod in another namespace', { ip, pod: 'foreign', podNamespace: 'other' }],
    ['of a pod that exists in another namespace only', { ip, pod: 'foreign' }],
  ])('an endpoint %s is not connected to', async (what, endpoint) => {
    const name = what.replaceAll(' ', '-');
    const port = { port: 80, targetPort: target.port };
    await writeService(api, { name, ports: [port], endpoints: [endpoint] });
    const before = target.seen.length;
    const { body } = await api.get(`${services}/${name}:80/proxy/`);
    expect(body).toMatchObject({ code: 503, message: `no endpoints available for service "${name}:80"` });
    expect(target.seen).toHaveLength(before);
  });

  it('an endpoint that is not ready is not connected to, and nor is an external name', async () => {
    const ports = [{ port: 80, targetPort: target.port }];
    await writeService(api, { name: 'unready', ports, endpoints: [{ ip, pod: 'web', ready: false }] });
    await api.post(services, {
      metadata: { name: 'external' },
      spec: { type: 'ExternalName', externalName: 'localhost', ports },
    });
    for (const name of ['unready', 'external']) {
      const { body } = await api.get(`${services}/${name}:80/proxy/`);
      expect(body).toMatchObject({ code: 503, message: `no endpoints available for service "${name}"` });
    }
  });

  it('only kubelets get the certificate of the server', async () => {
    await writeNode(api, { name: 'far', address: ip, port: kubelet.port });
    expect((await api.get('/api/v1/nodes/n/proxy/')).text).toBe('the-server');
    expect((await api.get(`${services}/https:web:443/proxy/`)).text).toBe('nobody');
    expect((await api.get(`${pods}/https:web:${secure.port}/proxy/`)).text).toBe('nobody');
    expect((await api.get(`/api/v1/nodes/https:far:${secure.port}/proxy/`)).text).toBe('nobody');
  });

  it.each([
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n', 'abcde'],
    [
      'a length and chunks',
      'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
      '0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n',
    ],
    ['unknown transfer codings', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n'],
    ['a folded header', 'X-A: b\r\n Transfer-Encoding: chunked\r\n', 'GET /smuggled HTTP/1.1\r\n\r\n'],
  ])('a request with %s does not hide another one', async (_what, headers, body) => {
    const before = target.seen.length;
    await exchanged(
      `POST ${services}/web:80/proxy/first HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`,
    );
    const urls = target.seen.slice(0, target.seen.length - before).map(({ url }) => url);
    expect(urls.filter((url) => url !== '/first')).toEqual([]);
  });

  it.each(['websocket', 'SPDY/3.1'])(
    'bytes behind an upgrade to %s that is declined are not a request',
    async (protocol) => {
      const before = target.seen.length;
      const head = `GET ${services}/web:80/proxy/first HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
      const text = await exchanged(`${head}\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(statusesOf(text)[0]).toBe(200);
      const urls = target.seen.slice(0, target.seen.length - before).map(({ url }) => url);
      expect(urls).toEqual(['/first']);
    },
  );

  it('a server cannot switch protocols by itself', async () => {
    const { body } = await api.get(`${services}/web:80/proxy/unasked`);
    expect(body).toMatchObject({ code: 503 });
    expect(body.message).toMatch(/^error trying to reach service: /);
  });

  it('headers of the proxy cannot be taken away by naming them in Connection', async () => {
    const named = 'close, host, x-forwarded-uri, x-forwarded-for, x-forwarded-host';
    await exchanged(`GET ${services}/web:80/proxy/named HTTP/1.1\r\nHost: x\r\nConnection: ${named}\r\n\r\n`);
    expect(target.seen[0]).toMatchObject({
      url: '/named',
      headers: { host: 'x', 'x-forwarded-uri': `${services}/web:80/proxy/named`, 'x-forwarded-for': '127.0.0.1' },
    });
  });

  it('a path of HTTP/2 cannot break the request line', async () => {
    const raw = new RawClient(api);
    const path = `${services}/web:80/proxy/a?b=\u00e4 HTTP/1.1`;
    const before = target.seen.length;
    await expect(raw.call('GET', path, { protocol: 'HTTP/2' }).finally(() => raw.close())).rejects.toThrow();
    expect(target.seen).toHaveLength(before);
  });

  /** Returns all bytes that the server sends until it closes the connection. */
  async function exchanged(bytes: string): Promise<string> {
    const socket = await openSocket(api, { cert: api.tls.cert, key: api.tls.key });
    const received = readUntilClose(socket);
    socket.write(Buffer.from(bytes, 'latin1'));
    return received;
  }

  it('a policy sees the path that the server behind the proxy gets', async () => {
    const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
    await api.post(policies, {
      metadata: { name: 'no-secrets' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['services/proxy'] },
          ],
        },
        validations: [{ expression: "!object.path.startsWith('/secret')", message: 'not that path' }],
      },
    });
    await api.post(`${policies.replace('policies', 'policybindings')}`, {
      metadata: { name: 'no-secrets' },
      spec: { policyName: 'no-secrets', validationActions: ['Deny'] },
    });
    for (const path of ['/secret', '//secret', '/a/../secret', '/a%2F..%2Fsecret', '/%73ecret/x']) {
      const { status, body } = await api.get(`${services}/web:80/proxy${path}`);
      expect([path, status]).toEqual([path, 422]);
      expect(body.message).toContain('not that path');
    }
    expect((await api.get(`${services}/web:80/proxy/public`)).text).toBe('reached /public');
  });

  it('a permission for reading does not allow other methods', async () => {
    await api.post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['services/proxy'], verbs: ['get'] }],
    });
    await api.post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
    });
    const headers = { 'impersonate-user': 'jane' };
    const statuses: Record<string, number> = {};
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      statuses[method] = (await api.call(method, `${services}/web:80/proxy/`, { headers })).status;
    }
    expect(statuses).toEqual({ GET: 200, HEAD: 200, POST: 403, PUT: 403, PATCH: 403, DELETE: 403, OPTIONS: 403 });
    expect((await api.get(`${pods}/web/proxy/`, { headers })).status).toBe(403);
  });
});

it('the name in the certificate of a kubelet is that of the node, not the host that a client sends', async () => {
  await writeNode(api, { name: 'impostor', port: secure.port });
  const { status, body } = await api.get('/api/v1/nodes/impostor/proxy/', { headers: { host: '192.0.2.77' } });
  expect(status).toBe(503);
  expect(body.message).toBe(
    'error trying to reach service: tls: failed to verify certificate: x509: certificate is valid for 192.0.2.77, not 127.0.0.1',
  );
});

it('a response that never ends is broken off when the server stops', async () => {
  const short = await TestApi.start();
  await writeNode(short, { name: 'n', port: endless.port });
  const raw = new RawClient(short);
  const { body } = await raw.open('GET', '/api/v1/nodes/n/proxy/');
  await once(body, 'data');
  const closed = once(endless.seen[0]!.socket, 'close');
  const cut = once(body, 'error');
  await short.stop();
  await closed;
  expect(await cut).toEqual([expect.any(Error)]);
  raw.close();
});
