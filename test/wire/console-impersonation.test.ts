import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { type Call, TestApi } from './api.ts';
import { links, session, signedIn, signIn, tokenOf, userOf } from './console-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

let api: TestApi;
let server: Server;
let folder: string;
let auditLogPath: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keelson-console-'));
  const file = async (name: string, content: string): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  auditLogPath = join(folder, 'audit.log');
  const rules = [{ level: 'None', users: ['system:apiserver'] }, { level: 'RequestResponse' }];
  api = await TestApi.start(
    {
      console: true,
      tokenAuthFile: await file('tokens.csv', 'secret-of-ann,ann,7,"writers"\nsecret-of-joe,joe,8\n'),
      auditPolicyFile: await file('policy', JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules })),
      auditLogPath,
      auditLogMode: 'blocking',
      explainDenials: true,
    },
    async (options) => {
      server = await startTestedServer(options);
      return server;
    },
  );
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true, force: true });
});

const ann = (headers: Call['headers'] = {}): Call => ({
  credentials: false,
  headers: { authorization: 'Bearer secret-of-ann', ...headers },
});
const asBob = { 'impersonate-user': 'bob' };

/** Gives a user a role. Returns how to take it away. */
async function grant(name: string, rules: readonly object[], user = 'ann'): Promise<() => Promise<unknown>> {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }];
  await api.post(`${rbac}/clusterroles`, { metadata: { name }, rules });
  await api.post(`${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
  return () => api.delete(`${rbac}/clusterrolebindings/${name}`);
}

describe('a link that an impersonating client requests', () => {
  it('signs in the impersonated user, with groups, uid and extra', async () => {
    const headers = {
      'impersonate-user': 'u1',
      'impersonate-group': 'testers',
      'impersonate-uid': '42',
      'impersonate-extra-scope': 'read',
    };
    const user = { username: 'u1', uid: '42', groups: ['testers', 'system:authenticated'], extra: { scope: ['read'] } };
    const token = tokenOf(await api.post(links, {}, { headers }));
    expect((await signIn(api, token)).body).toMatchObject({ user, method: 'session' });
    const own = await signedIn(api, tokenOf(await api.post(links, {}, { headers })));
    expect((await api.get(session, own)).body).toMatchObject({ user, method: 'session' });
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const known = await api.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', review, own);
    expect(known.body.status.userInfo).toEqual(user);
    expect((await api.get(configMaps, own)).body.message).toContain('User "u1" cannot list resource "configmaps"');
    // So does a link of that session.
    const next = await signedIn(api, tokenOf(await api.post(links, {}, own)));
    expect((await api.get(session, next)).body.user).toEqual(user);
    expect((await api.get(configMaps, next)).status).toBe(403);
  });

  it('is refused when it may not impersonate, like the session', async () => {
    for (const method of ['GET', 'DELETE']) {
      expect((await api.call(method, session, ann(asBob))).status).toBe(403);
    }
    const refused = await api.post(links, {}, ann(asBob));
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('cannot impersonate');
    // A visitor may not impersonate either, whatever the token in the body is.
    expect((await signIn(api, 'secret-of-ann', asBob)).status).toBe(403);
  });

  it('depends on the permission to impersonate, for every request', async () => {
    const users = { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['bob'] };
    const revoke = await grant('ann-as-bob', [users]);
    const own = await signedIn(api, tokenOf(await api.post(links, {}, ann(asBob))));
    expect(await userOf(api, own)).toBe('bob');
    const next = await signedIn(api, tokenOf(await api.post(links, {}, own)));
    await revoke();
    for (const made of [own, next]) {
      const { status, body } = await api.get('/version', made);
      expect(status).toBe(403);
      expect(body.message).toContain('User "ann" cannot impersonate');
      expect((await api.post(links, {}, made)).status).toBe(403);
    }
  });

  it('needs in the constrained mode the permission for each action', async () => {
    const paths = (path: string, verb: string) => ({
      nonResourceURLs: [path],
      verbs: [`impersonate-on:user-info:${verb}`],
    });
    const who = {
      apiGroups: ['authentication.k8s.io'],
      resources: ['users'],
      resourceNames: ['carol'],
      verbs: ['impersonate:user-info'],
    };
    const asCarol = ann({ 'impersonate-user': 'carol' });
    await grant('ann-as-carol', [who, paths(session, 'get')]);
    expect((await api.get(session, asCarol)).body.user.username).toBe('carol');
    expect((await api.post(links, {}, asCarol)).status).toBe(403);
    await grant('ann-links-carol', [paths(links, 'post'), paths('/version', 'get')]);
    const own = await signedIn(api, tokenOf(await api.post(links, {}, asCarol)));
    expect(await userOf(api, own)).toBe('carol');
    expect((await api.get('/version', own)).status).toBe(200);
    const refused = await api.get('/api', own);
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('User "ann" cannot impersonate');
  });

  it('begins a session that shows no explanations to its user', async () => {
    const own = await signedIn(api, tokenOf(await api.post(links, {}, { headers: asBob })));
    const explained = { 'keelson-explain-admission': 'true' };
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const path = '/api/v1/namespaces/default/persistentvolumeclaims?dryRun=All';
    await grant('bob-claims', [{ apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['create'] }], 'bob');
    const calls: Call[] = [
      { headers: { ...asBob, ...explained } },
      { ...own, headers: { ...own.headers, ...explained } },
    ];
    const written = await Promise.all(
      calls.map((call) => api.post(path, { metadata: { name: 'explained' }, spec }, call)),
    );
    expect(written.map(({ status }) => status)).toEqual([200, 200]);
    expect(written.map(({ headers }) => headers['keelson-admission'] !== undefined)).toEqual([true, false]);
    const denied = await Promise.all(calls.map((call) => api.get('/api/v1/nodes', call)));
    expect(denied.map(({ status }) => status)).toEqual([403, 403]);
    expect(denied.map(({ headers }) => headers['keelson-denial'] !== undefined)).toEqual([true, false]);
  });

  it('begins a session that cannot impersonate again', async () => {
    const own = await signedIn(api, tokenOf(await api.post(links, {}, { headers: asBob })));
    const { status, body } = await api.get('/version', { ...own, headers: { ...own.headers, ...asBob } });
    expect(status).toBe(403);
    expect(body.message).toContain('cannot impersonate another one');
  });
});

it('a session of the server’s own link can impersonate, and so can its links', async () => {
  const own = await signedIn(api, new URL(server.signInLink!()).hash.slice('#token='.length));
  const made = await api.post(links, {}, { ...own, headers: { ...own.headers, ...asBob } });
  expect(await userOf(api, await signedIn(api, tokenOf(made)))).toBe('bob');
});

it('the endpoints are for those who may ask who they are, or whom a role allows', async () => {
  const basic = `${rbac}/clusterrolebindings/system:basic-user`;
  const { subjects } = (await api.get(basic)).body;
  await api.patch(basic, { subjects: [] });
  expect((await api.post(links, {}, ann())).status).toBe(403);
  expect(await userOf(api, ann())).toBe('ann');
  const own = await signedIn(api, 'secret-of-ann');
  expect(await userOf(api, own)).toBe('ann');
  await grant('ann-links', [{ nonResourceURLs: [links], verbs: ['post'] }]);
  expect((await api.post(links, {}, ann())).status).toBe(200);
  await api.patch(basic, { subjects });
});

it('all requests are in the audit log, without secrets', async () => {
  const before = (await readFile(auditLogPath, 'utf8')).length;
  const secrets: string[] = ['secret-of-joe', 'wrong-token'];
  const joe = { credentials: false, headers: { authorization: 'Bearer secret-of-joe' } };
  const token = tokenOf(await api.post(links, {}, joe));
  const own = await signedIn(api, token);
  secrets.push(token, own.headers!['x-keelson-console']!, own.headers!.cookie!.split('=')[1]!);
  await api.get(session, own);
  await signIn(api, 'wrong-token');
  await signIn(api, 'secret-of-joe');
  secrets.push(tokenOf(await api.post(links, {}, { headers: asBob })));
  await api.post(links, {}, { ...joe, headers: { ...joe.headers, ...asBob } });
  await api.get(session, { ...own, headers: { ...own.headers, origin: 'https://attacker.example' } });
  await api.post(links, {}, { credentials: false, headers: { authorization: 'Bearer wrong-token' } });
  await api.delete(session, own);
  await api.get(session, { credentials: false });
  const lines = (await readFile(auditLogPath, 'utf8')).slice(before);
  for (const secret of secrets) expect(lines).not.toContain(secret);
  const events = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ stage }) => stage !== 'RequestReceived');
  const shown = events.map(({ verb, requestURI, user, impersonatedUser, responseStatus, annotations }) => [
    `${verb} ${requestURI}`,
    responseStatus.code,
    user.username,
    impersonatedUser?.username ?? annotations?.['console.keelson/signed-in'],
  ]);
  const visitor = 'system:anonymous';
  // With several threads, the lines may be in another order.
  expect(shown.toSorted()).toEqual(
    [
      [`post ${links}`, 200, 'joe', undefined],
      [`post ${session}`, 200, visitor, 'joe'],
      [`get ${session}`, 200, 'joe', undefined],
      [`post ${session}`, 401, visitor, undefined],
      [`post ${session}`, 200, visitor, 'joe'],
      [`post ${links}`, 200, 'kubernetes-admin', 'bob'],
      [`post ${links}`, 403, 'joe', undefined],
      [`get ${session}`, 403, undefined, undefined],
      [`post ${links}`, 401, undefined, undefined],
      [`delete ${session}`, 200, 'joe', undefined],
      [`get ${session}`, 200, visitor, undefined],
    ].toSorted(),
  );
});
