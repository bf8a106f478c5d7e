import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSignature, fitsAlgorithm, isSignedBy } from './signing-algorithms.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const edwards = generateKeyPairSync('ed25519');
const onCurve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
const content = Buffer.from('header.claims');

describe.each<[name: string, pair: KeyPairKeyObjectResult, bytes: number]>([
  ['RS256', rsa, 256],
  ['RS384', rsa, 256],
  ['RS512', rsa, 256],
  ['PS256', rsa, 256],
  ['PS384', rsa, 256],
  ['PS512', rsa, 256],
  ['ES256', onCurve('P-256'), 64],
  ['ES384', onCurve('P-384'), 96],
  ['ES512', onCurve('P-521'), 132],
  ['EdDSA', edwards, 64],
])('%s', (name, { privateKey, publicKey }, bytes) => {
  const signature = createSignature(privateKey, name, content);

  it('verifies what it has signed', () => {
    expect(signature).toHaveLength(bytes);
    expect(fitsAlgorithm(publicKey, name)).toBe(true);
    expect(isSignedBy(publicKey, name, { content, signature })).toBe(true);
    expect(isSignedBy(publicKey, name, { content: Buffer.from('header.others'), signature })).toBe(false);
  });

  it.each<[string, Buffer]>([
    ['longer', Buffer.concat([signature, Buffer.alloc(1)])],
    ['shorter', signature.subarray(0, -1)],
    ['empty', Buffer.alloc(0)],
  ])('takes no signature that is %s', (_name, other) => {
    expect(isSignedBy(publicKey, name, { content, signature: other })).toBe(false);
  });
});

describe('a key', () => {
  it.each(['none', 'HS256', 'rs256', '', 'constructor'])('does not fit %j', (name) => {
    expect([rsa, edwards, onCurve('P-256')].some(({ publicKey }) => fitsAlgorithm(publicKey, name))).toBe(false);
  });

  it('does not fit the algorithm of another curve', () => {
    expect(fitsAlgorithm(onCurve('P-384').publicKey, 'ES256')).toBe(false);
    expect(fitsAlgorithm(onCurve('secp256k1').publicKey, 'ES256')).toBe(false);
  });
});
