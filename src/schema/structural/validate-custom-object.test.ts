import { describe, expect, it, test } from 'vitest';
import { fieldErrorText } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { runSync } from '../../meta/turns.ts';
import { customSchema } from './custom-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { type ValidateCustomOptions, validateCustomObject } from './validate-custom-object.ts';

const text: JsonSchema = { type: 'string', maxLength: 3 };
const element: JsonSchema = {
  type: 'object',
  properties: { k: { type: 'string' }, text, n: { type: 'integer', maximum: 1 } },
};
const source: JsonSchema = {
  type: 'object',
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } },
    spec: {
      type: 'object',
      properties: {
        text,
        other: text,
        inner: { type: 'object', properties: { text, other: text } },
        map: { type: 'object', additionalProperties: text },
        keyed: { type: 'array', items: element, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
        set: { type: 'array', items: { type: 'string', maxLength: 3 }, 'x-kubernetes-list-type': 'set' },
        list: { type: 'array', items: element },
        sets: { type: 'object', additionalProperties: { type: 'array', items: {}, 'x-kubernetes-list-type': 'set' } },
        choice: { type: 'object', properties: { a: text, b: text }, allOf: [{ properties: { a: { minLength: 2 } } }] },
        embedded: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    status: { type: 'object', properties: { text } },
  },
};
const schema = customSchema(source, { group: 'sea.io', version: 'v1', kind: 'Raft' });
const objectOf = (spec: unknown, more: object = {}) =>
  ({ apiVersion: 'sea.io/v1', kind: 'Raft', metadata: { name: 'a' }, spec, ...more }) as ResourceObject;
const fields = (object: ResourceObject, options?: ValidateCustomOptions) =>
  runSync(validateCustomObject(schema, object, options)).map(fieldErrorText);

const long = 'Too long: may not be more than 3 bytes';

describe('an update tolerates errors in what it does not change', () => {
  const bad = 'long text';

  it.each<[string, object, object, string[]]>([
    ['a field', { text: bad }, { text: bad, other: 'x' }, []],
    ['a changed field', { text: bad }, { text: `${bad}er` }, [`spec.text: ${long}`]],
    ['a new field', {}, { text: bad }, [`spec.text: ${long}`]],
    ['a null', { text: null }, { text: null, other: 'x' }, []],
    [
      'a new null',
      {},
      { text: null },
      ['spec.text: Invalid value: "null": spec.text in body must be of type string: "null"'],
    ],
    [
      'a field beside a changed one',
      { inner: { text: bad } },
      { inner: { text: bad, other: bad } },
      [`spec.inner.other: ${long}`],
    ],
    ['a map value', { map: { a: bad } }, { map: { a: bad, b: bad } }, [`spec.map.b: ${long}`]],
    [
      'an item found by its key',
      { keyed: [{ k: 'a', text: bad }] },
      { keyed: [{ k: 'b' }, { k: 'a', text: bad, n: 1 }] },
      [],
    ],
    [
      'a changed item',
      { keyed: [{ k: 'a', text: bad }] },
      { keyed: [{ k: 'a', text: 'still long' }] },
      [`spec.keyed[0].text: ${long}`],
    ],
    [
      'an item with another key',
      { keyed: [{ k: 'a', text: bad }] },
      { keyed: [{ k: 'b', text: bad }] },
      [`spec.keyed[0].text: ${long}`],
    ],
    ['a whole set', { set: [bad] }, { set: [bad], text: 'x' }, []],
    ['an item of a changed set', { set: [bad] }, { set: [bad, 'x'] }, [`spec.set[0]: ${long}`]],
    [
      'an item of a changed list',
      { list: [{ text: bad }] },
      { list: [{ text: bad }, {}] },
      [`spec.list[0].text: ${long}`],
    ],
    ['an object with a combined schema', { choice: { a: 'x' } }, { choice: { a: 'x' }, text: 'y' }, []],
    [
      'a field that a combined schema restricts, if another field changes',
      { choice: { a: 'x' } },
      { choice: { a: 'x', b: 'y' } },
      [
        'spec.choice.a: Invalid value: "x": spec.choice.a in body should be at least 2 chars long',
        '<nil>: Invalid value: "": "spec.choice" must validate all the schemas (allOf). None validated',
      ],
    ],
  ])('%s', (_name, before, after, errors) => {
    expect(fields(objectOf(after), { oldObject: objectOf(before) })).toEqual(errors);
  });

  it('except in the metadata', () => {
    const object = objectOf({}, { metadata: { name: 'long' } });
    expect(fields(object, { oldObject: objectOf({ text: 'x' }, { metadata: { name: 'long' } }) })).toEqual([
      `metadata.name: ${long}`,
    ]);
  });

  it('if the order of keyed items changes', () => {
    const strict = customSchema(
      {
        type: 'array',
        minItems: 3,
        items: element,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
      { group: 'sea.io', version: 'v1', kind: 'Raft' },
    );
    const oldObject = [{ k: 'a' }, { k: 'b' }] as unknown as ResourceObject;
    const object = [{ k: 'b' }, { k: 'a' }] as unknown as ResourceObject;
    expect(runSync(validateCustomObject(strict, object, { oldObject }))).toEqual([]);
    expect(runSync(validateCustomObject(strict, object))).toHaveLength(1);
  });
});

describe('list types', () => {
  it.each<[string, object, string[]]>([
    ['equal items', { set: ['a', 'b', 'a', 'a'] }, ['spec.set[2]: Duplicate value: "a"']],
    [
      'equal objects',
      {
        sets: {
          k: [
            { a: 1, b: 2 },
            { a: 1, b: 2 },
          ],
        },
      },
      ['spec.sets[k][1]: Duplicate value: {"a":1,"b":2}'],
    ],
    ['a number and a text', { sets: { k: [1, '1'] } }, []],
    ['equal keys', { keyed: [{ k: 'a', n: 1 }, { k: 'a' }] }, ['spec.keyed[1]: Duplicate value: {"k":"a"}']],
    ['no keys', { keyed: [{}, {}] }, ['spec.keyed[1]: Duplicate value: {}']],
  ])('%s', (_name, spec, errors) => expect(fields(objectOf(spec))).toEqual(errors));

  it('refuse values that are nested too deeply', () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 20_000; depth++) deep = [deep];
    expect(fields(objectOf({ sets: { k: [deep, 1] } }))).toEqual([
      '<nil>: Invalid value: "": the value is too large to be validated by its schema',
    ]);
  });

  it('are not checked again when the old object was wrong, too', () => {
    const oldObject = objectOf({ set: ['a', 'a'] });
    expect(fields(objectOf({ set: ['a', 'a', 'b', 'b'] }), { oldObject })).toEqual([]);
    expect(fields(objectOf({ set: ['a', 'a'] }), { oldObject: objectOf({ set: ['a'] }) })).toHaveLength(1);
  });
});

describe('embedded resources', () => {
  it.each<[object, string[]]>([
    [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'A_' }, spec: {} }, []],
    [{ apiVersion: 'v1' }, ['spec.embedded.kind: Required value']],
    [{ apiVersion: '', kind: 'a' }, ['spec.embedded.apiVersion: Invalid value: "": must not be empty']],
    [
      { apiVersion: 'a/b/c', kind: 'a' },
      ['spec.embedded.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      { apiVersion: 'v1', kind: 'a', metadata: { namespace: 'A' } },
      ['spec.embedded.metadata.namespace: Invalid value: "A"'],
    ],
    [
      { apiVersion: 'v1', kind: 'a b' },
      ['spec.embedded.kind: Invalid value: "a b": may have mixed case, but should otherwise match: '],
    ],
  ])('%j', (embedded, errors) => {
    const found = fields(objectOf({ embedded }));
    expect(found.map((error, index) => error.slice(0, errors[index]?.length))).toEqual(errors);
  });
});

test('an update of the status is only checked for the status', () => {
  const object = objectOf({ text: 'too long' }, { status: { text: 5 } });
  expect(fields(object, { oldObject: objectOf({}), subresource: 'status' })).toEqual([
    'status.text: Invalid value: "integer": text in body must be of type string: "integer"',
  ]);
});
