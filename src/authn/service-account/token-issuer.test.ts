import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ServiceAccountKeys } from './service-account-keys.ts';
import { TokenIssuer, type TokenSubject } from './token-issuer.ts';

const pemOf = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }) as string;
const signingKeys = {
  RS256: pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
  ES256: pemOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  ES384: pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey),
  ES512: pemOf(generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey),
};
const decoded = (segment = '') => JSON.parse(Buffer.from(segment, 'base64url').toString());
const claimsOf = (token: string) => decoded(token.split('.')[1]);
const now = () => 1_700_000_000_500;
const iat = 1_700_000_000;
const issuer = 'https://issuer.example.com';
const keys = new ServiceAccountKeys({ signingKey: signingKeys.ES256 });
const subject: TokenSubject = {
  namespace: 'shop',
  name: 'cart',
  uid: 'u1',
  audiences: [issuer],
  expirationSeconds: 3607,
  bound: { pod: { name: 'cart-0', uid: 'u2' } },
};
const year = 365 * 24 * 3600;

it.each(Object.entries(signingKeys))('signs by %s', (algorithm, pem) => {
  const { token } = new TokenIssuer({ keys: new ServiceAccountKeys({ signingKey: pem }), issuer }).issue(subject);
  const [header, claims, signature = ''] = token.split('.');
  const key = createPublicKey(pem);
  const kid = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
  expect(decoded(header)).toEqual({ alg: algorithm, kid });
  const isSigned = (content: string) =>
    verify(
      `sha${algorithm.slice(2)}`,
      Buffer.from(content),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  expect(isSigned(`${header}.${claims}`)).toBe(true);
  expect(isSigned(`${header}.${claims}x`)).toBe(false);
});

it('contains account, audiences and lifetime', () => {
  const tokens = new TokenIssuer({ keys, issuer, now });
  const bound = { pod: { name: 'cart-0', uid: 'u2' }, node: { name: 'n1' } };
  const issued = tokens.issue({ ...subject, audiences: ['a', 'b'], expirationSeconds: 600, bound });
  expect(issued).toMatchObject({ expirationSeconds: 600, expires: new Date((iat + 600) * 1000) });
  expect(JSON.stringify(claimsOf(issued.token))).toBe(
    JSON.stringify({
      aud: ['a', 'b'],
      exp: iat + 600,
      iat,
      iss: issuer,
      jti: issued.id,
      'kubernetes.io': {
        namespace: 'shop',
        node: { name: 'n1' },
        pod: { name: 'cart-0', uid: 'u2' },
        serviceaccount: { name: 'cart', uid: 'u1' },
      },
      nbf: iat,
      sub: 'system:serviceaccount:shop:cart',
    }),
  );
  expect(tokens.issue(subject).id).not.toBe(issued.id);
});

describe('a token injected into a pod', () => {
  const issue = (changes: Partial<TokenSubject>, options: object = {}) =>
    new TokenIssuer({ keys, issuer, now, ...options }).issue({ ...subject, ...changes });

  it('is valid for a year and reports an expiry of one hour', () => {
    const issued = issue({});
    expect(issued).toMatchObject({ expirationSeconds: 3607, expires: new Date((iat + 3607) * 1000) });
    expect(claimsOf(issued.token)).toMatchObject({ exp: iat + year, 'kubernetes.io': { warnafter: iat + 3607 } });
  });

  it.each<[string, Partial<TokenSubject>, object]>([
    ['of another time', { expirationSeconds: 3600 }, {}],
    ['for others', { audiences: ['vault'] }, {}],
    ['for others too', { audiences: [issuer, 'vault'] }, {}],
    ['without a pod', { bound: { secret: { name: 's', uid: 'u' } } }, {}],
    ['where it is switched off', {}, { extendExpiration: false }],
    ['where nothing is that long', {}, { maxExpirationSeconds: 3600 }],
  ])('is no different: %s', (_what, changes, options) => {
    const { token, expirationSeconds } = issue(changes, options);
    expect(claimsOf(token).exp).toBe(iat + expirationSeconds);
    expect(claimsOf(token)['kubernetes.io']).not.toHaveProperty('warnafter');
  });
});

it('limits the lifetime to the maximum', () => {
  const tokens = new TokenIssuer({ keys, issuer, now, maxExpirationSeconds: 7200 });
  expect(tokens.issue({ ...subject, expirationSeconds: 9000 }).expirationSeconds).toBe(7200);
  expect(tokens.issue({ ...subject, expirationSeconds: 600 }).expirationSeconds).toBe(600);
  for (const maxExpirationSeconds of [1, 3599, 2 ** 32 + 1, -1, Number.NaN]) {
    expect(() => new TokenIssuer({ keys, issuer, maxExpirationSeconds })).toThrow(RangeError);
  }
});

it('signs legacy tokens without expiry', () => {
  const account = { name: 'cart', uid: 'u1' };
  const token = new TokenIssuer({ keys, issuer }).issueForSecret({ namespace: 'shop', secret: 's', account });
  expect(claimsOf(token)).toEqual({
    iss: 'kubernetes/serviceaccount',
    'kubernetes.io/serviceaccount/namespace': 'shop',
    'kubernetes.io/serviceaccount/secret.name': 's',
    'kubernetes.io/serviceaccount/service-account.name': 'cart',
    'kubernetes.io/serviceaccount/service-account.uid': 'u1',
    sub: 'system:serviceaccount:shop:cart',
  });
});

it('signs with the current key', () => {
  const rotated = new ServiceAccountKeys({ signingKey: signingKeys.ES256 });
  const tokens = new TokenIssuer({ keys: rotated, issuer });
  rotated.replaceSigningKey(signingKeys.RS256);
  expect(decoded(tokens.issue(subject).token.split('.')[0])).toMatchObject({ alg: 'RS256' });
});
