import { describe, expect, it } from 'vitest';
import { ownMemory } from './slab.ts';
import { StoredObject } from './stored-object.ts';
import { ObjectSlabs } from './watch-cache/object-slabs.ts';

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

describe('a value that other threads share', () => {
  const cases = [
    encoded({ labels: { a: 'b' } }, { data: { k: 'v' } }),
    encoded({ labels: { ключ: '🚢' } }),
    Buffer.from('{"0":{"uid":"other"},"kind":"K","metadata":{"name":"x","uid":"u-1"}}'),
  ];
  const views = (object: StoredObject): unknown => {
    const target = Buffer.alloc(object.size);
    return {
      size: object.size,
      text: object.bytes.toString(),
      parsed: object.parse(),
      labels: object.labels,
      later: object.withRevision(12345).bytes.toString(),
      copied: [object.copyTo(target, 0, 5), target.toString()],
      same: cases.map((value) => object.isEncodedAs(value)),
    };
  };

  it.each(cases.map((value) => [value]))('is the same object without a copy, and when it is moved: %s', (value) => {
    const shared = Buffer.from(new SharedArrayBuffer(4096));
    shared.set(value, 100);
    const kept = shared.subarray(100, 100 + value.length);
    const slabs = new ObjectSlabs();
    const object = StoredObject.fromValue({ key, value: kept, revision: 7, isKept: true }, slabs);
    expect(object.slab.memory.buffer).toBe(shared.buffer);
    const expected = views(stored(value));
    expect(views(object)).toEqual(expected);
    const elsewhere = Buffer.from(new SharedArrayBuffer(4096));
    elsewhere.set(value, 7);
    object.valueMoved(elsewhere.subarray(7, 7 + value.length), slabs);
    shared.fill(0);
    expect(views(object)).toEqual(expected);
    object.moveTo(ownMemory);
    elsewhere.fill(0);
    expect(views(object)).toEqual(expected);
  });
});

describe('the version', () => {
  it('is inserted after the uid', () => {
    expect(stored(encoded({ labels: { a: 'b' } })).bytes.toString()).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","namespace":"default","uid":"u-1",' +
        '"resourceVersion":"7","labels":{"a":"b"}}}\n',
    );
  });

  it.each([
    ['names', encoded({ name: '","uid":"other' })],
    ['other uids', encoded({ ownerReferences: [{ uid: 'other' }] }, { data: { 'a"uid":"': '"uid":"' } })],
    [
      'a field before the metadata',
      Buffer.from('{"0":{"uid":"other"},"kind":"K","metadata":{"name":"x","uid":"u-1"}}'),
    ],
    ['other alphabets', encoded({ labels: { ключ: '🚢' } })],
  ])('is inserted in the right place despite %s', (_what, value) => {
    const { metadata, ...rest } = stored(value).parse();
    const { resourceVersion, ...others } = metadata;
    expect(resourceVersion).toBe('7');
    expect({ ...rest, metadata: others }).toEqual(JSON.parse(value.toString()));
  });

  it('is replaced in a deletion, whatever its length', () => {
    const value = encoded({}, { data: { a: 'b' } });
    for (const revision of [8, 10, 1_000_000]) {
      expect(stored(value, 9).withRevision(revision).bytes).toEqual(stored(value, revision).bytes);
    }
  });

  it.each([
    ['nothing', ''],
    ['no object', '[]'],
    ['no uid', '{"metadata":{"name":"x"}}'],
  ])('cannot be inserted into a value with %s', (_what, text) => {
    expect(() => stored(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'Corrupt', message: 'the value is not an encoded object' }),
    );
  });
});

describe('a write that changes nothing', () => {
  const value = encoded({}, { data: { a: 'b' } });

  it('is detected by its bytes', () => {
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

  it('keeps integers beyond the safe range', () => {
    const value = Buffer.from('{"kind":"A","apiVersion":"v1","metadata":{"uid":"u"},"spec":{"a":9007199254740993}}');
    expect(stored(value).parse().spec).toEqual({ a: 9007199254740993n });
  });

  it.each([
    ['some', encoded({ labels: { a: 'b', c: '' } }), { a: 'b', c: '' }],
    ['none', encoded(), undefined],
    ['an empty map', encoded({ labels: {} }), undefined],
    ['null', encoded({ labels: null }), undefined],
    ['those of a template only', encoded({}, { template: { metadata: { labels: { a: 'b' } } } }), undefined],
    ['some with blanks between them', Buffer.from('{"metadata": {"uid":"u", "labels": {"a": "b"}}}'), { a: 'b' }],
    ['none, with blanks', Buffer.from('{"metadata": {"uid":"u"}}'), undefined],
  ])('returns its labels: %s', (_what, value, labels) => {
    const object = stored(value);
    expect(object.labels).toEqual(labels);
    expect(object.labels).toBe(object.labels);
    expect(object.withRevision(8).labels).toBe(object.labels);
  });

  it('returns its labels without parsing the rest', () => {
    const value = Buffer.from('{"kind":"A","metadata":{"uid":"u","labels":{"a":"b"}},"spec":no JSON');
    expect(stored(value).labels).toEqual({ a: 'b' });
  });
});

describe('values', () => {
  /** A function that derives values, and the number of its calls. */
  function counted() {
    const calls: StoredObject[] = [];
    return { calls, of: (object: StoredObject) => [String(calls.push(object))] };
  }

  it('are computed once, also for another resourceVersion', () => {
    const { calls, of } = counted();
    const object = stored(encoded());
    const values = object.values(of);
    expect(object.values(of)).toBe(values);
    expect(object.withRevision(8).values(of)).toBe(values);
    expect(calls).toEqual([object]);
  });

  it('are cached for two alternating functions', () => {
    const [first, second] = [counted(), counted()];
    const object = stored(encoded());
    for (const { of } of [first, second, first, second]) expect(object.values(of)).toEqual(['1']);
  });

  it('are computed again rather than cached for more than two functions', () => {
    const [first, second, third] = [counted(), counted(), counted()];
    const object = stored(encoded());
    for (const { of } of [first, second, third, second, third]) expect(object.values(of)).toEqual(['1']);
    expect(object.values(first.of)).toEqual(['2']);
  });
});

describe('an object that was not stored', () => {
  const document = Buffer.from('{"kind":"Reading","apiVersion":"v1","metadata":{"name":"x","labels":{"a":"b"}}}\n');
  const object = StoredObject.fromDocument({ key, document, revision: 0 });

  it('is its document', () => {
    expect(object.bytes).toEqual(document);
    expect(object.labels).toEqual({ a: 'b' });
    expect(object.parse().metadata).toEqual({ name: 'x', labels: { a: 'b' } });
  });

  it('has no form in storage', () => {
    expect(object.isEncodedAs(document.subarray(0, -1))).toBe(false);
    expect(() => object.withRevision(8)).toThrow('has not been stored');
  });
});
