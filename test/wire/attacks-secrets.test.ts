import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TestApi } from './api.ts';
import { decodedToken, forgedToken, signedBy } from './forged-token.ts';
import { openSocket } from './raw-socket.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keelson-secrets-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function file(name: string, content: string): Promise<string> {
  await writeFile(join(directory, name), content);
  return join(directory, name);
}

describe('the data directory', () => {
  it('is for its owner alone, whatever the mask says', async () => {
    const before = process.umask(0);
    onTestFinished(() => {
      process.umask(before);
    });
    const dataDir = join(directory, 'data');
    const api = await TestApi.start({ storage: 'embedded', dataDir });
    onTestFinished(() => api.stop());
    await api.post('/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, stringData: { a: 'kept-secret' } });
    const secrets: string[] = [];
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const content = await readFile(path, 'latin1');
      const isSecret = /PRIVATE KEY|client-key-data|kept-secret|a2VwdC1zZWNyZXQ/.test(content);
      if (!isSecret) continue;
      secrets.push(path.slice(dataDir.length + 1));
      expect((await stat(path)).mode & 0o077, `${path} is for its owner`).toBe(0);
    }
    expect(secrets).toEqual(expect.arrayContaining(['admin.kubeconfig', 'pki/ca.key', 'pki/service-account.key']));
    expect(secrets.some((path) => path.startsWith('store/'))).toBe(true);
  });
});

describe('the log', () => {
  const logged: string[] = [];
  const logMessage = (message: string, fields?: object): void => {
    logged.push(inspect([message, fields], { depth: 20, showHidden: true, maxStringLength: null }));
  };
  const log = { info: logMessage, error: logMessage, flush: () => Promise.resolve() };
  const accounts = '/api/v1/namespaces/default/serviceaccounts';

  it('holds no token, whatever becomes of it', async () => {
    const tokenAuthFile = await file(
      'tokens.csv',
      'static-token-1,jane,1\n,empty,2\nstatic-token-1,john,3\n"static,token,2",joe,4\n',
    );
    const api = await TestApi.start({
      log,
      tokenAuthFile,
      anonymousAuth: true,
      explainDenials: true,
      enableBootstrapTokenAuth: true,
      serviceAccountIssuer: ['https://issuer.example.com'],
    });
    onTestFinished(() => api.stop());
    await api.post(accounts, { metadata: { name: 'bot' } });
    const { body } = await api.post(`${accounts}/bot/token`, { spec: {} });
    const good: string = body.status.token;
    const { header, claims } = decodedToken(good);
    const stranger = signedBy(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
    const tokens = [
      'static-token-1',
      'static,token,2',
      'unknown-token-3',
      'abcdef.0123456789abcdef',
      good,
      `${good}tampered`,
      forgedToken(header, claims, stranger),
      forgedToken(header, { ...claims, aud: ['vault'] }, stranger),
      forgedToken({ alg: 'none' }, claims, () => Buffer.alloc(0)),
    ];
    const responses: string[] = [];
    for (const token of tokens) {
      for (const path of [
        '/api/v1/secrets',
        '/version',
        '/absent',
        '/api/v1/namespaces/%zz',
        '/api/v1/secrets?limit=x',
      ]) {
        const headers = { authorization: `Bearer ${token}`, 'impersonate-user': path === '/absent' ? 'x' : '' };
        const response = await api.get(path, { credentials: false, headers });
        responses.push(response.text, JSON.stringify(response.headers));
      }
      const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
      const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-protocol': protocol };
      responses.push((await api.get('/api/v1/secrets', { credentials: false, headers: upgrade })).text);
      await api.post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
      await api.delete(`${accounts}/bot`);
    }
    // The log must contain these messages at all.
    expect(logged.join()).toContain('token refused');
    expect(logged.join()).toContain('duplicate token');
    const all = [...logged, ...responses].join('\n');
    for (const token of tokens) {
      // The last part of a signed token is secret.
      const secret = token.split('.').at(-1) || token;
      for (const encoding of [token, secret, Buffer.from(token).toString('base64url')])
        expect(all).not.toContain(encoding);
    }
  });

  it.each<[string, string, (path: string) => object]>([
    ['tokens.csv with too few columns', 'secret-token-in-file,jane\n', (tokenAuthFile) => ({ tokenAuthFile })],
    ['tokens.csv with a bare quote', 'secret-token-in-file"x,jane,1\n', (tokenAuthFile) => ({ tokenAuthFile })],
    ['tokens.csv without its end', '"secret-token-in-file,jane,1\n', (tokenAuthFile) => ({ tokenAuthFile })],
    [
      'a key that is none',
      '-----BEGIN PRIVATE KEY-----\nsecret-token-in-file\n-----END PRIVATE KEY-----\n',
      (serviceAccountSigningKeyFile) => ({ serviceAccountSigningKeyFile }),
    ],
    [
      'a kubeconfig that makes no sense',
      'users: [{name: x, user: {token: secret-token-in-file, password: secret-token-in-file}}]\nclusters: secret-token-in-file\n',
      (authenticationTokenWebhookConfigFile) => ({ authenticationTokenWebhookConfigFile }),
    ],
  ])('and a start that fails say nothing of %s', async (_what, content, options) => {
    const path = await file('bad-file', content);
    const failure = await TestApi.start({ log, ...options(path) }).then(
      (api) => api.stop().then(() => 'started'),
      (error: unknown) => inspect(error, { depth: 20, maxStringLength: null }),
    );
    expect(failure).not.toBe('started');
    expect(failure).not.toContain('secret-token-in-file');
    expect(logged.join()).not.toContain('secret-token-in-file');
  });
});

describe('TLS', () => {
  let api: TestApi;
  let strict: TestApi;
  beforeAll(async () => {
    api = await TestApi.start();
    strict = await TestApi.start({ tlsMinVersion: 'VersionTLS13' });
  });
  afterAll(() => Promise.all([api.stop(), strict.stop()]));

  const only = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2', ciphers = 'ALL'): ConnectionOptions => ({
    minVersion: version,
    maxVersion: version,
    // Otherwise this client would reject the cipher.
    ciphers: `${ciphers}@SECLEVEL=0`,
  });

  it.each([
    ['TLS 1.3', { minVersion: 'TLSv1.3' } as ConnectionOptions, 'TLSv1.3'],
    ['TLS 1.2', only('TLSv1.2'), 'TLSv1.2'],
    ['TLS 1.2 with a good cipher', only('TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256'), 'TLSv1.2'],
  ])('is accepted: %s', async (_what, options, expected) => {
    expect((await openSocket(api, options)).getProtocol()).toBe(expected);
  });

  it.each([
    ['TLS 1.0', only('TLSv1')],
    ['TLS 1.1', only('TLSv1.1')],
    ['no forward secrecy', only('TLSv1.2', 'kRSA')],
    ['CBC', only('TLSv1.2', 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES128-SHA')],
    ['no encryption', only('TLSv1.2', 'eNULL')],
    ['nobody at the other end', only('TLSv1.2', 'aNULL')],
    ['finite fields', only('TLSv1.2', 'DHE')],
  ])('is rejected: %s', async (_what, options) => {
    await expect(openSocket(api, options)).rejects.toMatchObject({ code: expect.stringMatching(/ALERT|ECONNRESET/) });
  });

  it('is rejected in an older version than the configured minimum', async () => {
    await expect(openSocket(strict, only('TLSv1.2'))).rejects.toMatchObject({ code: expect.stringMatching(/ALERT/) });
    expect((await openSocket(strict)).getProtocol()).toBe('TLSv1.3');
  });
});
