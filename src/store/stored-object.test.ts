import { describe, expect, it } from 'vitest';
import { StoredObject } from './stored-object.ts';

const key = '/registry/configmaps/default/x';

function encoded(metadata: object = {}, rest: object = {}): Buffer {
  const head = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'x', namespace: 'default', uid: 'u-1', ...metadata },
  };
  return Buffer.from(JSON.stringify({ ...head, ...rest }));
}

const stored = (value: Buffer, revision = 7) => StoredObject.fromValue({ key, value, revision });

describe('the version', () => {
  it('is put behind the uid', () => {
    expect(stored(encoded({ labels: { a: 'b' } })).bytes.toString()).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","namespace":"default","uid":"u-1",' +
        '"resourceVersion":"7","labels":{"a":"b"}}}\n',
    );
  });

  it.each([
    ['names', encoded({ name: '","uid":"other' })],
    ['other uids', encoded({ ownerReferences: [{ uid: 'other' }] }, { data: { 'a"uid":"': '"uid":"' } })],
    ['other alphabets', encoded({ labels: { ключ: '🚢' } })],
  ])('is not led astray by %s', (_what, value) => {
    const { metadata, ...rest } = stored(value).parse();
    const { resourceVersion, ...others } = metadata;
    expect(resourceVersion).toBe('7');
    expect({ ...rest, metadata: others }).toEqual(JSON.parse(value.toString()));
  });

  it('is replaced in a deletion, however long it is', () => {
    const value = encoded({}, { data: { a: 'b' } });
    for (const revision of [8, 10, 1_000_000]) {
      expect(stored(value, 9).withRevision(revision).bytes).toEqual(stored(value, revision).bytes);
    }
  });

  it.each([
    ['nothing', ''],
    ['no object', '[]'],
    ['no uid', '{"metadata":{"name":"x"}}'],
  ])('has no place in %s', (_what, text) => {
    expect(() => stored(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'Corrupt', message: `the value of ${key} is not an encoded object` }),
    );
  });
});

describe('a write that changes nothing', () => {
  const value = encoded({}, { data: { a: 'b' } });

  it('is known by its bytes', () => {
    expect(stored(value).isEncodedAs(encoded({}, { data: { a: 'b' } }))).toBe(true);
    expect(stored(value, 123_456).withRevision(9).isEncodedAs(value)).toBe(true);
  });

  it.each([
    ['a value', encoded({}, { data: { a: 'c' } })],
    ['something before the version', encoded({ name: 'y' }, { data: { a: 'b' } })],
    ['something more', encoded({}, { data: { a: 'b', c: 'd' } })],
    ['something less', encoded()],
    ['everything', Buffer.from('{}')],
  ])('is not one that changes %s', (_what, other) => {
    expect(stored(value).isEncodedAs(other)).toBe(false);
  });
});

describe('the object', () => {
  it('is a fresh copy each time', () => {
    const object = stored(encoded({}, { data: { a: 'b' } }));
    const copy = object.parse();
    copy.metadata.name = 'changed';
    expect(object.parse().metadata.name).toBe('x');
  });

  it('keeps integers that no number holds', () => {
    const value = Buffer.from('{"kind":"A","apiVersion":"v1","metadata":{"uid":"u"},"spec":{"a":9007199254740993}}');
    expect(stored(value).parse().spec).toEqual({ a: 9007199254740993n });
  });

  it('tells its labels', () => {
    expect(stored(encoded({ labels: { a: 'b' } })).labels).toEqual({ a: 'b' });
    expect(stored(encoded()).labels).toBeUndefined();
  });
});
