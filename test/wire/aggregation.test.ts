import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { createAuthority, issueClient } from './certificates.ts';
import { define, definitionOf } from './custom-types.ts';
import { ExtensionServer, fruits, fruitsService, recheck, untilCondition } from './extension-server.ts';
import { RawClient } from './raw-client.ts';

const apples = `${fruits}/namespaces/default/apples`;

let api: TestApi;
let extension: ExtensionServer;

beforeAll(async () => {
  api = await TestApi.start();
  extension = await ExtensionServer.start(api);
  await extension.register(api);
});
afterAll(async () => {
  await api.stop();
  await extension.stop();
});
beforeEach(() => extension.take());

/** Returns the requests that the extension server received for the path, without the health checks of the server. */
async function passedOn(path = apples) {
  const seen = await extension.take();
  return seen.filter(({ url }) => url.split('?')[0] === path);
}

describe('a request for a group version of another server', () => {
  it('gets the response of that server, whatever it is', async () => {
    const body = { metadata: { name: 'one' }, spec: { colour: 'red' } };
    expect(await api.post(`${apples}?dryRun=&fieldManager=a%20b`, body)).toMatchObject({
      status: 201,
      body: { kind: 'Apple', spec: { colour: 'red' } },
    });
    const [create] = await passedOn();
    expect(create).toMatchObject({
      method: 'POST',
      url: `${apples}?dryRun=&fieldManager=a+b`,
      body: JSON.stringify(body),
    });
    expect(await api.get(`${apples}/two`)).toMatchObject({ status: 404, body: { reason: 'NotFound' } });
    expect((await api.get(fruits)).body).toMatchObject({
      kind: 'APIResourceList',
      groupVersion: 'fruits.example.com/v1',
    });
    expect((await api.delete(`${apples}/one`)).status).toBe(200);
  });

  it('names its user, and drops headers of the client that name another', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: ['fruits.example.com'], resources: ['apples'], verbs: ['list'] }];
    await api.post(`${rbac}/clusterroles`, { metadata: { name: 'farmer' }, rules });
    await api.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: 'farmers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'farmer' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'farmers' }],
    });
    await api.get(apples, {
      headers: {
        'impersonate-user': 'john',
        'impersonate-group': 'farmers',
        'impersonate-uid': '7',
        'impersonate-extra-example.com%2fscopes': 'a',
        'x-remote-user': 'root',
        'x-remote-group': 'system:masters',
        'x-remote-extra-scopes': 'all',
        'x-forwarded-for': '10.0.0.1',
        'x-forwarded-host': 'elsewhere',
        forwarded: 'for=10.0.0.1',
        'x-kept': 'yes',
      },
    });
    const [{ headers, client }] = (await passedOn()) as [Awaited<ReturnType<typeof passedOn>>[0]];
    expect(client).toBe('front-proxy-client');
    expect(headers).toMatchObject({
      'x-remote-user': 'john',
      'x-remote-uid': '7',
      'x-remote-group': 'farmers, system:authenticated',
      'x-remote-extra-example.com%2fscopes': 'a',
      'x-forwarded-for': '127.0.0.1',
      'x-kept': 'yes',
      host: `fruits.default.svc:${extension.port}`,
    });
    for (const name of [
      'authorization',
      'impersonate-user',
      'impersonate-group',
      'x-remote-extra-scopes',
      'x-forwarded-host',
      'forwarded',
    ]) {
      expect(headers).not.toHaveProperty(name);
    }
  });

  it('is authorized here', async () => {
    const call = { headers: { 'impersonate-user': 'nobody' } };
    expect((await api.get(apples, call)).status).toBe(403);
    expect((await api.get(apples, { credentials: false })).status).toBe(401);
    expect(await passedOn()).toEqual([]);
  });

  it.each([
    ['dots', `${fruits}/namespaces/default/apples/../../../../../../api/v1/secrets`, 400],
    ['encoded dots', `${fruits}/namespaces/default/%2e%2e/kube-system/apples`, 400],
    ['dots behind encoded slashes', `${fruits}/namespaces/default%2f..%2f..%2fapples`, 400],
    ['empty segments', `${fruits}//namespaces/default/apples`, 404],
    ['an encoded empty segment', `${fruits}/%2fnamespaces/default/apples`, 404],
    ['a group in the version', '/apis/example.com/v1.fruits/namespaces/default/apples', 404],
  ])('is refused when its path has %s', async (_what, path, status) => {
    expect((await api.get(path)).status).toBe(status);
    expect(await extension.take()).toEqual([]);
  });

  it('has the path that was authorized, encoded in one way', async () => {
    const path = `${fruits}/namespaces/default%2fapples/a%3fb%23c%25d%0d%0a`;
    await api.get(path);
    const sent = `${fruits}/namespaces/default/apples/a%3Fb%23c%25d%0D%0A`;
    expect((await extension.take()).map(({ url }) => url)).toEqual([sent]);
  });

  it('does not follow redirects, and does not pass them on', async () => {
    const response = await api.get(`${fruits}/redirect`);
    expect(response.headers).not.toHaveProperty('location');
    expect(response).toMatchObject({
      status: 502,
      text: 'the backend attempted to redirect this request, which is not permitted',
    });
  });

  it('fails when the connection breaks before the answer', async () => {
    const { status, text } = await api.get(`${fruits}/reset`);
    expect(status).toBe(503);
    expect(text).toMatch(/^error trying to reach service: .*\n$/);
    await untilCondition(api, 'True Passed');
  });

  it.each(['HTTP/1.1', 'HTTP/2'] as const)('streams bodies in both directions over %s', async (protocol) => {
    const client = new RawClient(api);
    // Larger than the server accepts for its own resources.
    const body = Buffer.alloc(4 * 1024 * 1024, 'x');
    const response = await client.call('POST', `${apples}/mirror`, { protocol, body });
    expect(response.status).toBe(200);
    expect(response.bytes.equals(body)).toBe(true);
    client.close();
  });

  it('may be a watch, which ends with the client', async () => {
    const watch = await api.watch(`${apples}?watch=true`);
    await api.post(apples, { metadata: { name: 'watched' } });
    expect(await watch.take(1)).toEqual(['ADDED watched']);
    await api.delete(`${apples}/watched`);
    expect(await watch.take(1)).toEqual(['DELETED watched']);
    watch.close();
  });

  it('may switch to another protocol, but not carry another request', async () => {
    const { port } = new URL(api.server.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ...api.tls });
    await once(socket, 'secureConnect');
    socket.write(
      `POST ${apples}/one/attach HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Remote-User: root\r\n\r\n` +
        `GET ${apples}/smuggled HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    let text = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      text += chunk;
      if (text.endsWith('Host: x\r\n\r\n')) break;
    }
    expect(text).toMatch(/^HTTP\/1.1 101 Switching Protocols\r\n/);
    socket.end();
    const [upgrade, ...others] = await extension.take();
    expect(upgrade).toMatchObject({
      url: `${apples}/one/attach`,
      headers: { upgrade: 'SPDY/3.1', 'x-remote-user': 'kubernetes-admin' },
    });
    expect(others).toEqual([]);
  });

  it('is refused when it comes back to this server', async () => {
    await api.get(apples);
    const [{ headers }] = (await passedOn()) as [Awaited<ReturnType<typeof passedOn>>[0]];
    expect(await api.get(apples, { headers: { via: String(headers.via) } })).toMatchObject({ status: 508 });
    expect(await passedOn()).toEqual([]);
  });
});

it('a request to a server that does not answer has a deadline', async () => {
  await extension.mode('slow');
  expect((await api.get(`${apples}?timeout=100ms`)).body).toMatchObject({ code: 504, reason: 'Timeout' });
  await extension.mode('normal');
  await untilCondition(api, 'True Passed');
});

describe('a server that goes away', () => {
  it('is unavailable until it is back', async () => {
    await extension.close();
    expect(await api.get(apples)).toMatchObject({
      status: 503,
      text: expect.stringMatching(/^error trying to reach service: .*connection refused\n$/),
    });
    await untilCondition(api, /^False FailedDiscoveryCheck: .*connection refused$/);
    expect(await api.get(apples)).toMatchObject({
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      text: 'service unavailable\n',
    });
    await extension.listen();
    await recheck(api);
    await untilCondition(api, 'True Passed');
    expect((await api.get(apples)).status).toBe(200);
  });

  it('is not verified by another CA', async () => {
    const { caBundle } = (await api.get(fruitsService)).body.spec;
    await api.patch(fruitsService, { spec: { caBundle: Buffer.from(api.tls.ca).toString('base64') } });
    const { status, text } = await api.get(apples);
    expect(status).toBe(503);
    expect(text).toMatch(/certificate signed by unknown authority|service unavailable/);
    await api.patch(fruitsService, { spec: { caBundle } });
    await untilCondition(api, 'True Passed');
    expect((await api.get(apples)).status).toBe(200);
  });
});

it('a given client certificate is shown, and the next one when its files change', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keelson-front-proxy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const authority = await createAuthority('front proxies');
  const files = {
    requestheaderClientCaFile: join(folder, 'ca.crt'),
    proxyClientCertFile: join(folder, 'client.crt'),
    proxyClientKeyFile: join(folder, 'client.key'),
  };
  const write = async (name: string): Promise<void> => {
    const { cert, key } = await issueClient(authority, name);
    await writeFile(files.proxyClientCertFile, cert);
    await writeFile(files.proxyClientKeyFile, key);
  };
  await writeFile(files.requestheaderClientCaFile, authority.cert);
  await write('first');
  const other = await TestApi.start(files);
  onTestFinished(() => other.stop());
  const behind = await ExtensionServer.start(other);
  onTestFinished(() => behind.stop());
  await behind.register(other);
  const shown = async () => {
    await other.get(apples);
    return (await behind.take()).filter(({ url }) => url === apples).at(-1)?.client;
  };
  expect(await shown()).toBe('first');
  await write('second');
  await expect.poll(shown).toBe('second');
});

it('a custom type in the same group version is hidden by the APIService', async () => {
  await define(api, definitionOf({ singular: 'pear', group: 'fruits.example.com' }));
  expect((await api.get(`${fruits}/namespaces/default/pears`)).body).toMatchObject({ code: 404 });
  expect((await api.get(fruitsService)).body.spec.service).toBeDefined();
  expect((await api.get(apples)).status).toBe(200);
});

it('a watch ends when this server stops', async () => {
  const watch = await api.watch(`${apples}?watch=true`);
  await api.server.stop();
  await expect(watch.ended).resolves.toBeUndefined();
});
