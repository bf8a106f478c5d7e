import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type JsonServer, startJsonServer } from '../../src/client/test-json-server.conformance.ts';
import type { ServerOptions } from '../../src/index.ts';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import { type ApiResponse, TestApi } from './api.ts';
import { kubeconfigFor } from './kubeconfig-for.ts';
import { createKeyPair, issueToken, OpenIdIssuer } from './openid-issuer.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-identity-'));
  return () => rm(directory, { recursive: true, force: true });
});

async function started(options: ServerOptions): Promise<TestApi> {
  const api = await TestApi.start(options);
  onTestFinished(() => api.stop());
  return api;
}

async function file(name: string, content: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

interface TokenReview {
  readonly spec: { readonly token: string };
}

const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

function whoAmI(api: TestApi, token: string | undefined): Promise<ApiResponse> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return api.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', review, { credentials: false, headers });
}

it('knows the tokens of a file', async () => {
  const tokenAuthFile = await file('tokens.csv', 'one,jane,u-1,"dev,ops"\ntwo,joe,u-2\n');
  const api = await started({ tokenAuthFile });
  expect((await whoAmI(api, 'one')).body.status.userInfo).toEqual({
    username: 'jane',
    uid: 'u-1',
    groups: ['dev', 'ops', 'system:authenticated'],
  });
  expect((await whoAmI(api, 'two')).body.status.userInfo).toMatchObject({ username: 'joe' });
  const refused = await whoAmI(api, 'three');
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  const warned = await api.get('/version', { credentials: false, headers: { authorization: 'Bearer  one' } });
  expect([warned.status, warned.headers.warning]).toEqual([401, expect.stringContaining('extra space')]);
});

it('knows bootstrap tokens as long as their secret is good', async () => {
  const api = await started({ enableBootstrapTokenAuth: true });
  const path = '/api/v1/namespaces/kube-system/secrets';
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  await api.post(path, {
    metadata: { name: 'bootstrap-token-abc123' },
    type: 'bootstrap.kubernetes.io/token',
    data: {
      'token-id': encoded('abc123'),
      'token-secret': encoded('0123456789abcdef'),
      'usage-bootstrap-authentication': encoded('true'),
    },
  });
  const known = await whoAmI(api, 'abc123.0123456789abcdef');
  expect(known.body.status.userInfo).toMatchObject({
    username: 'system:bootstrap:abc123',
    groups: ['system:bootstrappers', 'system:authenticated'],
  });
  expect((await whoAmI(api, 'abc123.0123456789abcdee')).status).toBe(401);
  await api.delete(`${path}/bootstrap-token-abc123`);
  expect((await whoAmI(api, 'abc123.0123456789abcdef')).status).toBe(401);
});

describe('ID tokens', () => {
  async function issuer() {
    const one = await OpenIdIssuer.start();
    onTestFinished(() => one.stop());
    const key = createKeyPair('k1');
    one.keys = [key];
    const claims = { iss: one.url, aud: 'keelson', sub: 'jane', exp: Math.floor(Date.now() / 1000) + 600, team: ['a'] };
    return { one, key, claims };
  }

  it('are accepted by the flags', async () => {
    const { one, key, claims } = await issuer();
    const api = await started({
      oidcIssuerUrl: one.url,
      oidcClientId: 'keelson',
      oidcGroupsClaim: 'team',
      oidcGroupsPrefix: 'oidc:',
      oidcSigningAlgs: ['ES256'],
      oidcCaFile: await file('ca.crt', one.authority),
    });
    expect((await whoAmI(api, issueToken(claims, key))).body.status.userInfo).toMatchObject({
      username: `${one.url}#jane`,
      groups: ['oidc:a', 'system:authenticated'],
    });
    expect((await whoAmI(api, issueToken({ ...claims, aud: 'other' }, key))).status).toBe(401);
  });

  it('are accepted by a configuration, which may change', async () => {
    const { one, key, claims } = await issuer();
    const configuration = (username: string, more = {}) =>
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthenticationConfiguration',
        jwt: [
          {
            issuer: { url: one.url, audiences: ['keelson'], certificateAuthority: one.authority },
            claimMappings: {
              username: { expression: username },
              groups: { expression: 'claims.team.map(t, "team:" + t)' },
              extra: [{ key: 'ex.io/team', valueExpression: 'claims.team' }],
            },
          },
        ],
        ...more,
      });
    const path = await file('authentication.yaml', configuration('"a:" + claims.sub'));
    const errors: string[] = [];
    const log = { info: () => {}, error: (message: string) => errors.push(message), flush: () => Promise.resolve() };
    const api = await started({ authenticationConfig: path, log });
    const token = issueToken(claims, key);
    expect((await whoAmI(api, token)).body.status.userInfo).toEqual({
      username: 'a:jane',
      groups: ['team:a', 'system:authenticated'],
      extra: { 'ex.io/team': ['a'] },
    });
    expect((await whoAmI(api, undefined)).status).toBe(401);

    await writeFile(path, 'jwt: {');
    await vi.waitFor(() => expect(errors).toContain('authentication configuration not reloaded'));
    expect((await whoAmI(api, token)).body.status.userInfo.username).toBe('a:jane');

    await writeFile(path, configuration('"b:" + claims.sub', { anonymous: { enabled: true } }));
    await vi.waitFor(async () => expect((await whoAmI(api, token)).body.status.userInfo.username).toBe('b:jane'));
    // Each thread reloads the file.
    const anonymous = async (): Promise<string> => (await whoAmI(api, undefined)).body.message;
    await vi.waitFor(async () => expect(await anonymous()).toContain('User "system:anonymous" cannot create'));
  });
});

it('asks a webhook about unknown tokens', async () => {
  const apiVersion = 'authentication.k8s.io/v1';
  const user = { username: 'ann', uid: '9', groups: ['far'] };
  const known = { authenticated: true, user };
  const reviewsOf = (token: string) => hook.seen.filter(({ body }) => (body as TokenReview).spec.token === token);
  const hook: JsonServer = await startJsonServer({
    responses: [
      (response) => {
        const { token } = (hook.seen.at(-1)!.body as TokenReview).spec;
        const status = token === 'far-away' ? known : { authenticated: false };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ kind: 'TokenReview', apiVersion, status }));
      },
    ],
  });
  const api = await started({
    authenticationTokenWebhookConfigFile: await file('webhook.yaml', kubeconfigFor(hook)),
    authenticationTokenWebhookVersion: 'v1',
  });
  expect((await whoAmI(api, 'far-away')).body.status.userInfo).toEqual({
    ...user,
    groups: ['far', 'system:authenticated'],
  });
  for (let again = 0; again < 4; again++) expect((await whoAmI(api, 'far-away')).status).toBe(200);
  // Each thread caches the response.
  expect(reviewsOf('far-away').length).toBeLessThanOrEqual(testedThreads);
  expect(hook.seen[0]!.body).toMatchObject({ apiVersion, spec: { token: 'far-away' } });
  expect((await whoAmI(api, 'made-up')).status).toBe(401);
});
