import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { decodeEncryptedObject, type EncryptedObject, encodeEncryptedObject } from './encrypted-object.ts';

const { root } = protobuf.parse(`
syntax = "proto3";
enum EncryptedDEKSourceType { AES_GCM_KEY = 0; HKDF_SHA256_XNONCE_AES_GCM_SEED = 1; }
message EncryptedObject {
  bytes encryptedData = 1;
  string keyID = 2;
  bytes encryptedDEKSource = 3;
  map<string, bytes> annotations = 4;
  EncryptedDEKSourceType encryptedDEKSourceType = 5;
}
`);
const peer = root.lookupType('EncryptedObject');

const object: EncryptedObject = {
  data: Buffer.from('data'),
  keyId: 'key-ü',
  source: Buffer.from('source'),
  annotations: { 'a.example.com': Buffer.from('one'), 'b.example.com': Buffer.alloc(0) },
  sourceType: 1,
};
const message = {
  encryptedData: object.data,
  keyID: object.keyId,
  encryptedDEKSource: object.source,
  annotations: object.annotations,
  encryptedDEKSourceType: 1,
};

describe('an encrypted object', () => {
  it('is written as another implementation writes it', () => {
    const theirs = peer.decode(encodeEncryptedObject(object));
    expect(peer.toObject(theirs, { bytes: Buffer })).toEqual(message);
    // One annotation, because their order is free.
    const { 'a.example.com': one } = object.annotations;
    const annotations = { 'a.example.com': one! };
    expect(encodeEncryptedObject({ ...object, annotations })).toEqual(
      Buffer.from(peer.encode(peer.create({ ...message, annotations })).finish()),
    );
  });

  it('is read as another implementation has written it', () => {
    expect(decodeEncryptedObject(Buffer.from(peer.encode(peer.create(message)).finish()))).toEqual(object);
    // Without a type it has a key, as in older releases.
    const older = { ...message, encryptedDEKSourceType: 0, annotations: {} };
    expect(decodeEncryptedObject(Buffer.from(peer.encode(peer.create(older)).finish()))).toEqual({
      ...object,
      annotations: {},
      sourceType: 0,
    });
  });

  it.each<[fields: Partial<EncryptedObject>, problem: string]>([
    [{ sourceType: 2 }, 'unknown encryptedDEKSourceType: 2'],
    [{ data: Buffer.alloc(0) }, 'encrypted data is empty'],
    [{ source: Buffer.alloc(0) }, 'failed to validate encrypted DEK source: encrypted DEK source is empty'],
    [
      { source: Buffer.alloc(1025) },
      'failed to validate encrypted DEK source: encrypted DEK source is 1025 bytes, which exceeds the max size of 1024',
    ],
    [{ keyId: '' }, 'failed to validate key id: keyID is empty'],
    [
      { annotations: { local: Buffer.alloc(0) } },
      'failed to validate annotations: annotations: Invalid value: "local": should be a domain with at least two segments separated by dots',
    ],
    [
      { annotations: { 'a.b': Buffer.alloc(32 * 1024) } },
      'failed to validate annotations: total size of annotations is 32771, which exceeds the max size of 32768',
    ],
  ])('is refused when it is not valid: case %#', (fields, problem) => {
    expect(() => decodeEncryptedObject(encodeEncryptedObject({ ...object, ...fields }))).toThrow(problem);
  });

  it.each(['0a', '0aff', '0801', '2a00', 'ffffffffffffffffffffff01'])(
    'is refused when it is not a message: %s',
    (hex) => {
      expect(() => decodeEncryptedObject(Buffer.from(hex, 'hex'))).toThrow();
    },
  );
});
