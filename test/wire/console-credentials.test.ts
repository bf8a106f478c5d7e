import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type JsonServer, startJsonServer } from '../../src/client/test-json-server.conformance.ts';
import type { ServerOptions } from '../../src/index.ts';
import { ManualClock } from '../../src/testing/manual-clock.ts';
import { isClockFast } from '../clock/is-clock-fast.ts';
import { testedThreads } from '../shared-store/start-tested-server.ts';
import { type ApiResponse, type Call, TestApi } from './api.ts';
import { createAuthority, issueClient, issueUnusual, type KeyPair } from './certificates.ts';
import { callOf, linkBy, links, session, signedIn, signIn, tokenOf, userOf } from './console-client.ts';
import { kubeconfigFor } from './kubeconfig-for.ts';
import { createKeyPair, issueToken, OpenIdIssuer } from './openid-issuer.ts';

const account = '/api/v1/namespaces/default/serviceaccounts/maker';
const secret = '/api/v1/namespaces/default/secrets/bound';
const maker = 'system:serviceaccount:default:maker';
const minute = 60_000;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-credentials-'));
  return () => rm(directory, { recursive: true, force: true });
});

async function file(name: string, content: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

async function started(options: ServerOptions = {}): Promise<TestApi> {
  const api = await TestApi.start({ console: true, ...options });
  onTestFinished(() => api.stop());
  return api;
}

const bearer = (token: string): Call => ({ credentials: false, headers: { authorization: `Bearer ${token}` } });

async function tokenFor(api: TestApi, spec: object = {}): Promise<string> {
  await api.post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'maker' } });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  return (await api.post(`${account}/token`, request)).body.status.token;
}

interface Case {
  readonly api: TestApi;
  readonly user: string;
  /** Returns the token of a new link. */
  readonly link: () => Promise<string>;
  /** Makes the credential void. */
  readonly end: () => unknown;
}

async function byToken(api: TestApi, token: string, end: Case['end'], user = maker): Promise<Case> {
  return { api, user, link: async () => tokenOf(await api.post(links, {}, bearer(token))), end };
}

async function byCertificate(api: TestApi, pair: KeyPair, end: Case['end']): Promise<Case> {
  return { api, user: 'jane', link: async () => tokenOf(await linkBy(api, pair)), end };
}

const cases: readonly (readonly [string, () => Promise<Case>])[] = [
  [
    'the service account of a token is deleted',
    async () => {
      const api = await started();
      return byToken(api, await tokenFor(api), () => api.delete(account));
    },
  ],
  [
    'the service account of a token is another one',
    async () => {
      const api = await started();
      return byToken(api, await tokenFor(api), async () => {
        await api.delete(account);
        await tokenFor(api);
      });
    },
  ],
  [
    'the secret to which a token is bound is deleted',
    async () => {
      const api = await started();
      await api.post('/api/v1/namespaces/default/secrets', { metadata: { name: 'bound' } });
      const token = await tokenFor(api, { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'bound' } });
      return byToken(api, token, () => api.delete(secret));
    },
  ],
  [
    'the CA of a client certificate is replaced',
    async () => {
      const authority = await createAuthority('clients');
      const clientCaFile = await file('clients.crt', authority.cert);
      const api = await started({ clientCaFile });
      const pair = await issueClient(authority, 'jane');
      return byCertificate(api, pair, async () => {
        await writeFile(clientCaFile, (await createAuthority('others')).cert);
        await expect.poll(async () => (await linkBy(api, pair)).status).toBe(401);
      });
    },
  ],
  [
    'the CA of an intermediate CA is replaced',
    async () => {
      const authority = await createAuthority('clients');
      const clientCaFile = await file('clients.crt', authority.cert);
      const api = await started({ clientCaFile });
      const middle = await issueUnusual(authority, { user: 'middle', isAuthority: true });
      const { cert, key } = await issueClient(middle, 'jane');
      const pair = { cert: `${cert}\n${middle.cert}`, key };
      return byCertificate(api, pair, async () => {
        await writeFile(clientCaFile, (await createAuthority('others')).cert);
        await expect.poll(async () => (await linkBy(api, pair)).status).toBe(401);
      });
    },
  ],
  [
    'the CA of a front proxy is replaced',
    async () => {
      const authority = await createAuthority('front proxies');
      const requestheaderClientCaFile = await file('proxies.crt', authority.cert);
      const api = await started({ requestheaderClientCaFile });
      const pair = await issueClient(authority, 'the proxy');
      const headers = { 'x-remote-user': 'jane', 'x-remote-group': 'dev' };
      return {
        api,
        user: 'jane',
        link: async () => tokenOf(await linkBy(api, pair, headers)),
        end: async () => {
          await writeFile(requestheaderClientCaFile, (await createAuthority('others')).cert);
          await expect.poll(async () => (await linkBy(api, pair, headers)).status).toBe(401);
        },
      };
    },
  ],
];

/** A clock belongs to one thread. */
const timed: typeof cases = [
  [
    'the token of a service account expires',
    async () => {
      const clock = new ManualClock();
      const api = await started({ clock });
      return byToken(api, await tokenFor(api, { expirationSeconds: 600 }), () => clock.advance(15 * minute));
    },
  ],
  [
    'the webhook no longer accepts the token',
    async () => {
      const clock = new ManualClock(new Date());
      let authenticated = true;
      const hook: JsonServer = await startJsonServer({
        responses: [
          (response) => {
            const status = authenticated ? { authenticated, user: { username: 'ann', uid: '9' } } : { authenticated };
            response.setHeader('content-type', 'application/json');
            response.end(JSON.stringify({ kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', status }));
          },
        ],
      });
      const api = await started({
        clock,
        authenticationTokenWebhookConfigFile: await file('webhook.yaml', kubeconfigFor(hook)),
        authenticationTokenWebhookVersion: 'v1',
        authenticationTokenWebhookCacheTtlMs: 0,
      });
      const end = async (): Promise<void> => {
        authenticated = false;
        // Accepted tokens are cached for ten seconds.
        await clock.advance(minute);
      };
      return byToken(api, 'far-away', end, 'ann');
    },
  ],
];

async function expectEnd(_: string, prepare: () => Promise<Case>): Promise<void> {
  const { api, user, link, end } = await prepare();
  const first = await signedIn(api, await link());
  expect(await userOf(api, first)).toBe(user);
  const second = await signedIn(api, tokenOf(await api.post(links, {}, first)));
  const third = await signedIn(api, tokenOf(await api.post(links, {}, second)));
  expect(await userOf(api, third)).toBe(user);
  const unused = tokenOf(await api.post(links, {}, third));
  await end();
  for (const made of [first, second, third]) {
    expect((await api.get('/version', made)).status).toBe(401);
    expect((await api.post(links, {}, made)).status).toBe(401);
    expect(await api.get(session, made)).toMatchObject({ status: 200, body: { user: null } });
  }
  expect((await signIn(api, unused)).status).toBe(401);
}

it.each(cases)('sessions and links end when %s', expectEnd);
it.skipIf(testedThreads > 1).each(timed)('sessions and links end when %s', expectEnd);

/** Returns how to request a link with a credential that expires after this time. */
type Brief = () => Promise<{ api: TestApi; link: (lifetimeMs: number) => Promise<ApiResponse> }>;

const expiring: readonly (readonly [string, Brief])[] = [
  [
    'a client certificate',
    async () => {
      const authority = await createAuthority('clients');
      const api = await started({ clientCaFile: await file('clients.crt', authority.cert) });
      const pair = (lifetimeMs: number) =>
        issueUnusual(authority, { user: 'jane', notAfter: new Date(Date.now() + lifetimeMs) });
      return { api, link: async (lifetimeMs) => linkBy(api, await pair(lifetimeMs)) };
    },
  ],
  [
    'the token of an issuer',
    async () => {
      const issuer = await OpenIdIssuer.start();
      onTestFinished(() => issuer.stop());
      const pair = createKeyPair('one');
      issuer.keys = [pair];
      const api = await started({
        oidcIssuerUrl: issuer.url,
        oidcClientId: 'keelson',
        oidcSigningAlgs: ['ES256'],
        oidcCaFile: await file('issuer.crt', issuer.authority),
      });
      const token = (lifetimeMs: number): string => {
        const exp = Math.ceil((Date.now() + lifetimeMs) / 1000);
        return issueToken({ iss: issuer.url, aud: 'keelson', sub: 'ann', exp }, pair);
      };
      return { api, link: (lifetimeMs) => api.post(links, {}, bearer(token(lifetimeMs))) };
    },
  ],
];

// OpenSSL uses the real clock.
it.skipIf(isClockFast).each(expiring)('sessions end when %s expires', async (_, prepare) => {
  const { api, link } = await prepare();
  // On a busy machine, the credential may expire before the session has begun.
  const begun = async (lifetimeMs: number): Promise<Call> => {
    const made = await link(lifetimeMs);
    const response = made.status === 200 ? await signIn(api, tokenOf(made)) : made;
    const call = response.status === 200 ? callOf(response) : undefined;
    return call !== undefined && (await userOf(api, call)) !== undefined ? call : begun(lifetimeMs * 2);
  };
  const first = await begun(1_500);
  await expect.poll(async () => (await api.get('/version', first)).status, { interval: 100 }).toBe(401);
  expect((await api.post(links, {}, first)).status).toBe(401);
});

describe('the time of a session', () => {
  it('counts from the first sign-in, also for those of its links', async () => {
    const api = await started();
    const first = await signedIn(api, tokenOf(await api.post(links, {})));
    const second = await signedIn(api, tokenOf(await api.post(links, {}, first)));
    const third = await signedIn(api, tokenOf(await api.post(links, {}, second)));
    expect([second.expiresAt, third.expiresAt]).toEqual([first.expiresAt, first.expiresAt]);
  });
});
