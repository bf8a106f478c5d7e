import { expect, it } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import { StoredObject } from '../store/index.ts';
import type { VersionConverter } from './resource-definition.ts';
import { ServedDocuments } from './served-documents.ts';

function stored(apiVersion: string, name = 'a', spec: object = {}): StoredObject {
  const object = { kind: 'K', apiVersion, metadata: { name, uid: 'u' }, spec };
  return StoredObject.fromValue({ key: `/k/${name}`, value: Buffer.from(JSON.stringify(object)), revision: 3 });
}

function pruned(object: ResourceObject): ResourceObject {
  const { old: _old, ...spec } = object.spec as Record<string, unknown>;
  return { ...object, spec };
}

/** A served version whose schema drops `old`. The schema of each version gives a field its default. */
function served(converter: Partial<VersionConverter> = {}) {
  const calls: number[] = [];
  const documents = new ServedDocuments({
    apiVersion: 'g/v2',
    converter: {
      isSynchronous: true,
      convert: (objects, apiVersion) => {
        calls.push(objects.length);
        return objects.map((object) => ({ ...object, apiVersion }));
      },
      ...converter,
    },
    normalizeStored: (object) => {
      const spec = object.spec as Record<string, unknown>;
      if (object.apiVersion !== 'g/v2') return { ...object, spec: { color: 'red', ...spec } };
      return pruned({ ...object, spec: { ...spec, size: spec.size ?? 1 } });
    },
    prune: pruned,
    encode: (object) => Buffer.from(`${JSON.stringify(object)}\n`),
  });
  const read = (object: StoredObject) => JSON.parse(String(documents.document(object))) as ResourceObject;
  return { documents, read, calls };
}

const v2 = { kind: 'K', apiVersion: 'g/v2', metadata: { name: 'a', uid: 'u', resourceVersion: '3' } };

it.each([
  ['has another version, with the defaults of that version', stored('g/v1', 'a', { hue: 5 }), { color: 'red', hue: 5 }],
  ['has another version, and a field that the served one lacks', stored('g/v1', 'a', { old: 1 }), { color: 'red' }],
  ['lacks a default of the present schema', stored('g/v2'), { size: 1 }],
  ['has a field that the schema dropped', stored('g/v2', 'a', { old: 1, size: 2 }), { size: 2 }],
])('makes the document of an object that %s', (_what, object, spec) => {
  const { documents, read } = served();
  expect(read(object)).toEqual({ ...v2, spec });
  expect(documents.isAsStored(object)).toBe(false);
  expect(documents.document(object)).toBe(documents.document(object));
});

it('serves the stored bytes of an object that needs no change', () => {
  const { documents } = served();
  const object = stored('g/v2', 'a', { size: 1 });
  expect(documents.ready([object])).toBeUndefined();
  expect(documents.isAsStored(object)).toBe(true);
  expect(documents.document(object).buffer).toBe(object.bytes.buffer);
});

it('knows an object that it is about to store', () => {
  const { documents, calls } = served();
  const object = stored('g/v2', 'a', { size: 1 });
  const value = Buffer.from(JSON.stringify({ ...v2, metadata: { name: 'a', uid: 'u' }, spec: { size: 1 } }));
  documents.expect('/k/a', value);
  expect(documents.document(object).buffer).toBe(object.bytes.buffer);
  documents.forget('/k/a');
  expect(documents.isAsStored(object)).toBe(true);
  expect(calls).toEqual([]);
});

it('does not take another object for the one that it is about to store', () => {
  const { documents, read } = served();
  documents.expect('/k/a', Buffer.from('{}'));
  expect(read(stored('g/v2')).spec).toEqual({ size: 1 });
});

it('awaits conversions, and converts the objects of a list in one call', async () => {
  const calls: number[] = [];
  const { documents, read } = served({
    isSynchronous: false,
    async convert(objects, apiVersion) {
      calls.push(objects.length);
      return objects.map((object) => ({ ...object, apiVersion }));
    },
  });
  const objects = ['a', 'b', 'c'].map((name) => stored('g/v1', name));
  expect(() => documents.document(objects[0]!)).toThrow('has not been converted');
  calls.length = 0;
  await documents.ready(objects);
  expect(documents.ready(objects)).toBeUndefined();
  expect(calls).toEqual([3]);
  expect(objects.map((object) => read(object).metadata.name)).toEqual(['a', 'b', 'c']);
});

it('passes on the failure of a conversion', async () => {
  const { documents } = served({ isSynchronous: false, convert: () => Promise.reject(new Error('refused')) });
  await expect(documents.ready([stored('g/v1')])).rejects.toThrow('refused');
});
