import { createCipheriv, createHmac, createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seededCipher } from '../kms/seeded-cipher.ts';
import type { ValueProvider } from '../value-provider.ts';
import { aesCbc } from './aes-cbc.ts';
import { aesGcm } from './aes-gcm.ts';
import { identity } from './identity.ts';
import { secretbox } from './secretbox.ts';

const key = '/registry/secrets/default/a';
const plain = Buffer.from('{"kind":"Secret"}');
const bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, (_, index) => index + 1));
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** Encrypts without the code under test. */
function gcm(secret: Buffer, value: Buffer): Buffer {
  const nonce = bytes(12);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce);
  cipher.setAAD(Buffer.from(key));
  return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
}

/** Implements CBC with single blocks. */
function cbc(secret: Buffer, value: Buffer): Buffer {
  const padding = 16 - (value.length % 16);
  const padded = Buffer.concat([value, Buffer.alloc(padding, padding)]);
  const blocks = [bytes(16)];
  for (let at = 0; at < padded.length; at += 16) {
    const mixed = padded.subarray(at, at + 16).map((byte, index) => byte ^ blocks.at(-1)![index]!);
    const cipher = createCipheriv('aes-256-ecb', secret, null).setAutoPadding(false);
    blocks.push(Buffer.concat([cipher.update(mixed), cipher.final()]));
  }
  return Buffer.concat(blocks);
}

function seeded(seed: Buffer, value: Buffer): Buffer {
  const info = bytes(32).reverse();
  const derived = createHmac('sha256', seed)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest();
  return Buffer.concat([info, gcm(derived, value)]);
}

const secret = bytes(32);
const providers: readonly [name: string, provider: ValueProvider, sealed: Buffer][] = [
  ['aesgcm', aesGcm(createSecretKey(secret)), gcm(secret, plain)],
  ['aescbc', aesCbc(createSecretKey(secret)), cbc(secret, plain)],
  ['a seed', seededCipher(secret), seeded(secret, plain)],
];

describe.each(providers)('%s', (_name, provider, sealed) => {
  it('opens what another implementation has sealed', () => {
    expect(provider.open(sealed, key)).toEqual({ value: plain, stale: false });
  });

  it.each([0, 1, 15, 16, 17, 100_000])('opens what it has sealed: %i bytes', (size) => {
    const value = Buffer.alloc(size, 'x');
    const one = Buffer.concat(provider.seal(value, key));
    expect(provider.open(one, key)).toEqual({ value, stale: false });
    // The result differs each time.
    expect(Buffer.concat(provider.seal(value, key))).not.toEqual(one);
  });

  it('refuses what is cut off', () => {
    expect(() => provider.open(sealed.subarray(0, 11), key)).toThrow(
      'the stored data was shorter than the required size',
    );
  });
});

describe('secretbox', () => {
  // The example of NaCl's own tests.
  const firstKey = hex('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389');
  const nonce = hex('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37');
  const message = hex(
    'be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705',
  );
  const box = hex(
    'f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5',
  );
  const provider = secretbox(createSecretKey(firstKey));

  it('opens what NaCl has sealed', () => {
    expect(provider.open(Buffer.concat([nonce, box]), key)).toEqual({ value: message, stale: false });
  });

  it.each([0, 1, 100_000])('opens what it has sealed: %i bytes', (size) => {
    const value = Buffer.alloc(size, 'x');
    expect(provider.open(Buffer.concat(provider.seal(value, key)), key)).toEqual({ value, stale: false });
  });

  it.each([
    ['the stored data was shorter than the required size', Buffer.concat([nonce, box.subarray(0, 15)])],
    ['output array was not large enough for encryption', Buffer.concat([nonce, box.subarray(1)])],
  ])('refuses what it cannot open: %s', (problem, sealed) => {
    expect(() => provider.open(sealed, key)).toThrow(problem);
  });
});

describe('authentication', () => {
  const failed = 'cipher: message authentication failed';
  const authenticated = providers.filter(([name]) => name !== 'aescbc');

  it.each(authenticated)('by %s refuses changed values and those of other keys', (_name, provider, sealed) => {
    const changed = Buffer.from(sealed);
    changed[changed.length - 20]! ^= 1;
    expect(() => provider.open(changed, key)).toThrow(failed);
    expect(() => provider.open(sealed, '/registry/secrets/default/b')).toThrow(failed);
  });

  it.each<[what: string, padded: Buffer, problem: string]>([
    ['no padding', Buffer.alloc(16, 0), 'invalid PKCS7 data (empty or not padded)'],
    ['too much padding', Buffer.alloc(16, 17), 'invalid PKCS7 data (empty or not padded)'],
    ['unequal padding', Buffer.concat([Buffer.alloc(15), Buffer.from([2])]), 'invalid padding on input'],
  ])('by aescbc is the padding alone: %s', (_what, padded, problem) => {
    const cipher = createCipheriv('aes-256-cbc', secret, bytes(16)).setAutoPadding(false);
    const sealed = Buffer.concat([bytes(16), cipher.update(padded), cipher.final()]);
    expect(() => aesCbc(createSecretKey(secret)).open(sealed, key)).toThrow(problem);
  });

  it('by aescbc needs complete blocks', () => {
    const provider = aesCbc(createSecretKey(secret));
    expect(() => provider.open(bytes(33), key)).toThrow('the stored data is not a multiple of the block size');
    expect(() => provider.open(bytes(16), key)).toThrow('invalid PKCS7 data (empty or not padded)');
  });
});

it('identity leaves values as they are, and refuses encrypted ones', () => {
  expect(identity.seal(plain, key)).toEqual([plain]);
  expect(identity.open(plain, key)).toEqual({ value: plain, stale: false });
  expect(() => identity.open(Buffer.from('k8s:enc:aescbc:v1:k:x'), key)).toThrow(
    'identity transformer tried to read encrypted data',
  );
});
