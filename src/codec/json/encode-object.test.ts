import { expect, it } from 'vitest';
import { encodeJson } from './encode-json.ts';
import { encodeObject } from './encode-object.ts';

const set = { 'f:spec': { 'k:{"name":"<a>"}': { '.': {} } } };
const entry = { manager: 'a&b', operation: 'Update', time: undefined, fieldsType: 'FieldsV1', fieldsV1: set };
const metadata = { name: 'x', labels: { a: '"' }, uid: undefined, managedFields: [entry] };

it.each<[string, Record<string, unknown>]>([
  ['managed fields', { kind: 'A', metadata, spec: { a: '<' }, status: undefined }],
  ['several entries', { metadata: { ...metadata, managedFields: [entry, { ...entry, subresource: 'status' }] } }],
  ['nothing but managed fields', { metadata: { managedFields: [{ fieldsV1: set }] } }],
  ['no managed fields', { metadata: { name: 'x', managedFields: undefined }, data: null }],
  ['an empty list', { metadata: { name: 'x', managedFields: [] } }],
  ['an empty entry', { metadata: { managedFields: [{}, { manager: undefined }] } }],
  ['entries that are no objects', { metadata: { managedFields: [null, 1, [entry]] } }],
  ['managed fields that are no list', { metadata: { managedFields: { fieldsV1: set } } }],
  ['field sets that are no objects', { metadata: { managedFields: [{ fieldsV1: null }, { fieldsV1: [1] }] } }],
  ['managed fields in another place', { metadata: { managedFields: [entry], name: 'x' } }],
  ['metadata of another form', { metadata: null }],
  ['a list', { metadata: [entry] }],
  ['large integers', { 1: 2n, metadata: { ...metadata, generation: 9007199254740993n }, '"': 1 }],
  ['nothing', {}],
])('encodes an object with %s as encodeJson does', (_, object) => {
  const before = structuredClone(object);
  const expected = encodeJson(object);
  expect(encodeObject(object)).toBe(expected);
  expect(encodeObject(object)).toBe(expected);
  expect(object).toEqual(before);
});
