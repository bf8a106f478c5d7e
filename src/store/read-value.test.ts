import { describe, expect, it } from 'vitest';
import { damages } from '../../test/corruption/damages.ts';
import { CorruptObject } from './corrupt-object.ts';
import { readValue } from './read-value.ts';
import { StoredObject } from './stored-object.ts';

const key = '/registry/configmaps/shop/settings';
const object = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'settings', namespace: 'shop', uid: 'u-1', creationTimestamp: '2026-01-01T00:00:00Z' },
  data: { 'a"uid":"': '"uid":"' },
};
const value = Buffer.from(JSON.stringify(object));
const read = (bytes: Buffer, integrity: object = {}) =>
  readValue({ key, value: bytes, revision: 7, ...integrity }, 'ConfigMap');

describe('a value that storage cannot verify', () => {
  it('is an object when its metadata matches its key', () => {
    expect(read(value, { unverified: true })).toBeInstanceOf(StoredObject);
  });

  it.each(damages.filter(({ needsChecksum }) => !needsChecksum))('is corrupt: $what', ({ change }) => {
    const changed = change(value);
    // Storage itself detects a value that is not stored as bytes.
    if (!Buffer.isBuffer(changed)) return;
    expect(read(changed, { unverified: true })).toBeInstanceOf(CorruptObject);
  });
});

it('relies on the integrity check of storage', () => {
  expect(read(value)).toBeInstanceOf(StoredObject);
  expect(read(value, { corrupt: 'it cannot be decrypted' })).toEqual(
    new CorruptObject({ key, revision: 7, reason: 'it cannot be decrypted' }),
  );
  // The value is not parsed, but it must have a place for the resourceVersion.
  expect(read(Buffer.from('{"metadata":{"uid":"u"},'))).toBeInstanceOf(StoredObject);
  expect(read(Buffer.from('[]'))).toBeInstanceOf(CorruptObject);
  const reason = 'identity transformer tried to read encrypted data';
  expect(read(Buffer.from('k8s:enc:aescbc:v1:a:0'))).toEqual(new CorruptObject({ key, revision: 7, reason }));
});
