import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../meta/logger.ts';
import { createMemoryStorage, TransformedStorage } from '../storage/index.ts';
import { describeStorage } from '../storage/storage.conformance.ts';
import { parseEncryptionConfiguration } from './configuration/parse-encryption-configuration.ts';
import { Encryption } from './encryption.ts';
import { aesGcm } from './providers/aes-gcm.ts';

const types = new Map([
  ['secrets', { group: '', resource: 'secrets' }],
  ['configmaps', { group: '', resource: 'configmaps' }],
  ['services/specs', { group: '', resource: 'services' }],
  ['deployments', { group: 'apps', resource: 'deployments' }],
]);
const plain = Buffer.from('{"kind":"Secret"}');
const secretKey = '/registry/secrets/default/a';
const keyNamed = (name: string) => ({ name, secret: Buffer.alloc(32, name).toString('base64') });
const withKeys = (type: string, ...names: string[]) => ({ [type]: { keys: names.map(keyNamed) } });
const identity = { identity: {} };

function configuration(...rules: readonly [resources: string[], ...providers: object[]][]) {
  const resources = rules.map(([names, ...providers]) => ({ resources: names, providers }));
  const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
  return parseEncryptionConfiguration(Buffer.from(JSON.stringify({ ...kind, resources })));
}

async function open(...rules: readonly [resources: string[], ...providers: object[]][]) {
  const { signal } = new AbortController();
  const readable: string[][] = [];
  const encryption = await Encryption.open(configuration(...rules), {
    types,
    log: silentLogger,
    onReadable: (prefixes) => void readable.push([...prefixes]),
    signal,
  });
  return { encryption, readable, signal };
}

/** Returns the prefix of the stored value, up to the name of the key. */
function head(stored: Buffer): string {
  return stored.equals(plain) ? 'plain' : stored.toString('latin1').split(':').slice(2, 5).join(':');
}

describeStorage(
  'encrypted storage',
  async () => {
    const { encryption } = await open([['*.*'], withKeys('aesgcm', 'a')]);
    // Maps the keys of the suite to keys of objects.
    const asSecret = (key: string): string => `/registry/secrets/${key}`;
    const storage = new TransformedStorage(createMemoryStorage(), {
      toStored: (value, key) => encryption.toStored(value, asSecret(key)),
      fromStored: (stored, key) => encryption.fromStored(stored, asSecret(key)),
    });
    return { storage, dispose: () => storage.close() };
  },
  { singleWriter: true, randomRuns: 20 },
);

it('encrypts by resource', async () => {
  const { encryption } = await open(
    [['secrets'], withKeys('aescbc', 'exact'), identity],
    [['*.'], withKeys('aesgcm', 'core')],
    [['*.apps'], withKeys('secretbox', 'apps')],
    [['widgets.example.com'], withKeys('aesgcm', 'custom')],
    [['*.*'], identity],
  );
  const written = (key: string): string => head(encryption.toStored(plain, key));
  expect(written(secretKey)).toBe('aescbc:v1:exact');
  expect(written('/registry/configmaps/default/a')).toBe('aesgcm:v1:core');
  expect(written('/registry/services/specs/default/a')).toBe('aesgcm:v1:core');
  expect(written('/registry/deployments/default/a')).toBe('secretbox:v1:apps');
  expect(written('/registry/example.com/widgets/default/a')).toBe('aesgcm:v1:custom');
  expect(written('/registry/example.com/gadgets/default/a')).toBe('plain');
  for (const key of [secretKey, '/registry/configmaps/default/a', '/registry/example.com/gadgets/default/a']) {
    expect(encryption.fromStored(encryption.toStored(plain, key), key)).toEqual({ value: plain });
  }
});

it('does not encrypt what is not an object', async () => {
  const { encryption } = await open([['*.*'], withKeys('aesgcm', 'all')]);
  expect(head(encryption.toStored(plain, '/registry/example.com/gadgets/default/a'))).toBe('aesgcm:v1:all');
  // kube-apiserver stores this value without encryption.
  const key = '/registry/ranges/servicenodeports';
  expect(encryption.toStored(plain, key)).toEqual(plain);
  expect(encryption.fromStored(plain, key)).toEqual({ value: plain });
});

it('joins the providers of a resource that several rules name', async () => {
  const { encryption } = await open([['secrets'], withKeys('aesgcm', 'a')], [['secrets'], identity]);
  expect(encryption.fromStored(plain, secretKey)).toEqual({ value: plain, stale: true });
});

describe('what another provider or key has written', () => {
  const write = async (...providers: object[]): Promise<Buffer> =>
    (await open([['secrets'], ...providers])).encryption.toStored(plain, secretKey);
  const stale = { value: plain, stale: true };

  it.each<[what: string, by: object[], read: object[], expected: object]>([
    ['by the first key', [withKeys('aesgcm', 'a')], [withKeys('aesgcm', 'a', 'b')], { value: plain }],
    ['by a later key', [withKeys('aesgcm', 'b')], [withKeys('aesgcm', 'a', 'b')], stale],
    ['by a later provider', [withKeys('aescbc', 'a')], [withKeys('aesgcm', 'a'), withKeys('aescbc', 'a')], stale],
    [
      'by a later provider of the same type',
      [withKeys('aesgcm', 'b')],
      [withKeys('aesgcm', 'a'), withKeys('aesgcm', 'b')],
      stale,
    ],
    ['plainly, before identity', [identity], [withKeys('aesgcm', 'a'), identity], stale],
    ['encrypted, behind identity', [withKeys('aesgcm', 'a')], [identity, withKeys('aesgcm', 'a')], stale],
  ])('is read: %s', async (_what, by, read, expected) => {
    const { encryption } = await open([['secrets'], ...read]);
    expect(encryption.fromStored(await write(...by), secretKey)).toEqual(expected);
  });

  it.each<[what: string, by: object[], read: object[], reason: string]>([
    ['plainly, without identity', [identity], [withKeys('aesgcm', 'a')], 'no matching prefix found'],
    [
      'by a provider that is gone',
      [withKeys('aescbc', 'a')],
      [withKeys('aesgcm', 'a'), identity],
      'no matching prefix found',
    ],
    [
      'by a key that is gone',
      [withKeys('aescbc', 'a')],
      [withKeys('aescbc', 'b')],
      'no matching key was found for the provided AES transformer',
    ],
    [
      'by a secretbox key that is gone',
      [withKeys('secretbox', 'a')],
      [withKeys('secretbox', 'b')],
      'no matching key was found for the provided Secretbox transformer',
    ],
    [
      'by a key of the same name',
      [{ aesgcm: { keys: [{ ...keyNamed('other'), name: 'a' }] } }],
      [withKeys('aesgcm', 'a'), withKeys('aesgcm', 'b')],
      '[cipher: message authentication failed, no matching key was found for the provided AES transformer]',
    ],
  ])('is corrupt: %s', async (_what, by, read, reason) => {
    const stored = await write(...by);
    const { encryption } = await open([['secrets'], ...read]);
    expect(encryption.fromStored(stored, secretKey)).toEqual({ value: stored, corrupt: reason });
  });

  it('is corrupt when its resource is not encrypted any more', async () => {
    const stored = await write(withKeys('aesgcm', 'a'));
    const { encryption } = await open([['configmaps'], identity]);
    const corrupt = 'identity transformer tried to read encrypted data';
    expect(encryption.fromStored(stored, secretKey)).toEqual({ value: stored, corrupt });
  });
});

it('binds values to their keys in the store', async () => {
  const rules = configuration([['secrets'], withKeys('aesgcm', 'a')]);
  const options = { types, log: silentLogger, onReadable() {}, signal: new AbortController().signal };
  const [usual, other] = await Promise.all(
    [undefined, '/clusters/one'].map((root) => Encryption.open(rules, { ...options, root })),
  );
  const stored = other!.toStored(plain, secretKey);
  expect(other!.fromStored(stored, secretKey)).toEqual({ value: plain });
  expect(usual!.fromStored(stored, secretKey)).toMatchObject({ corrupt: 'cipher: message authentication failed' });
  const direct = aesGcm(createSecretKey(Buffer.alloc(32, 'a')));
  const sealed = stored.subarray('k8s:enc:aesgcm:v1:a:'.length);
  expect(direct.open(sealed, '/clusters/one/secrets/default/a')).toMatchObject({ value: plain });
});

it('uses another configuration from one moment to the next, and tells what may be readable then', async () => {
  const { encryption, readable, signal } = await open([['secrets'], withKeys('aesgcm', 'a')]);
  const stored = encryption.toStored(plain, secretKey);
  await encryption.replace(configuration([['secrets'], withKeys('aesgcm', 'b')]), signal);
  expect(readable).toEqual([]);
  expect(encryption.fromStored(stored, secretKey)).toMatchObject({ corrupt: expect.any(String) });
  await encryption.replace(configuration([['secrets'], withKeys('aesgcm', 'b', 'a')]), signal);
  expect(readable).toEqual([['/registry/secrets/']]);
  expect(encryption.fromStored(stored, secretKey)).toEqual({ value: plain, stale: true });
  expect(head(encryption.toStored(plain, secretKey))).toBe('aesgcm:v1:b');
  const late = () => encryption.replace(configuration([['secrets'], identity]), AbortSignal.abort());
  expect(late).toThrow('aborted');
  expect(head(encryption.toStored(plain, secretKey))).toBe('aesgcm:v1:b');
});
