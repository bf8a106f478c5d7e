import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';
import { decodedToken, forgedToken, keyedBy, signedBy, unsigned } from './forged-token.ts';

const keys = { ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const seconds = Math.floor(Date.now() / 1000);

let api: TestApi;
let directory: string;
/** A token that the server has issued. */
let genuine: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-tokens-'));
  const serviceAccountSigningKeyFile = join(directory, 'signing.key');
  await writeFile(serviceAccountSigningKeyFile, pem(keys.ec.privateKey));
  // With anonymous requests allowed, a request whose invalid token is ignored would succeed, which the tests detect.
  api = await TestApi.start({ serviceAccountSigningKeyFile, anonymousAuth: true });
  await api.post(accounts, { metadata: { name: 'bot' } });
  genuine = await issued('bot');
});
afterAll(async () => {
  await api.stop();
  await rm(directory, { recursive: true, force: true });
});

function pem(key: KeyObject): string {
  return key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }) as string;
}

async function issued(account: string, spec: object = {}): Promise<string> {
  const { body } = await api.post(`${accounts}/${account}/token`, { spec });
  return body.status.token;
}

function as(token: string, path = '/version'): Promise<ApiResponse> {
  return api.get(path, { credentials: false, headers: { authorization: `Bearer ${token}` } });
}

/** Expects that the token is rejected in requests and in token reviews, even for paths that are public. */
async function isRefused(token: string): Promise<void> {
  const { status, body, text } = await as(token);
  expect(status, text).toBe(401);
  expect(body).toMatchObject({ message: 'Unauthorized', reason: 'Unauthorized' });
  const review = await api.post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
  expect(review.body.status?.authenticated ?? false).toBe(false);
  expect(JSON.stringify(review.body.status)).not.toContain(token.split('.').at(-1) || token);
}

type Forgery = (claims: Record<string, unknown>, header: Record<string, unknown>) => string;

const byUs = signedBy(keys.ec.privateKey);
const ours = createPublicKey(keys.ec.privateKey);
const changed =
  (changes: object): Forgery =>
  (claims, header) =>
    forgedToken(header, { ...claims, ...changes }, byUs);
const headed =
  (changes: object, signed = byUs): Forgery =>
  (claims, header) =>
    forgedToken({ ...header, ...changes }, claims, signed);

describe('a token', () => {
  it('is good if the server has issued it', async () => {
    expect((await as(genuine)).status).toBe(200);
    const { header, claims } = decodedToken(genuine);
    // This shows that the forgeries below fail only because of their changes.
    expect((await as(forgedToken(header, claims, byUs))).status).toBe(200);
  });

  const account =
    (changes: object): Forgery =>
    (claims, header) => {
      const own = claims['kubernetes.io'] as { serviceaccount: object };
      return changed({ 'kubernetes.io': { ...own, ...changes } })(claims, header);
    };
  it.each<[string, Forgery]>([
    ['that has expired', changed({ exp: seconds - 120 })],
    ['that is not yet valid', changed({ nbf: seconds + 600 })],
    ['from the future', changed({ iat: seconds + 600 })],
    ['for another audience', changed({ aud: ['vault'] })],
    ['of another issuer', changed({ iss: 'https://elsewhere.example.com' })],
    ['of the issuer with a slash', changed({ iss: 'https://kubernetes.default.svc.cluster.local/' })],
    ['of the issuer of secrets', changed({ iss: 'kubernetes/serviceaccount' })],
    ['of another uid', account({ serviceaccount: { name: 'bot', uid: 'x' } })],
    ['of an account that is not there', account({ serviceaccount: { name: 'absent', uid: 'x' } })],
    ['of another namespace', account({ namespace: 'kube-system' })],
    ['bound to a pod that is not there', account({ pod: { name: 'p', uid: 'u' } })],
    ['bound to a secret that is not there', account({ secret: { name: 's', uid: 'u' } })],
    ['bound to a node that is not there', account({ node: { name: 'n', uid: 'u' } })],
    ['with alg none', headed({ alg: 'none' }, unsigned)],
    ['with alg None', headed({ alg: 'None' }, unsigned)],
    ['with alg NONE and a signature', headed({ alg: 'NONE' })],
    ['with HS256 and the public key as PEM', headed({ alg: 'HS256' }, keyedBy(pem(ours)))],
    [
      'with HS256 and the public key as DER',
      headed({ alg: 'HS256' }, keyedBy(ours.export({ type: 'spki', format: 'der' }))),
    ],
    ['of another key under our name', headed({}, signedBy(stranger.privateKey))],
    ['of another key without a name', headed({ kid: undefined }, signedBy(stranger.privateKey))],
    [
      'of another key that it brings',
      headed({ jwk: stranger.publicKey.export({ format: 'jwk' }) }, signedBy(stranger.privateKey)),
    ],
    ['with the name of no key', headed({ kid: '../../dev/null' })],
    ['with other claims under the signature', (claims) => withClaims({ ...claims, sub: 'system:admin' })],
    ['without a signature', () => genuine.replace(/[^.]*$/, '')],
    ['that goes on', () => `${genuine}A`],
    ['twice', () => `${genuine},${genuine}`],
    ['that is long', (claims, header) => forgedToken(header, { ...claims, x: 'x'.repeat(40_000) }, unsigned)],
    ['that is nothing but dots', () => '.'.repeat(1000)],
    ['that is not ASCII', () => Buffer.from('tökén.tökén.tökén').toString('latin1')],
  ])('%s is refused', async (_what, forge) => {
    const { header, claims } = decodedToken(genuine);
    await isRefused(forge(claims, header));
  });

  const withClaims = (claims: object): string => {
    const [header, , signature] = genuine.split('.');
    return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
  };

  it.each<[string, object]>([
    ['another account', { sub: 'system:serviceaccount:kube-system:bot' }],
    ['an administrator', { sub: 'kubernetes-admin' }],
    ['groups', { groups: ['system:masters'], 'kubernetes.io/groups': ['system:masters'] }],
  ])('stands for the account in it, also when it says %s', async (_what, changes) => {
    const { header, claims } = decodedToken(genuine);
    const { text } = await as(forgedToken(header, { ...claims, ...changes }, byUs), '/api/v1/namespaces');
    expect(text).toContain('User \\"system:serviceaccount:default:bot\\" cannot list');
  });

  it('gets no response of a resource if it is longer than headers may be', async () => {
    const { status } = await as('x'.repeat(200_000));
    expect(status).toBe(431);
  });

  it('is refused if it is changed anywhere', async () => {
    const last = genuine.length - 1;
    const places = [
      0,
      1,
      5,
      20,
      genuine.indexOf('.'),
      genuine.indexOf('.') + 9,
      genuine.lastIndexOf('.'),
      last - 20,
      last,
    ];
    for (const at of places) {
      const letter = genuine[at] === 'A' ? 'B' : 'A';
      expect((await as(genuine.slice(0, at) + letter + genuine.slice(at + 1))).status, `at ${at}`).toBe(401);
    }
  });
});

describe('a token is no longer good', () => {
  it('when its account is gone, nor when one of the same name has come', async () => {
    await api.post(accounts, { metadata: { name: 'short' } });
    const token = await issued('short');
    expect((await as(token)).status).toBe(200);
    await api.delete(`${accounts}/short`);
    await isRefused(token);
    await api.post(accounts, { metadata: { name: 'short' } });
    await isRefused(token);
    expect((await as(await issued('short'))).status).toBe(200);
  });

  const pod = {
    metadata: { name: 'bound' },
    spec: { serviceAccountName: 'bot', containers: [{ name: 'c', image: 'i' }] },
  };
  it.each<[string, string, object]>([
    ['Pod', '/api/v1/namespaces/default/pods', pod],
    ['Secret', '/api/v1/namespaces/default/secrets', { metadata: { name: 'bound' } }],
    ['Node', '/api/v1/nodes', { metadata: { name: 'bound' } }],
  ])('when its %s is gone, nor when one of the same name has come', async (kind, path, object) => {
    expect((await api.post(path, object)).status).toBeLessThan(300);
    const token = await issued('bot', { boundObjectRef: { apiVersion: 'v1', kind, name: 'bound' } });
    expect((await as(token)).status).toBe(200);
    await api.delete(`${path}/bound?gracePeriodSeconds=0`);
    await isRefused(token);
    expect((await api.post(path, object)).status).toBeLessThan(300);
    await isRefused(token);
  });

  it('when its secret holds another one, or is gone', async () => {
    const { header } = decodedToken(genuine);
    const { body } = await api.get(`${accounts}/bot`);
    const prefix = 'kubernetes.io/serviceaccount';
    const claims = {
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:default:bot',
      [`${prefix}/namespace`]: 'default',
      [`${prefix}/secret.name`]: 'held',
      [`${prefix}/service-account.name`]: 'bot',
      [`${prefix}/service-account.uid`]: body.metadata.uid,
    };
    const token = forgedToken(header, claims, byUs);
    await isRefused(token);
    const secrets = '/api/v1/namespaces/default/secrets';
    const annotations = { [`${prefix.replace('serviceaccount', 'service-account')}.name`]: 'bot' };
    const type = 'kubernetes.io/service-account-token';
    await api.post(secrets, { metadata: { name: 'held', annotations }, type, stringData: { token } });
    expect((await as(token)).status).toBe(200);
    await api.patch(`${secrets}/held`, { stringData: { token: `${token}x` } });
    await isRefused(token);
    await api.patch(`${secrets}/held`, { stringData: { token } });
    expect((await as(token)).status).toBe(200);
    await api.delete(`${secrets}/held`);
    await isRefused(token);
  });
});

describe('the scheme before a token', () => {
  const call = (authorization: string): Promise<ApiResponse> =>
    api.get('/api/v1/namespaces', { credentials: false, headers: { authorization } });

  // Without a token, the request is anonymous and may not list namespaces. With a token that is rejected, it is not
  // authenticated at all.
  it.each<[string, (token: string) => string, number]>([
    ['in any case', (token) => `bEaReR ${token}`, 403],
    ['of another scheme', (token) => `Basic ${token}`, 403],
    ['missing', (token) => token, 403],
    ['followed by two spaces', (token) => `Bearer  ${token}`, 403],
    ['followed by nothing', () => 'Bearer', 403],
    ['followed by a token that is wrong', () => 'Bearer x', 401],
    ['twice', (token) => `Bearer Bearer ${token}`, 401],
  ])('%s', async (_what, header, expected) => {
    const { status, text } = await call(header(genuine));
    expect(status, text).toBe(expected);
    const isKnown = header('x').startsWith('bEaReR');
    if (expected === 403) expect(text).toContain(isKnown ? 'serviceaccount:default:bot' : 'system:anonymous');
  });
});
