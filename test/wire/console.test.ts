import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { type ApiResponse, TestApi } from './api.ts';

let api: TestApi;
let server: Server;
let folder: string;
let port: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keelson-console-'));
  const tokenAuthFile = join(folder, 'tokens.csv');
  await writeFile(tokenAuthFile, 'secret-of-ann,ann,7,"writers"\n');
  api = await TestApi.start({ console: true, tokenAuthFile }, async (options) => {
    server = await startTestedServer(options);
    return server;
  });
  port = new URL(server.url).port;
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

const session = '/console/session';
const namespaces = '/api/v1/namespaces';
const rebound = (): string => `attacker.example:${port}`;
const linkToken = (): string => new URL(server.signInLink!()).hash.slice('#token='.length);

type Headers = Record<string, string>;

const signIn = (token: string, headers: Headers = {}): Promise<ApiResponse> =>
  api.post(session, { token }, { credentials: false, headers: { 'x-keelson-console': 'sign-in', ...headers } });

/** Returns the headers that the page sends with every request. */
async function signedIn(token: string): Promise<Headers & { cookie: string }> {
  const { status, body, headers } = await signIn(token);
  expect(status).toBe(200);
  return { cookie: headers['set-cookie']![0]!.split(';')[0]!, 'x-keelson-console': body.proof };
}

const as = (headers: Headers) => ({ credentials: false, headers });

it('has no audit events to show where there is no audit log', async () => {
  expect((await api.get('/keelson/audit')).status).toBe(404);
});

describe('a sign-in', () => {
  it('by link makes the browser an administrator, once', async () => {
    const link = new URL(server.signInLink!());
    expect(link).toMatchObject({ origin: new URL(server.url).origin, pathname: '/console/', search: '' });
    const token = link.hash.slice('#token='.length);
    const { status, body, headers } = await signIn(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      user: { username: 'kubernetes-admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} },
      method: 'session',
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      proof: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(
          `^__Host-keelson-${port}=[\\w-]{43}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=4[23]\\d{3}$`,
        ),
      ),
    ]);
    expect((await signIn(token)).status).toBe(401);
  });

  it('by a newer link makes the older one worthless', async () => {
    const [older, newer] = [linkToken(), linkToken()];
    expect((await signIn(older)).status).toBe(401);
    expect((await signIn(newer)).status).toBe(200);
  });

  it('by bearer token is that of its user, with the permissions of RBAC', async () => {
    const headers = await signedIn('secret-of-ann');
    expect((await api.get(session, as(headers))).body).toEqual({
      user: { username: 'ann', uid: '7', groups: ['writers', 'system:authenticated'], extra: {} },
      method: 'session',
      expiresAt: expect.any(String),
    });
    const response = await api.get(namespaces, as(headers));
    expect(response.status).toBe(403);
    expect(response.body.message).toContain('User "ann" cannot list resource "namespaces"');
  });

  it.each([
    ['a wrong token', { token: 'x' }, {}, 401],
    ['no token', {}, {}, 400],
    ['a token that is no text', { token: 7 }, {}, 400],
    ['null', null, {}, 400],
    ['no JSON', 'secret-of-ann', {}, 400],
    ['too much', { token: 'x'.repeat(70_000) }, {}, 413],
    ['a form of another page', { token: 'secret-of-ann' }, { 'content-type': 'text/plain' }, 403],
    ['another origin', { token: 'secret-of-ann' }, { origin: 'https://attacker.example' }, 403],
    ['another port', { token: 'secret-of-ann' }, { origin: 'https://127.0.0.1' }, 403],
    ['a page of the same site', { token: 'secret-of-ann' }, { 'sec-fetch-site': 'same-site' }, 403],
    ['a foreign name', { token: 'secret-of-ann' }, { host: 'attacker.example' }, 403],
    ['a name with a user', { token: 'secret-of-ann' }, { host: 'attacker.example@127.0.0.1' }, 403],
  ] as const)('is refused: %s', async (_, body, headers, status) => {
    const response = await api.post(session, body, as({ 'x-keelson-console': 'sign-in', ...headers }));
    expect(response).toMatchObject({ status, body: { kind: 'Status' } });
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(response.text).not.toContain('secret-of-ann');
  });

  it('without the header that only the page can send is refused', async () => {
    expect((await api.post(session, { token: 'secret-of-ann' }, { credentials: false })).status).toBe(403);
  });

  it('ends the oldest session of a user who has many', async () => {
    const first = await signedIn('secret-of-ann');
    for (let count = 0; count < 15; count++) await signedIn('secret-of-ann');
    expect((await api.get(session, as(first))).body.user).not.toBeNull();
    await signedIn('secret-of-ann');
    expect((await api.get(session, as(first))).body.user).toBeNull();
  });
});

describe('a session', () => {
  let own: Headers & { cookie: string };
  beforeAll(async () => {
    own = await signedIn(linkToken());
  });

  it('reads, writes and watches', async () => {
    expect((await api.get(namespaces, as(own))).status).toBe(200);
    const path = `${namespaces}/default/configmaps`;
    const created = await api.post(path, { metadata: { name: 'by-session' } }, as({ ...own, origin: server.url }));
    expect(created.status).toBe(200);
    const watched = await api.get(`${path}?watch=1&timeoutSeconds=1&allowWatchBookmarks=1`, as(own));
    expect(watched.text).toContain('by-session');
    expect((await api.delete(`${path}/by-session`, as({ ...own, 'sec-fetch-site': 'same-origin' }))).status).toBe(200);
  });

  it('is found among the cookies that HTTP/2 splits', async () => {
    const client = connect(server.url, { ca: api.tls.ca });
    onTestFinished(() => client.destroy());
    const stream = client.request({
      ':path': namespaces,
      cookie: ['a=b', own.cookie, 'c=d'],
      'x-keelson-console': own['x-keelson-console'],
    });
    const [headers] = await once(stream, 'response');
    stream.resume();
    expect(headers[':status']).toBe(200);
  });

  const attacks: readonly (readonly [string, (headers: Headers) => Headers, number])[] = [
    ['the cookie alone', ({ cookie }) => ({ cookie: cookie! }), 401],
    ['the proof alone', ({ 'x-keelson-console': proof }) => ({ 'x-keelson-console': proof! }), 401],
    ['another proof', (headers) => ({ ...headers, 'x-keelson-console': 'x' }), 401],
    ['another id', (headers) => ({ ...headers, cookie: `${headers.cookie}x` }), 401],
    ['the name of another port', (headers) => ({ ...headers, cookie: headers.cookie!.replace(port, '1') }), 401],
    ['an expired one and nothing else', () => ({ cookie: `__Host-keelson-${port}=x`, 'x-keelson-console': 'x' }), 401],
    ['another origin', (headers) => ({ ...headers, origin: 'https://attacker.example' }), 403],
    ['the origin null', (headers) => ({ ...headers, origin: 'null' }), 403],
    ['plain HTTP', (headers) => ({ ...headers, origin: server.url.replace('https', 'http') }), 403],
    ['another port', (headers) => ({ ...headers, origin: `${server.url}0` }), 403],
    ['a page of the same site', (headers) => ({ ...headers, 'sec-fetch-site': 'same-site' }), 403],
    ['a page of another site', (headers) => ({ ...headers, 'sec-fetch-site': 'cross-site' }), 403],
    ['a rebound name', (headers) => ({ ...headers, host: rebound() }), 403],
    ['a rebound name as origin', (headers) => ({ ...headers, host: rebound(), origin: `https://${rebound()}` }), 403],
    ['the cookie alone from another site', ({ cookie }) => ({ cookie: cookie!, 'sec-fetch-site': 'cross-site' }), 403],
  ];
  it.each(attacks)('is of no use with %s', async (_, change, status) => {
    expect((await api.get(namespaces, as(change(own)))).status).toBe(status);
    const path = `${namespaces}/default/configmaps`;
    expect((await api.post(path, { metadata: { name: 'stolen' } }, as(change(own)))).status).toBe(status);
    expect((await api.get(`${path}/stolen`)).status).toBe(404);
  });

  it.each(['localhost', '127.0.0.1', '[::1]', 'kubernetes.default.svc'])('works under the name %s', async (name) => {
    const host = `${name}:${port}`;
    expect((await api.get(namespaces, as({ ...own, host, origin: `https://${host}` }))).status).toBe(200);
  });

  it('gives way to a credential that the client states', async () => {
    const response = await api.get(session, as({ ...own, authorization: 'Bearer secret-of-ann' }));
    expect(response.body).toMatchObject({ user: { username: 'ann' }, method: 'credentials' });
    expect((await api.get(namespaces, as({ ...own, authorization: 'Bearer x' }))).status).toBe(401);
  });

  it('ends with a sign-out, which needs the proof', async () => {
    const headers = await signedIn(linkToken());
    expect((await api.delete(session, as({ cookie: headers.cookie }))).status).toBe(403);
    await api.delete(session, as({ ...headers, 'x-keelson-console': 'x' }));
    expect((await api.get(namespaces, as(headers))).status).toBe(200);
    const response = await api.delete(session, as(headers));
    expect(response).toMatchObject({ status: 200, body: { user: null } });
    expect(response.headers['set-cookie']![0]).toContain('Max-Age=0');
    expect((await api.get(namespaces, as(headers))).status).toBe(401);
    expect((await api.get(session, as(headers))).body).toEqual({ user: null });
  });

  it('ends when its bearer token is revoked', async () => {
    const accounts = `${namespaces}/default/serviceaccounts`;
    await api.post(accounts, { metadata: { name: 'brief' } });
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const { body } = await api.post(`${accounts}/brief/token`, request);
    const headers = await signedIn(body.status.token);
    expect((await api.get(session, as(headers))).body.user.username).toBe('system:serviceaccount:default:brief');
    await api.delete(`${accounts}/brief`);
    expect((await api.get(session, as(headers))).body).toEqual({ user: null });
    expect((await api.get(namespaces, as(headers))).status).toBe(401);
  });
});

describe('who is signed in', () => {
  it('is no user without a credential', async () => {
    expect(await api.get(session, { credentials: false })).toMatchObject({ status: 200, body: { user: null } });
  });

  it('is the user of a client certificate', async () => {
    expect((await api.get(session)).body).toMatchObject({
      user: { username: 'kubernetes-admin' },
      method: 'credentials',
    });
  });

  it.each(['PUT', 'PATCH', 'OPTIONS'])('is not changed by %s', async (method) => {
    expect((await api.call(method, session)).status).toBe(405);
  });
});

describe('a new link', () => {
  const links = '/console/links';

  it('signs in as the user who requested it', async () => {
    const made = await api.post(links, {}, as({ authorization: 'Bearer secret-of-ann' }));
    expect(made.status).toBe(200);
    const token = made.body.path.split('=')[1];
    expect((await api.get(session, as(await signedIn(token)))).body.user.username).toBe('ann');
  });

  it.each([
    ['nobody', 'POST', {}, 401],
    ['another origin', 'POST', { origin: 'https://attacker.example', authorization: 'Bearer secret-of-ann' }, 403],
    ['a read', 'GET', { authorization: 'Bearer secret-of-ann' }, 405],
  ] as const)('is not for %s', async (_, method, headers, status) => {
    expect((await api.call(method, links, as(headers))).status).toBe(status);
  });
});

describe('pages', () => {
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it('are the target of a redirect for browsers, but not for other clients', async () => {
    for (const path of ['/', '/console']) {
      expect(await api.get(path, as(html))).toMatchObject({ status: 302, headers: { location: '/console/' } });
    }
    expect((await api.get('/')).body.paths).toContain('/api');
  });

  it('are protected by their headers', async () => {
    const { headers } = await api.get('/console', as(html));
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    const policy = String(headers['content-security-policy']);
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  it.each([
    [{ host: 'attacker.example' }, 403],
    [{ origin: 'https://attacker.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 302],
  ] as readonly (readonly [Headers, number])[])('asked for with %j: %i', async (headers, status) => {
    expect((await api.get('/', as({ ...html, ...headers }))).status).toBe(status);
  });

  it('are read only', async () => {
    expect((await api.post('/console/', {})).status).toBe(405);
  });
});
