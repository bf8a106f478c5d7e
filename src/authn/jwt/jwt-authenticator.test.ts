import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeyPair, type IssuerKeyPair, issueToken, OpenIdIssuer } from '../../../test/wire/openid-issuer.ts';
import { configurationOfOidcFlags, type JwtConfiguration, parseAuthenticationConfiguration } from '../config/index.ts';
import { TokenError } from '../token-authenticator.ts';
import type { IssuerKeysOptions } from './issuer-keys.ts';
import { JwtAuthenticator } from './jwt-authenticator.ts';

const ecKey = createKeyPair('ec-1');
const rsaKey = createKeyPair('rsa-1', 'RS256');
const now = 1_900_000_000;
let issuer: OpenIdIssuer;
let clock = now * 1000;

beforeAll(async () => {
  issuer = await OpenIdIssuer.start();
});
afterAll(() => issuer.stop());
beforeEach(() => {
  clock = now * 1000;
  issuer.keys = [ecKey, rsaKey];
  issuer.intercept = () => false;
  issuer.requests.length = 0;
});

function configured(jwt: object = {}): JwtConfiguration[] {
  const document = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: issuer.url, audiences: ['cluster'], certificateAuthority: issuer.authority },
        claimMappings: { username: { claim: 'sub', prefix: '' }, groups: { claim: 'groups', prefix: '' } },
        ...jwt,
      },
    ],
  };
  return [...parseAuthenticationConfiguration(JSON.stringify(document)).jwt];
}

function authenticator(configurations = configured(), options: IssuerKeysOptions = {}): JwtAuthenticator {
  return new JwtAuthenticator(configurations, { now: () => clock, ...options });
}

const claimsOf = (more: object = {}) => ({ iss: issuer.url, aud: 'cluster', sub: 'jane', exp: now + 60, ...more });
const tokenOf = (more: object = {}, pair = ecKey, header = {}) => issueToken(claimsOf(more), pair, header);

/** Also returns the message of an error that is thrown synchronously. */
async function problemOf(action: () => unknown): Promise<string> {
  try {
    await action();
  } catch (error) {
    return `${error instanceof TokenError ? '' : 'fault: '}${(error as Error).message}`;
  }
  return 'none';
}

async function prepared(configurations?: JwtConfiguration[], options?: IssuerKeysOptions): Promise<JwtAuthenticator> {
  const ready = authenticator(configurations, options);
  await ready.prepare();
  return ready;
}

describe('JwtAuthenticator', () => {
  it('authenticates tokens, synchronously once the keys are cached', async () => {
    const users = authenticator();
    const token = tokenOf({ groups: ['a', 'b'], jti: 'id-1' });
    const user = {
      name: 'jane',
      uid: '',
      groups: ['a', 'b'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=id-1'] },
    };
    const pending = users.authenticateToken(token);
    expect(pending).toBeInstanceOf(Promise);
    expect(await pending).toEqual({ user, expiresAt: (now + 60) * 1000 });
    expect(users.authenticateToken(token)).toEqual({ user, expiresAt: (now + 60) * 1000 });
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
  });

  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'accepts tokens signed with %s',
    async (algorithm) => {
      const pair = createKeyPair('k', algorithm);
      issuer.keys = [rsaKey, pair];
      const users = await prepared();
      expect(users.authenticateToken(tokenOf({}, pair))).toMatchObject({ user: { name: 'jane' } });
      expect(users.authenticateToken(tokenOf({}, pair, { kid: undefined }))).toMatchObject({ user: { name: 'jane' } });
    },
  );

  it('accepts only tokens for one of the audiences', async () => {
    const audiences = { url: issuer.url, audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAny' };
    const users = await prepared(configured({ issuer: { ...audiences, certificateAuthority: issuer.authority } }));
    expect(users.authenticateToken(tokenOf({ aud: ['x', 'b'] }))).toMatchObject({ user: { name: 'jane' } });
    expect(await problemOf(() => users.authenticateToken(tokenOf({ aud: ['x'] })))).toBe(
      'oidc: verify token: oidc: expected audience in ["a" "b"] got ["x"]',
    );
  });

  it('returns undefined for tokens of other issuers', async () => {
    const users = await prepared();
    const others = [
      tokenOf({ iss: `${issuer.url}/` }),
      tokenOf({ iss: [issuer.url] }),
      'opaque',
      'a.b.c',
      '',
      `${tokenOf()}.x`,
      tokenOf({ aud: 'x'.repeat(70_000) }),
    ];
    for (const token of others) expect(users.authenticateToken(token)).toBeUndefined();
  });

  it('accepts an issuer configured by flags', async () => {
    const flags = { issuerUrl: issuer.url, clientId: 'cluster', certificateAuthority: issuer.authority };
    const users = await prepared([configurationOfOidcFlags({ ...flags, groupsClaim: 'role', groupsPrefix: 'oidc:' })!]);
    expect(users.authenticateToken(tokenOf({ role: 'dev' }, rsaKey))).toMatchObject({
      user: { name: `${issuer.url}#jane`, groups: ['oidc:dev'] },
    });
    expect(await problemOf(() => users.authenticateToken(tokenOf({}, ecKey)))).toBe(
      'oidc: verify token: oidc: id token signed with unsupported algorithm, expected ["RS256"] got "ES256"',
    );
  });
});

describe('refuses a token with', () => {
  const stranger = createKeyPair('ec-1');
  const unsigned = (token: string) => token.replace(/[^.]*$/, '');
  const withPayload = (token: string, claims: object) =>
    token
      .split('.')
      .with(1, Buffer.from(JSON.stringify(claims)).toString('base64url'))
      .join('.');
  const hmac = (secret: string | Buffer): string => {
    const encoded = (segment: object) => Buffer.from(JSON.stringify(segment)).toString('base64url');
    const content = `${encoded({ alg: 'HS256', kid: 'rsa-1' })}.${encoded(claimsOf())}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  };
  const unverified = 'oidc: verify token: failed to verify signature: failed to verify id token signature';
  const algorithm = 'oidc: verify token: oidc: id token signed with unsupported algorithm, expected';
  const malformed = 'oidc: verify token: oidc: failed to unmarshal claims:';
  const as = (pair: IssuerKeyPair, alg: string): IssuerKeyPair => ({ ...pair, algorithm: alg });

  it.each<[string, () => string, string]>([
    [
      'expired',
      () => tokenOf({ exp: now }),
      'oidc: verify token: oidc: token is expired (Token Expiry: 2030-03-17T17:46:40Z)',
    ],
    ['long expired', () => tokenOf({ exp: 1 }), 'oidc: verify token: oidc: token is expired'],
    ['no expiry', () => tokenOf({ exp: undefined }), 'oidc: verify token: oidc: token has no expiry'],
    ['an expiry of type string', () => tokenOf({ exp: `${now + 60}` }), `${malformed} exp must be`],
    ['an expiry out of range', () => tokenOf({ exp: 1e300 }), `${malformed} exp must be`],
    [
      'nbf in the future',
      () => tokenOf({ nbf: now + 120 }),
      'oidc: verify token: oidc: current time 2030-03-17T17:46:40Z before the nbf',
    ],
    ['nbf of type string', () => tokenOf({ nbf: 'soon' }), `${malformed} nbf must be`],
    ['iat of type string', () => tokenOf({ iat: 'now' }), `${malformed} iat must be`],
    [
      'wrong audience',
      () => tokenOf({ aud: 'other' }),
      'oidc: verify token: oidc: expected audience in ["cluster"] got ["other"]',
    ],
    [
      'no audience',
      () => tokenOf({ aud: undefined }),
      'oidc: verify token: oidc: expected audience in ["cluster"] got []',
    ],
    ['audience of a wrong type', () => tokenOf({ aud: { cluster: true } }), `${malformed} aud must be`],
    ['alg none', () => unsigned(tokenOf({}, ecKey, { alg: 'none' })), algorithm],
    ['alg None', () => tokenOf({}, ecKey, { alg: 'None' }), algorithm],
    ['alg of a wrong type', () => tokenOf({}, ecKey, { alg: ['ES256'] }), 'oidc: verify token: oidc: malformed jwt'],
    ['kid of a wrong type', () => tokenOf({}, ecKey, { kid: 1 }), 'oidc: verify token: oidc: malformed jwt'],
    ['no signature', () => unsigned(tokenOf()), unverified],
    [
      'the public key as a shared secret',
      () => hmac(rsaKey.publicKey.export({ type: 'spki', format: 'pem' })),
      algorithm,
    ],
    ['an empty shared secret', () => hmac(''), algorithm],
    ['a PS256 signature declared as RS256', () => tokenOf({}, as(rsaKey, 'PS256'), { alg: 'RS256' }), unverified],
    ['an RS256 signature declared as PS256', () => tokenOf({}, as(rsaKey, 'RS256'), { alg: 'PS256' }), unverified],
    ['an RS256 signature declared as RS512', () => tokenOf({}, rsaKey, { alg: 'RS512' }), unverified],
    ['an EC key for RS256', () => tokenOf({}, ecKey, { alg: 'RS256' }), unverified],
    ['a P-256 key for ES384', () => tokenOf({}, as(ecKey, 'ES384')), unverified],
    ['changed claims', () => withPayload(tokenOf(), claimsOf({ sub: 'root' })), unverified],
    ['the signature of a foreign key', () => tokenOf({}, stranger), unverified],
    ['the kid of another key', () => tokenOf({}, ecKey, { kid: 'rsa-1' }), unverified],
    ['an unknown key', () => tokenOf({}, ecKey, { kid: 'new' }), unverified],
    [
      'an embedded key (jwk)',
      () => tokenOf({}, stranger, { jwk: stranger.publicKey.export({ format: 'jwk' }), kid: undefined }),
      unverified,
    ],
    ['a key URL (jku)', () => tokenOf({}, stranger, { jku: 'https://evil.example/keys' }), unverified],
    ['a critical header', () => tokenOf({}, ecKey, { crit: ['exp'] }), 'oidc: verify token: oidc: malformed jwt'],
    ['no name', () => tokenOf({ sub: undefined }), 'oidc: parse username claims "sub": claim not present'],
    ['an empty name', () => tokenOf({ sub: '' }), 'oidc: parse username claims "sub": empty username is not allowed'],
    ['a name of a wrong type', () => tokenOf({ sub: ['jane'] }), 'oidc: parse username claims "sub": must be a string'],
    ['groups of a wrong type', () => tokenOf({ groups: [1] }), 'oidc: parse groups claim "groups"'],
    ['groups in an object', () => tokenOf({ groups: { a: 1 } }), 'oidc: parse groups claim "groups"'],
    [
      'distributed groups',
      () => tokenOf({ _claim_names: { groups: 's' }, _claim_sources: { s: { endpoint: 'https://evil.example' } } }),
      'oidc: could not expand distributed claims',
    ],
  ])('%s', async (_name, token, problem) => {
    const users = await prepared();
    const found = await problemOf(() => users.authenticateToken(token()));
    expect(found).toContain(problem);
    expect(found).not.toContain(token().split('.')[1]);
    // None of them causes another request to the issuer right after the last one.
    expect(issuer.requests).toHaveLength(2);
  });

  it('ignores keys that are not signing keys', async () => {
    const secret = Buffer.from('secret');
    const small = { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'small' };
    const jwk = ecKey.publicKey.export({ format: 'jwk' });
    const keys = [
      { kty: 'oct', k: secret.toString('base64url'), kid: 'rsa-1', alg: 'HS256' },
      { ...jwk, kid: 'ec-1', use: 'enc' },
      { ...jwk, kid: 'ec-1', alg: 'ES384' },
      { ...jwk, kid: 1 },
      small,
      null,
      'x',
    ];
    issuer.intercept = (request, response) => request.url === '/keys' && !!response.end(JSON.stringify({ keys }));
    const users = await prepared();
    expect(await problemOf(() => users.authenticateToken(hmac(secret)))).toContain(algorithm);
    expect(await problemOf(() => users.authenticateToken(tokenOf()))).toBe(unverified);
  });

  it('requires email_verified to be true when the claim is present', async () => {
    const users = await prepared(configured({ claimMappings: { username: { claim: 'email', prefix: '' } } }));
    const problemWith = (claims: object) =>
      problemOf(() => users.authenticateToken(tokenOf({ email: 'a@b.c', ...claims })));
    expect(await problemWith({})).toBe('none');
    expect(await problemWith({ email_verified: true })).toBe('none');
    expect(await problemWith({ email_verified: false })).toBe('oidc: email not verified');
    expect(await problemWith({ email_verified: 'true' })).toContain("oidc: parse 'email_verified' claim");
  });
});

describe('issuer keys', () => {
  const authenticate = (users: JwtAuthenticator, pair: IssuerKeyPair) =>
    problemOf(() => users.authenticateToken(tokenOf({}, pair)));

  it('are fetched again for an unknown key, at a limited rate', async () => {
    const users = await prepared();
    const next = createKeyPair('ec-2');
    issuer.keys = [next];
    expect(await authenticate(users, next)).toContain('failed to verify');
    clock += 5_000;
    expect(await authenticate(users, next)).toBe('none');
    expect(await authenticate(users, ecKey)).toContain('failed to verify');
    expect(issuer.requests.filter((path) => path === '/keys')).toHaveLength(2);
  });

  it('are refreshed in the background', async () => {
    const users = await prepared();
    issuer.keys = [rsaKey];
    clock += 600_000;
    const late = { exp: now + 10_000 };
    expect(users.authenticateToken(tokenOf(late))).toMatchObject({ user: { name: 'jane' } });
    await expect.poll(() => problemOf(() => users.authenticateToken(tokenOf(late)))).toContain('failed to verify');
  });

  it('stay valid while the issuer is unavailable', async () => {
    const users = await prepared();
    issuer.intercept = (request) => !!request.destroy();
    clock += 600_000;
    const token = tokenOf({ exp: now + 10_000 });
    expect(users.authenticateToken(token)).toMatchObject({ user: { name: 'jane' } });
    await expect.poll(() => issuer.requests.length).toBe(3);
    expect(users.authenticateToken(token)).toMatchObject({ user: { name: 'jane' } });
  });

  it('are fetched once for concurrent tokens', async () => {
    const users = authenticator();
    const tokenUsers = await Promise.all(
      [1, 2, 3, 4].map((id) => users.authenticateToken(tokenOf({ sub: `user-${id}` }))),
    );
    expect(tokenUsers.map((tokenUser) => tokenUser?.user.name)).toEqual(['user-1', 'user-2', 'user-3', 'user-4']);
    expect(issuer.requests).toHaveLength(2);
  });

  it('are fetched with exponential backoff while the issuer fails', async () => {
    const users = authenticator();
    issuer.intercept = (request) => !!request.destroy();
    expect(await authenticate(users, ecKey)).toMatch(/^fault: oidc: issuer ".*" is not available: GET .*: EOF$/);
    expect(await authenticate(users, ecKey)).toBe('oidc: authenticator not initialized');
    clock += 1_000;
    expect(await authenticate(users, ecKey)).toContain('fault: ');
    clock += 1_000;
    expect(await authenticate(users, ecKey)).toBe('oidc: authenticator not initialized');
    expect(issuer.requests).toHaveLength(2);
    issuer.intercept = () => false;
    clock += 1_000;
    expect(await authenticate(users, ecKey)).toBe('none');
  });

  it('are fetched with a timeout', async () => {
    const users = authenticator(configured(), { timeoutMs: 50 });
    issuer.intercept = () => true;
    expect(await authenticate(users, ecKey)).toContain('no response within 0.05 s');
    clock += 1_000;
    issuer.intercept = (request, response) => request.url === '/keys' && response.write('{"keys": [');
    expect(await authenticate(users, ecKey)).toContain('no response within 0.05 s');
  });

  it.each<[string, OpenIdIssuer['intercept'], string]>([
    [
      'too long',
      (_request, response) => !!response.end(' '.repeat(1024 * 1024 + 1)),
      'the response is longer than 1048576 bytes',
    ],
    ['no JSON', (_request, response) => !!response.end('<html>'), 'invalid character'],
    ['an error', (_request, response) => !!response.writeHead(500).end('{}'), 'the response has status 500'],
    [
      'of another issuer',
      (_request, response) => !!response.end('{"issuer":"https://evil.example","jwks_uri":"https://evil.example/k"}'),
      'got "https://evil.example"',
    ],
    [
      'without https',
      (_request, response) => !!response.end(`{"issuer":"${issuer.url}","jwks_uri":"http://127.0.0.1/k"}`),
      'no https jwks_uri',
    ],
    [
      'a redirect to http',
      (_request, response) => !!response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
      'the URL must use https',
    ],
    [
      'a redirect loop',
      (_request, response) => !!response.writeHead(302, { location: '/a' }).end(),
      'too many redirects',
    ],
    [
      'too many keys',
      (request, response) =>
        request.url === '/keys' && !!response.end(JSON.stringify({ keys: new Array(101).fill({ kty: 'EC' }) })),
      'more than 100 keys',
    ],
    ['no keys', (request, response) => request.url === '/keys' && !!response.end('[]'), 'the key set has no keys list'],
  ])('are refused when the response is %s', async (_name, intercept, problem) => {
    const users = authenticator();
    issuer.intercept = intercept;
    expect(await authenticate(users, ecKey)).toContain(problem);
  });

  it('are fetched only from a server with a trusted certificate', async () => {
    const other = await OpenIdIssuer.start();
    const untrusted = { url: issuer.url, audiences: ['cluster'], certificateAuthority: other.authority };
    expect(await authenticate(authenticator(configured({ issuer: untrusted })), ecKey)).toMatch(/fault: .*certificate/);
    expect(issuer.requests).toEqual([]);
    await other.stop();
  });

  it('are located through discoveryURL', async () => {
    const discoveryURL = `${issuer.url}/elsewhere`;
    const place = { url: 'https://tokens.example', discoveryURL, audiences: ['cluster'] };
    const document = { issuer: place.url, jwks_uri: `${issuer.url}/keys` };
    issuer.intercept = (request, response) => request.url === '/elsewhere' && !!response.end(JSON.stringify(document));
    const users = await prepared(configured({ issuer: { ...place, certificateAuthority: issuer.authority } }));
    expect(users.authenticateToken(tokenOf({ iss: place.url }))).toMatchObject({ user: { name: 'jane' } });
  });
});

describe('replace', () => {
  it('replaces the configured issuers', async () => {
    const users = await prepared();
    users.replace(configured({ claimMappings: { username: { claim: 'sub', prefix: 'new:' } } }));
    // The URL of the issuer is unchanged, so its keys are cached.
    expect(users.authenticateToken(tokenOf())).toMatchObject({ user: { name: 'new:jane' } });
    users.replace([]);
    expect(users.authenticateToken(tokenOf())).toBeUndefined();
    users.replace(configured());
    expect(await users.authenticateToken(tokenOf())).toMatchObject({ user: { name: 'jane' } });
    expect(issuer.requests).toHaveLength(4);
  });
});
