import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { TokenIssuer } from './token-issuer.ts';

const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

it('signs who a program is, for whom and how long', () => {
  const issuer = new TokenIssuer({ key: privateKey, issuer: 'https://issuer.example.com' });
  const { token, expires } = issuer.issue({
    namespace: 'shop',
    name: 'cart',
    uid: 'u1',
    audiences: ['a', 'b'],
    expirationSeconds: 600,
    bound: { pod: { name: 'cart-0', uid: 'u2' } },
  });
  const [header = '', claims = '', signature = ''] = token.split('.');
  expect(decoded(header)).toEqual({ alg: 'ES256', kid: expect.stringMatching(/^[\w-]{43}$/) });
  const { iat, ...rest } = decoded(claims);
  expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(5);
  expect(rest).toEqual({
    iss: 'https://issuer.example.com',
    sub: 'system:serviceaccount:shop:cart',
    aud: ['a', 'b'],
    exp: iat + 600,
    nbf: iat,
    jti: expect.any(String),
    'kubernetes.io': {
      namespace: 'shop',
      serviceaccount: { name: 'cart', uid: 'u1' },
      pod: { name: 'cart-0', uid: 'u2' },
    },
  });
  expect(expires.getTime()).toBe((iat + 600) * 1000);
  const key = { key: createPublicKey(privateKey), dsaEncoding: 'ieee-p1363' as const };
  const content = Buffer.from(`${header}.${claims}`);
  expect(verify('sha256', content, key, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(verify('sha256', Buffer.from(`${header}.${claims}x`), key, Buffer.from(signature, 'base64url'))).toBe(false);
});
