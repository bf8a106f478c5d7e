import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, it } from 'vitest';
import { ServiceAccountKeys } from './service-account-keys.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const text = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1' | 'spki') =>
  key.export({ type, format: 'pem' } as never) as unknown as string;
const signingKey = text(p256.privateKey, 'pkcs8');
const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';

it.each<[string, string, string[]]>([
  ['a public key', text(rsa.publicKey, 'spki'), ['RS256']],
  ['a public key of RSA', text(rsa.publicKey, 'pkcs1'), ['RS256']],
  ['a private key of RSA', text(rsa.privateKey, 'pkcs1'), ['RS256']],
  ['what OpenSSL writes', parameters + text(p384.privateKey, 'sec1'), ['ES384']],
  [
    'several',
    `for the old cluster\n${text(rsa.publicKey, 'spki')}${text(p384.privateKey, 'pkcs8')}`,
    ['RS256', 'ES384'],
  ],
  ['the same twice', text(rsa.publicKey, 'spki') + text(rsa.privateKey, 'pkcs1'), ['RS256']],
])('a file may hold %s', (_what, content, algorithms) => {
  const keys = new ServiceAccountKeys({ signingKey, keyFiles: new Map([['sa.pub', content]]) });
  expect(keys.all.map(({ algorithm }) => algorithm)).toEqual([...algorithms, 'ES256']);
  for (const key of keys.all) {
    expect(keys.byId(key.id)).toBe(key);
    expect(key.key.type).toBe('public');
    expect(key).not.toHaveProperty('privateKey');
  }
});

it('lists the signing key only once', () => {
  const keyFiles = new Map([['sa.pub', text(p256.publicKey, 'spki')]]);
  const keys = new ServiceAccountKeys({ signingKey: Buffer.from(signingKey), keyFiles });
  expect(keys.all.map(({ id }) => id)).toEqual([keys.signing.id]);
});

const ed25519 = generateKeyPairSync('ed25519');
const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
const koblitz = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });

it.each([
  ['', 'data does not contain any valid RSA or ECDSA public keys'],
  ['hello', 'data does not contain any valid RSA or ECDSA public keys'],
  [parameters, 'data does not contain any valid RSA or ECDSA public keys'],
  ['-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', 'contains a malformed key'],
  [text(ed25519.publicKey, 'spki'), 'must be an RSA key, or an ECDSA key on P-256, P-384 or P-521'],
  [text(koblitz.publicKey, 'spki'), 'must be an RSA key, or an ECDSA key on P-256, P-384 or P-521'],
  [text(pss.publicKey, 'spki'), 'must be an RSA key, or an ECDSA key on P-256, P-384 or P-521'],
  [text(small.publicKey, 'spki'), 'an RSA key must have at least 2048 bits, this one has 1024'],
])('a file of other content is refused, and what was there before stays: %j', (content, problem) => {
  const keys = new ServiceAccountKeys({ signingKey, keyFiles: new Map([['sa.pub', text(rsa.publicKey, 'spki')]]) });
  const before = keys.all;
  const error = new RangeError(`service account key file "sa.pub": ${problem}`);
  expect(() => keys.replaceKeyFile('sa.pub', content)).toThrow(error);
  expect(keys.all).toBe(before);
  expect(() => new ServiceAccountKeys({ signingKey, keyFiles: new Map([['sa.pub', content]]) })).toThrow(error);
});

it('refuses a public key as the signing key', () => {
  const keys = new ServiceAccountKeys({ signingKey });
  const { signing } = keys;
  expect(() => keys.replaceSigningKey(text(rsa.publicKey, 'spki'))).toThrow(
    new RangeError('service account signing key: data does not contain a valid RSA or ECDSA private key'),
  );
  expect(keys.signing).toBe(signing);
});

it('applies replaced keys immediately', () => {
  const keys = new ServiceAccountKeys({ signingKey, keyFiles: new Map([['a', text(p256.publicKey, 'spki')]]) });
  const first = keys.signing.id;
  keys.replaceSigningKey(text(rsa.privateKey, 'pkcs8'));
  expect(keys.signing.algorithm).toBe('RS256');
  // The file still contains the key.
  expect(keys.byId(first)).toBeDefined();
  keys.replaceKeyFile('a', text(p384.publicKey, 'spki'));
  expect(keys.byId(first)).toBeUndefined();
  expect(keys.all.map(({ algorithm }) => algorithm)).toEqual(['ES384', 'RS256']);
});
