import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fitsAlgorithm } from '../json-web-token/index.ts';
import { parseKeySet } from './key-set.ts';

const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' }) as object;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ecKey: object = ec.publicKey.export({ format: 'jwk' });
const edwardsKey: object = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
const exchangeKey: object = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' });

describe('readKeySet', () => {
  it('reads names and algorithms', () => {
    const keys = parseKeySet({ keys: [{ ...ecKey, kid: 'a', alg: 'ES256', use: 'sig' }, edwardsKey] });
    expect(keys).toMatchObject([
      { id: 'a', algorithm: 'ES256' },
      { id: '', algorithm: undefined },
    ]);
    expect(keys.map(({ key }) => [fitsAlgorithm(key, 'ES256'), fitsAlgorithm(key, 'EdDSA')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('never keeps a private key', () => {
    const [key] = parseKeySet({ keys: [ec.privateKey.export({ format: 'jwk' })] });
    expect(key?.key.type).toBe('public');
  });

  it.each<[string, unknown]>([
    ['a secret', { kty: 'oct', k: 'c2VjcmV0' }],
    ['a short RSA key', rsa(512)],
    ['a key for encryption', { ...ecKey, use: 'enc' }],
    ['a name of a wrong type', { ...ecKey, kid: 7 }],
    ['an algorithm of a wrong type', { ...ecKey, alg: ['ES256'] }],
    ['a point that is not on the curve', { ...ecKey, x: Buffer.alloc(32, 1).toString('base64url') }],
    ['an unknown curve', { ...ecKey, crv: 'P-1' }],
    ['a part of a key', { kty: 'RSA', n: 'AQAB' }],
    ['nothing', null],
    ['a text', 'key'],
  ])('leaves out %s', (_name, key) => {
    expect(parseKeySet({ keys: [key] })).toEqual([]);
  });

  it('does not sign with a key for key exchange', () => {
    for (const { key } of parseKeySet({ keys: [exchangeKey] })) expect(fitsAlgorithm(key, 'EdDSA')).toBe(false);
  });

  it('takes RSA keys of 1024 bits and more', () => {
    expect(parseKeySet({ keys: [rsa(1024), rsa(2048)] })).toHaveLength(2);
  });

  it.each([undefined, null, [], {}, { keys: {} }, 'x'])('refuses %j', (document) => {
    expect(() => parseKeySet(document)).toThrow('the key set has no keys list');
  });
});
