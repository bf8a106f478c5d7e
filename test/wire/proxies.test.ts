import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { TestApi } from './api.ts';
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
import { type Protocol, RawClient } from './raw-client.ts';

const services = '/api/v1/namespaces/default/services';
const pods = '/api/v1/namespaces/default/pods';
const nodes = '/api/v1/nodes';

let api: TestApi;
let raw: RawClient;
let plain: ProxiedServer;
let secure: ProxiedServer;
let kubelet: ProxiedServer;

const sockets = new WebSocketServer({ noServer: true });

async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

beforeAll(async () => {
  const kubelets = await createAuthority('kubelets');
  const clients = await createAuthority('clients of kubelets');
  const others = await createAuthority('others');
  const client = await issueClient(clients, 'the-server');
  plain = await startProxied(
    async (request, response) => {
      const body = await bodyOf(request);
      const { pathname, searchParams } = new URL(request.url!, 'http://x');
      const headers = JSON.parse(searchParams.get('headers') ?? '{}');
      if (pathname === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('small'));
      else
        response
          .writeHead(Number(searchParams.get('status') ?? 200), { 'content-type': 'text/plain', ...headers })
          .end(`${request.method} ${request.url} ${body}`.trim());
    },
    {
      onUpgrade: (request, socket) =>
        sockets.handleUpgrade(request, socket, Buffer.alloc(0), (webSocket) => {
          webSocket.on('message', (data) => webSocket.send(`${request.url} ${data}`));
        }),
    },
  );
  secure = await startProxied((_request, response) => response.end('secure'), {
    tls: await issueServer(others, '192.0.2.77'),
  });
  kubelet = await startProxied((request, response) => response.end(`kubelet ${request.url}`), {
    tls: await issueServer(kubelets, '127.0.0.1'),
    clientCa: clients.cert,
  });
  api = await startForKubelets({ ca: kubelets.cert, client });
  raw = new RawClient(api);
  await writeNode(api, { name: 'n', port: kubelet.port });
  await writeNode(api, { name: 'impostor', port: secure.port });
  if (ownAddress === undefined) return;
  await writePod(api, { name: 'web', ip: ownAddress, port: plain.port });
  await writePod(api, { name: 'other', ip: ownAddress });
  await writePod(api, { name: 'pending', port: 80 });
  await writeService(api, {
    name: 'web',
    ports: [
      { name: 'http', port: 80, targetPort: plain.port },
      { name: 'https', port: 443, targetPort: secure.port },
      { name: 'closed', port: 81, targetPort: 1 },
    ],
    endpoints: [{ ip: ownAddress, pod: 'web' }],
  });
  await writeService(api, {
    name: 'single',
    ports: [{ port: 80, targetPort: plain.port }],
    endpoints: [{ ip: ownAddress, pod: 'web' }],
  });
});

afterAll(() => raw.close());

describe.skipIf(ownAddress === undefined)('a proxied request', () => {
  it.each([
    ['the number of a port of a service', `${services}/web:80/proxy/x`, 'GET /x'],
    ['its name', `${services}/web:http/proxy/x`, 'GET /x'],
    ['a scheme', `${services}/http:web:http/proxy/x`, 'GET /x'],
    ['TLS', `${services}/https:web:443/proxy/x`, 'secure'],
    ['the only port', `${services}/single/proxy/x`, 'GET /x'],
    ['a scheme without a port', `${services}/http:single:/proxy/x`, 'GET /x'],
    ['encoded colons', `${services}/http%3Aweb%3A80/proxy/x`, 'GET /x'],
    ['the first port of a pod', `${pods}/web/proxy/x`, 'GET /x'],
  ])('goes where the name says: %s', async (_name, path, text) => {
    expect(await api.get(path)).toMatchObject({ status: 200, text });
  });

  it('goes to a port of a pod by number', async () => {
    expect(await api.get(`${pods}/other:${plain.port}/proxy/`)).toMatchObject({ status: 200, text: 'GET /' });
    expect(await api.get(`${pods}/https:other:${secure.port}/proxy/`)).toMatchObject({ status: 200, text: 'secure' });
  });

  it.each([
    ['', '/'],
    ['/', '/'],
    ['/a/b', '/a/b'],
    ['/a/b/', '/a/b/'],
    ['/a//b', '/a/b'],
    ['//a', '/a'],
    ['/a/./b', '/a/b'],
    ['/a/../b', '/b'],
    ['/../../../nodes', '/nodes'],
    ['/a%2F..%2Fb', '/b'],
    ['/%2e%2e/b', '/b'],
    ['/a%20b%3Fc%23d', '/a%20b%3Fc%23d'],
    ['/%C3%A4%0D%0Ax', '/%C3%A4%0D%0Ax'],
    ['/a?x=1&y=%20&path=/z', '/a?x=1&y=%20&path=/z'],
    ['?x=1', '/?x=1'],
    ['/proxy/a', '/proxy/a'],
  ])('has the path behind the proxy: %s', async (path, expected) => {
    expect((await api.post(`${services}/web:80/proxy${path}`, 'body')).text).toBe(`POST ${expected} body`);
  });

  it.each<[Protocol, string]>(
    (['HTTP/1.1', 'HTTP/2'] as const).flatMap((protocol) =>
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map((method): [Protocol, string] => [
        protocol,
        method,
      ]),
    ),
  )('keeps method and body: %s %s', async (protocol, method) => {
    const body = method === 'GET' || method === 'HEAD' ? undefined : 'content';
    const { status, bytes } = await raw.call(method, `${services}/web:80/proxy/m?status=203`, { protocol, body });
    expect(status).toBe(203);
    expect(String(bytes)).toBe(method === 'HEAD' ? '' : `${method} /m?status=203 ${body ?? ''}`.trim());
  });

  it.each(['TRACE', 'PURGE'])('is refused with the method %s', async (method) => {
    expect((await api.call(method, `${services}/web:80/proxy/`)).status).toBe(405);
  });

  it('has the forwarding headers of the server, and no identity of the client', async () => {
    await api.get(`${services}/web:80/proxy/where/`, {
      headers: {
        'x-forwarded-host': 'forged',
        'x-forwarded-proto': 'forged',
        'x-forwarded-uri': 'forged',
        'x-remote-user': 'forged',
        'impersonate-user': 'jane',
        'impersonate-group': 'system:masters',
        authorization: 'Bearer x',
        cookie: 'a=1',
      },
    });
    const { host } = new URL(api.server.url);
    expect(plain.seen[0]!.headers).toEqual({
      host,
      connection: 'keep-alive',
      cookie: 'a=1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': host,
      'x-forwarded-proto': 'https',
      'x-forwarded-uri': `${services}/web:80/proxy/where/`,
    });
  });

  it('is redirected to a path with a slash if it is a GET or HEAD', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await api.call(method, `${services}/web:80/proxy?a=%20b`);
      expect({ status, text, location: headers.location }).toEqual({
        status: 301,
        text: '',
        location: `${services}/web:80/proxy/?a=%20b`,
      });
    }
  });

  it.each([
    ['/x', `${services}/web:80/proxy/x`],
    ['/x/?a=/b#c', `${services}/web:80/proxy/x/?a=/b#c`],
    ['http://UPSTREAM/x', `${services}/web:80/proxy/x`],
    ['https://API/x', `https://API${services}/web:80/proxy/x`],
    ['x', 'x'],
    ['http://example.com/x', 'http://example.com/x'],
    ['//example.com/x', '//example.com/x'],
    [`${services}/web:80/proxy/x`, `${services}/web:80/proxy/x`],
  ])('gets a redirect to %s as one to %s', async (location, expected) => {
    const { host } = new URL(api.server.url);
    const inPlace = (text: string): string =>
      text.replace('UPSTREAM', `${ownAddress}:${plain.port}`).replace('API', host);
    const headers = encodeURIComponent(JSON.stringify({ location: inPlace(location) }));
    const response = await api.get(`${services}/web:80/proxy/r?status=302&headers=${headers}`);
    expect(response.status).toBe(302);
    expect(response.headers.location).toBe(inPlace(expected));
  });

  it('gets headers as they are, except those that are for the server itself', async () => {
    const sent = {
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      'audit-id': 'forged',
      'cache-control': 'public, max-age=60',
      'set-cookie': ['a=1', 'b=2'],
      'x-kept': 'yes',
    };
    const { headers } = await api.get(
      `${services}/web:80/proxy/h?headers=${encodeURIComponent(JSON.stringify(sent))}`,
      { headers: { 'audit-id': 'mine' } },
    );
    expect(headers).toMatchObject({
      'audit-id': 'mine',
      'cache-control': 'no-cache, private, public, max-age=60',
      'set-cookie': ['a=1', 'b=2'],
      'x-kept': 'yes',
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('gets compressed responses as they are, and no others', async () => {
    const accept = { headers: { 'accept-encoding': 'gzip' } };
    const compressed = await raw.call('GET', `${services}/web:80/proxy/gzip`, accept);
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.bytes).toEqual(gzipSync('small'));
    const other = await raw.call('GET', `${services}/web:80/proxy/x`, accept);
    expect(other.headers['content-encoding']).toBeUndefined();
    expect(String(other.bytes)).toBe('GET /x');
  });

  it.each([
    [`${services}/missing:80/proxy/`, 404, 'services "missing" not found'],
    [`${services}/web:8080/proxy/`, 503, 'no service port 8080 found for service "web"'],
    [`${services}/web:nothing/proxy/`, 503, 'no endpoints available for service "web"'],
    [`${services}/ftp:web:80/proxy/`, 400, 'invalid service request "ftp:web:80"'],
    [`${services}/a:b:c:d/proxy/`, 400, 'invalid service request "a:b:c:d"'],
    [
      `${services}/web:closed/proxy/`,
      503,
      `error trying to reach service: dial tcp ${ownAddress}:1: connect: connection refused`,
    ],
    [`${pods}/missing/proxy/`, 404, 'pods "missing" not found'],
    [`${pods}/pending/proxy/`, 400, 'address not allowed'],
    [`${pods}/ftp:web:80/proxy/`, 400, 'invalid pod request "ftp:web:80"'],
    [`${pods}/web:http/proxy/`, 400, 'invalid pod request "web:http"'],
    [`${pods}/web:99999/proxy/`, 400, 'invalid pod request "web:99999"'],
    [`${nodes}/missing/proxy/`, 404, 'nodes "missing" not found'],
    [`${nodes}/ftp:n:1/proxy/`, 400, 'invalid node request "ftp:n:1"'],
    [`${services}/web:80/proxy/?dryRun=All`, 400, 'dryRun is not supported'],
  ])('to %s is refused', async (path, code, message) => {
    expect((await api.get(path)).body).toMatchObject({ kind: 'Status', code, message });
  });

  it('may become a WebSocket', async () => {
    const url = `${api.server.url.replace('https', 'wss')}${services}/web:80/proxy/socket?a=b`;
    const client = new WebSocket(url, { ...api.tls });
    await once(client, 'open');
    client.send('hello');
    const [data] = await once(client, 'message');
    expect(String(data)).toBe('/socket?a=b hello');
    client.close();
    await once(client, 'close');
  });
});

describe('the proxy of a node', () => {
  it('connects to the kubelet, with the credentials of the server', async () => {
    const { status, text } = await api.get(`${nodes}/n/proxy/metrics?a=b`);
    expect({ status, text }).toEqual({ status: 200, text: 'kubelet /metrics?a=b' });
    expect(await api.get(`${nodes}/n:${kubelet.port}/proxy/`)).toMatchObject({ status: 200, text: 'kubelet /' });
    expect(await api.get(`${nodes}/http:n:${kubelet.port}/proxy/`)).toMatchObject({ status: 200 });
  });

  it('refuses a kubelet with a certificate of another CA, whatever the client names as host', async () => {
    for (const host of ['192.0.2.77', '127.0.0.1']) {
      const { status, body } = await api.get(`${nodes}/impostor/proxy/`, { headers: { host } });
      expect(status).toBe(503);
      expect(body.message).toMatch(/^error trying to reach service: tls: failed to verify certificate: x509: /);
    }
  });

  it('connects to other ports of nodes only where pods could be', async () => {
    const { body } = await api.get(`${nodes}/n:${plain.port}/proxy/`);
    expect(body).toMatchObject({ code: 400, message: 'address not allowed' });
    if (ownAddress === undefined) return;
    await writeNode(api, { name: 'far', address: ownAddress, port: 1 });
    expect(await api.get(`${nodes}/far:${plain.port}/proxy/`)).toMatchObject({ status: 200, text: 'GET /' });
    expect(await api.get(`${nodes}/https:far:${secure.port}/proxy/`)).toMatchObject({ status: 200, text: 'secure' });
  });
});
