import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ServiceAccountKeys } from './service-account-keys.ts';
import { ServiceAccountTokenAuthenticator } from './service-account-token-authenticator.ts';

const issuer = 'https://issuer.example.com';
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string;
const keys = new ServiceAccountKeys({
  signingKey: ec.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  keyFiles: new Map([['others', pem(rsa.publicKey) + pem(p384.publicKey)]]),
});
const idOf = (algorithm: string) => keys.all.find((key) => key.algorithm === algorithm)!.id;
const now = 1_900_000_000;
const uid = '4fae5b5f';
const authenticator = new ServiceAccountTokenAuthenticator({
  keys,
  issuers: [issuer],
  audiences: [issuer],
  objects: { get: (_type, { namespace, name }) => ({ metadata: { namespace, name, uid } }) },
  now: () => now * 1000,
});

const claims = {
  aud: [issuer],
  exp: now + 600,
  iat: now,
  iss: issuer,
  jti: 'j',
  'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'cart', uid } },
  nbf: now,
  sub: 'system:serviceaccount:shop:cart',
};
type Json = object | string;
const encoded = (segment: Json) =>
  Buffer.from(typeof segment === 'string' ? segment : JSON.stringify(segment)).toString('base64url');
const bySigning =
  (key: KeyObject, hash = 'sha256') =>
  (content: string) =>
    sign(hash, Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
const byRsa = bySigning(rsa.privateKey);
const byEc = bySigning(ec.privateKey);
const header = { alg: 'ES256', kid: idOf('ES256') };

function made(head: Json, body: Json = claims, signer: (content: string) => Buffer = byEc): string {
  const content = `${encoded(head)}.${encoded(body)}`;
  return `${content}.${signer(content).toString('base64url')}`;
}

/** Whether the token is accepted. */
function opens(token: string): boolean {
  try {
    return authenticator.authenticateToken(token, [issuer]) !== undefined;
  } catch (error) {
    expect((error as Error).name).toBe('TokenError');
    // The log must not contain a part of a token with which a reader could authenticate.
    for (const segment of token.split('.'))
      if (segment.length > 8) expect((error as Error).message).not.toContain(segment);
    return false;
  }
}

describe('a correctly signed token is accepted', () => {
  it.each<[string, string]>([
    ['by EC', made(header)],
    ['by RSA', made({ alg: 'RS256', kid: idOf('RS256') }, claims, byRsa)],
    ['by P-384', made({ alg: 'ES384', kid: idOf('ES384') }, claims, bySigning(p384.privateKey, 'sha384'))],
    ['without the name of a key', made({ alg: 'ES256' })],
    ['with an empty name of a key', made({ alg: 'RS256', kid: '' }, claims, byRsa)],
    ['with a type', made({ ...header, typ: 'JWT' })],
    ['for one audience, not a list', made(header, { ...claims, aud: issuer })],
    ['without an end', made(header, { ...claims, exp: undefined })],
  ])('%s', (_what, token) => expect(opens(token)).toBe(true));
});

const good = made(header);
const [head = '', body = '', signature = ''] = good.split('.');
const rsaSpki = rsa.publicKey.export({ type: 'spki', format: 'der' });
const ecSpki = ec.publicKey.export({ type: 'spki', format: 'der' });
const byHmac = (secret: string | Buffer) => (content: string) => createHmac('sha256', secret).update(content).digest();
const none = () => Buffer.alloc(0);
const flipped = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
const raw = (text: string) => JSON.stringify(claims).replace(/}$/, `,${text}}`);
const jwk = stranger.publicKey.export({ format: 'jwk' });
/** The same bytes, but with nonzero unused bits in the last character. */
const looseEnd = (text: string) => {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + digits[digits.indexOf(text.at(-1)!) + 1];
};

describe('a forged token is refused', () => {
  it.each<[string, string]>([
    ['alg none', made({ alg: 'none' }, claims, none)],
    ['alg None', made({ alg: 'None', kid: idOf('ES256') }, claims, none)],
    ['alg NONE', made({ alg: 'NONE' }, claims, none)],
    ['alg nOnE, with a signature', made({ alg: 'nOnE' })],
    ['no alg', made({ kid: idOf('ES256') })],
    ['an empty alg', made({ alg: '' })],
    ['alg that is a list', made({ alg: ['ES256'] })],
    ['alg in another case', made({ ...header, alg: 'es256' })],
    [
      'HS256 with the public key of RSA as PEM',
      made({ alg: 'HS256', kid: idOf('RS256') }, claims, byHmac(pem(rsa.publicKey))),
    ],
    ['HS256 with the public key of RSA as DER', made({ alg: 'HS256', kid: idOf('RS256') }, claims, byHmac(rsaSpki))],
    ['HS256 with the public key of EC as PEM', made({ alg: 'HS256' }, claims, byHmac(pem(ec.publicKey)))],
    ['HS256 with the public key of EC as DER', made({ alg: 'HS256' }, claims, byHmac(ecSpki))],
    ['HS256 with nothing', made({ alg: 'HS256' }, claims, byHmac(''))],
    ['RS256 under the name of a key of EC', made({ alg: 'RS256', kid: idOf('ES256') }, claims, byRsa)],
    ['ES256 under the name of a key of RSA', made({ alg: 'ES256', kid: idOf('RS256') })],
    ['RS256, signed by EC', made({ alg: 'RS256' })],
    ['ES256, signed by RSA', made({ alg: 'ES256' }, claims, byRsa)],
    [
      'ES384 with a key of P-256',
      made({ alg: 'ES384', kid: idOf('ES256') }, claims, bySigning(ec.privateKey, 'sha384')),
    ],
    [
      'RS512 with a key of RSA',
      made({ alg: 'RS512', kid: idOf('RS256') }, claims, bySigning(rsa.privateKey, 'sha512')),
    ],
    ['PS256 with a key of RSA', made({ alg: 'PS256', kid: idOf('RS256') }, claims, byRsa)],
    ['a key of a stranger', made({ alg: 'ES256' }, claims, bySigning(stranger.privateKey))],
    ['a key of a stranger under our name', made(header, claims, bySigning(stranger.privateKey))],
    ['a key of a stranger under its name', made({ alg: 'ES256', kid: 'x' }, claims, bySigning(stranger.privateKey))],
    ['the name of no key', made({ ...header, kid: 'nobody' })],
    ['the name of another key of ours', made({ ...header, kid: idOf('ES384') })],
    ['a name that is a number', made({ ...header, kid: 7 })],
    ['a key in the header', made({ ...header, kid: undefined, jwk }, claims, bySigning(stranger.privateKey))],
    ['a key in the header beside a good signature', made({ ...header, jwk })],
    ['an address of keys', made({ ...header, jku: 'https://evil.example.com/keys' })],
    ['a certificate', made({ ...header, x5c: ['AAAA'] })],
    ['an address of certificates', made({ ...header, x5u: 'https://evil.example.com/cert' })],
    ['something critical', made({ ...header, crit: ['exp'], exp: 1 })],
    ['nothing critical', made({ ...header, crit: [] })],
    ['claims that are not encoded', made({ ...header, crit: ['b64'], b64: false })],
    ['a changed header', `${flipped(head, 30)}.${body}.${signature}`],
    ['changed claims', `${head}.${flipped(body, 40)}.${signature}`],
    ['other claims', `${head}.${encoded({ ...claims, sub: 'system:admin' })}.${signature}`],
    ['a changed signature', `${head}.${body}.${flipped(signature, 10)}`],
    ['no signature', `${head}.${body}.`],
    ['no signature and no dot', `${head}.${body}`],
    ['a signature of zeros', made(header, claims, () => Buffer.alloc(64))],
    ['half a signature', made(header, claims, (content) => byEc(content).subarray(0, 32))],
    ['more than a signature', made(header, claims, (content) => Buffer.concat([byEc(content), Buffer.alloc(1)]))],
    ['a signature in DER', made(header, claims, (content) => sign('sha256', Buffer.from(content), ec.privateKey))],
    ['a dot more', `${good}.`],
    ['a dot before', `.${good}`],
    ['five parts', `${good}.${body}.${signature}`],
    ['an empty header', `.${body}.${signature}`],
    ['no claims', `${head}..${signature}`],
    ['nothing', ''],
    ['dots', '..'],
    ['JSON instead of the compact form', JSON.stringify({ payload: body, protected: head, signature })],
    ['an issuer twice', made(header, raw(`"iss":"${issuer}"`))],
    ['an end twice', made(header, raw(`"exp":${now + 9000}`))],
    ['an end twice, one of them escaped', made(header, raw(`"\\u0065xp":${now + 9000}`))],
    ['a subject twice, further inside', made(header, raw('"x":{"a":1,"a":2}'))],
    ['an alg twice', made(`{"alg":"none","alg":"ES256","kid":"${idOf('ES256')}"}`)],
    ['claims that are a list', made(header, [claims])],
    ['claims that are a text', made(header, '"x"')],
    ['claims that are null', made(header, 'null')],
    ['claims that are no JSON', made(header, `${JSON.stringify(claims)},`)],
    ['claims that are no UTF-8', `${head}.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}.${signature}`],
    ['padding', `${head}.${body}=.${signature}`],
    ['padding at the end', `${good}==`],
    ['a blank', `${head}. ${body}.${signature}`],
    ['a line feed at the end', `${good}\n`],
    ['the other alphabet', `${head}.${body.replace(/[-_]?$/, '+')}.${signature}`],
    ['loose bits in the signature', `${head}.${body}.${looseEnd(signature)}`],
    ['a huge token', made(header, { ...claims, x: 'x'.repeat(65_536) })],
    ['a deep token', made(header, raw(`"x":${'['.repeat(20_000)}${']'.repeat(20_000)}`))],
  ])('%s', (_what, token) => expect(opens(token)).toBe(false));
});

describe('a correctly signed token with invalid claims is refused', () => {
  const account = claims['kubernetes.io'];
  it.each<[string, object]>([
    ['expired', { ...claims, exp: now - 61 }],
    ['an end that is a text', { ...claims, exp: String(now + 600) }],
    ['not yet valid', { ...claims, nbf: now + 61 }],
    ['issued in the future', { ...claims, iat: now + 61 }],
    ['another issuer', { ...claims, iss: 'https://evil.example.com' }],
    ['an issuer that is a list', { ...claims, iss: [issuer] }],
    ['no issuer', { ...claims, iss: undefined }],
    ['another audience', { ...claims, aud: ['vault'] }],
    ['an audience that is a number', { ...claims, aud: [issuer, 7] }],
    ['no account', { ...claims, 'kubernetes.io': undefined }],
    ['an account that is a text', { ...claims, 'kubernetes.io': 'cart' }],
    ['an account without a name', { ...claims, 'kubernetes.io': { ...account, serviceaccount: { uid } } }],
    ['an account without a uid', { ...claims, 'kubernetes.io': { ...account, serviceaccount: { name: 'cart' } } }],
    ['no namespace', { ...claims, 'kubernetes.io': { ...account, namespace: '' } }],
    ['a namespace that is a path', { ...claims, 'kubernetes.io': { ...account, namespace: 'a/b' } }],
    ['a pod that is a text', { ...claims, 'kubernetes.io': { ...account, pod: 'p' } }],
    ['a pod without a uid', { ...claims, 'kubernetes.io': { ...account, pod: { name: 'p' } } }],
    ['the issuer of secrets, for an account', { ...claims, iss: 'kubernetes/serviceaccount' }],
    ['the issuer of secrets, without one', { ...claims, iss: 'kubernetes/serviceaccount', 'kubernetes.io': undefined }],
  ])('%s', (_what, content) => expect(opens(made(header, content))).toBe(false));
});
