import { describe, expect, it, test } from 'vitest';
import { compileKind, Findings, type NormalizeOptions } from '../normalize/index.ts';
import { customSchema } from './custom-schema.ts';
import type { JsonSchema } from './json-schema.ts';

const kind = { group: 'sea.io', version: 'v1', kind: 'Raft' };
const schemaOf = (spec: JsonSchema) => customSchema({ type: 'object', properties: { spec } }, kind);

function normalized(properties: Record<string, JsonSchema>, spec: unknown, options?: NormalizeOptions) {
  const schema = schemaOf({ type: 'object', properties });
  const findings = new Findings();
  const compiled = compileKind({ schema, kind: 'Raft', apiVersion: 'sea.io/v1' });
  const object = compiled.normalize({ apiVersion: 'x', kind: 'x', metadata: { name: 'a' }, spec }, findings, options);
  const again = compiled.normalize(object, new Findings(), options);
  expect(entriesOf(again)).toEqual(entriesOf(object));
  return { spec: object.spec, findings: findings.texts };
}

/** Objects as lists of entries, so that a comparison includes the order of keys. */
function entriesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entriesOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, inner]) => [key, entriesOf(inner)]);
}

describe('normalization of custom objects', () => {
  const text: JsonSchema = { type: 'string' };
  const inner: JsonSchema = { type: 'object', properties: { a: text } };
  const properties: Record<string, JsonSchema> = {
    text,
    number: { type: 'integer' },
    either: { 'x-kubernetes-int-or-string': true },
    list: { type: 'array', items: inner },
    lists: { type: 'array', items: { type: 'array', items: text } },
    map: { type: 'object', additionalProperties: inner },
    anyValues: { type: 'object', additionalProperties: true },
    inner,
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { inner } },
    anything: { 'x-kubernetes-preserve-unknown-fields': true },
    nullable: { type: 'string', nullable: true },
    constructor: text,
  };

  it.each<[string, object, object]>([
    [
      'keeps empty and zero values',
      { text: '', number: 0, list: [], inner: {} },
      { inner: {}, list: [], number: 0, text: '' },
    ],
    [
      'leaves wrong types to validation',
      { text: 5, number: 'x', list: 'y', inner: [1] },
      { inner: [1], list: 'y', number: 'x', text: 5 },
    ],
    ['keeps a number or a text', { either: '5%' }, { either: '5%' }],
    ['sorts keys', { text: 'a', inner: {}, either: 1 }, { either: 1, inner: {}, text: 'a' }],
    [
      'sorts keys of open values',
      { anything: { b: [{ d: 1, c: 2 }], a: 1 } },
      { anything: { a: 1, b: [{ c: 2, d: 1 }] } },
    ],
    ['keeps unknown fields of open objects', { open: { x: { y: 1 } } }, { open: { x: { y: 1 } } }],
    ['drops nulls', { text: null, map: { a: null, b: { a: null } } }, { map: { b: {} } }],
    ['keeps allowed nulls', { nullable: null }, { nullable: null }],
    [
      'keeps nulls in lists and of unknown fields',
      { list: [null], open: { x: null } },
      { list: [null], open: { x: null } },
    ],
    ['keeps integers of 64 bits', { number: 2n ** 63n - 1n }, { number: 2n ** 63n - 1n }],
    ['rounds larger integers', { number: 2n ** 70n, anything: [2n ** 64n] }, { anything: [2 ** 64], number: 2 ** 70 }],
    ['keeps lists of lists', { lists: [['b', 'a'], []] }, { lists: [['b', 'a'], []] }],
  ])('%s', (_name, spec, expected) => {
    const result = normalized(properties, spec);
    expect(result).toEqual({ spec: expected, findings: [] });
    expect(Object.keys(result.spec as object)).toEqual(Object.keys(expected));
  });

  it.each<[string, object, object, string[]]>([
    ['fields', { zz: 1, inner: { y: 1 } }, { inner: {} }, ['spec.inner.y', 'spec.zz']],
    ['fields of items', { list: [{ a: 'x' }, { b: 1 }] }, { list: [{ a: 'x' }, {}] }, ['spec.list[1].b']],
    ['fields of map values', { map: { k: { b: 1 } } }, { map: { k: {} } }, ['spec.map.k.b']],
    [
      'fields of objects in open objects',
      { open: { inner: { b: 1 } } },
      { open: { inner: {} } },
      ['spec.open.inner.b'],
    ],
    ['fields of values that should be scalars', { text: { b: 1 } }, { text: {} }, ['spec.text.b']],
    ['fields of lists that should be scalars', { text: [{ b: 1 }] }, { text: [{}] }, ['spec.text[0].b']],
    [
      'fields of any map values',
      { anyValues: { k: { b: 1 }, l: 1 } },
      { anyValues: { k: {}, l: 1 } },
      ['spec.anyValues.k.b'],
    ],
    ['a field that every object inherits', { toString: 1 }, {}, ['spec.toString']],
  ])('prunes unknown %s', (_name, spec, expected, paths) => {
    expect(normalized(properties, spec)).toEqual({
      spec: expected,
      findings: paths.map((path) => `unknown field ${JSON.stringify(path)}`),
    });
  });

  it('keeps nulls for the validation of an apply', () => {
    expect(normalized(properties, { text: null }, { nulls: 'keep' }).spec).toEqual({ text: null });
    expect(normalized(properties, null, { nulls: 'keep' }).spec).toBeNull();
    expect(normalized(properties, null).spec).toBeUndefined();
  });

  it('reports duplicates first, then the metadata, then the rest by path', () => {
    const metadata = { name: 'a', y: 1 };
    const value = { zz: 1, metadata, spec: { text: 'b', a: 1 } };
    const source = {
      duplicateKeys: new Map([[value.spec, new Set(['text'])]]),
      superseded: new Map(),
      numberTexts: new Map(),
    };
    const findings = new Findings(source);
    const schema = schemaOf({ type: 'object', properties });
    compileKind({ schema, kind: 'Raft', apiVersion: 'sea.io/v1' }).normalize(value, findings);
    expect(findings.texts).toEqual([
      'duplicate field "spec.text"',
      'unknown field "metadata.y"',
      'unknown field "spec.a"',
      'unknown field "zz"',
    ]);
  });
});

describe('defaults', () => {
  const properties: Record<string, JsonSchema> = {
    a: { type: 'string', default: 'x' },
    outer: { type: 'object', default: {}, properties: { b: { type: 'integer', default: 0 }, c: { type: 'string' } } },
    list: { type: 'array', items: { type: 'object', properties: { d: { type: 'boolean', default: false } } } },
    texts: { type: 'array', items: { type: 'string', default: 't' } },
    map: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { e: { type: 'string', default: 'e' } } },
    },
    nullable: { type: 'string', nullable: true, default: 'n' },
  };

  it.each<[string, object, object]>([
    ['set at all depths', {}, { a: 'x', nullable: 'n', outer: { b: 0 } }],
    ['set in objects that exist', { outer: { c: 'y' } }, { a: 'x', nullable: 'n', outer: { b: 0, c: 'y' } }],
    [
      'set in items',
      { list: [{}, { d: true }] },
      { a: 'x', list: [{ d: false }, { d: true }], nullable: 'n', outer: { b: 0 } },
    ],
    ['set for nulls', { a: null, outer: null, nullable: null }, { a: 'x', nullable: null, outer: { b: 0 } }],
    ['set for items', { texts: ['s', null] }, { a: 'x', nullable: 'n', outer: { b: 0 }, texts: ['s', 't'] }],
    ['set in map values', { map: { k: {} } }, { a: 'x', map: { k: { e: 'e' } }, nullable: 'n', outer: { b: 0 } }],
    [
      'not set in values of another type',
      { outer: 'o', map: ['k'] },
      { a: 'x', map: ['k'], nullable: 'n', outer: 'o' },
    ],
  ])('are %s', (_name, spec, expected) => {
    expect(normalized(properties, spec).spec).toEqual(expected);
  });

  it('are not set when stored objects are decoded, and are new values each time', () => {
    expect(normalized(properties, {}, { defaults: false }).spec).toEqual({});
    const first = normalized(properties, {}).spec as { outer: object };
    const second = normalized(properties, {}).spec as { outer: object };
    expect(first.outer).not.toBe(second.outer);
  });
});

describe('embedded resources', () => {
  const properties: Record<string, JsonSchema> = {
    open: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    closed: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { inner: { type: 'object', 'x-kubernetes-embedded-resource': true } },
    },
  };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', foo: 1 } };

  it('keep their own fields', () => {
    expect(normalized(properties, { open: { ...object, data: { b: 1, a: 2 } } })).toEqual({
      spec: { open: { apiVersion: 'v1', data: { a: 2, b: 1 }, kind: 'ConfigMap', metadata: { name: 'x' } } },
      findings: ['unknown field "spec.open.metadata.foo"'],
    });
    expect(normalized(properties, { closed: { ...object, data: {}, inner: object } })).toEqual({
      spec: {
        closed: {
          apiVersion: 'v1',
          inner: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
          kind: 'ConfigMap',
          metadata: { name: 'x' },
        },
      },
      findings: [
        'unknown field "spec.closed.data"',
        'unknown field "spec.closed.metadata.foo"',
        'unknown field "spec.closed.inner.metadata.foo"',
      ],
    });
  });

  it.each<[object, string]>([
    [{ kind: 5 }, 'spec.open.kind: Invalid value: 5: must be a string'],
    [
      { metadata: { labels: 'x' } },
      'spec.open.metadata: Invalid value: {"labels":"x"}: json: cannot unmarshal string into Go struct field ObjectMeta.labels of type map[string]string',
    ],
  ])('cannot be decoded from %j', (open, message) => {
    expect(() => normalized(properties, { open })).toThrow(message);
  });
});

test('metadata is decoded like that of built-in types', () => {
  const compiled = compileKind({ schema: schemaOf({ type: 'object' }), kind: 'Raft', apiVersion: 'sea.io/v1' });
  expect(() => compiled.normalize({ metadata: { name: {} } }, new Findings())).toThrow(
    'json: cannot unmarshal object into Go struct field ObjectMeta.name of type string',
  );
  expect(() => compiled.normalize([], new Findings())).toThrow('cannot unmarshal array');
  expect(Object.entries(compiled.normalize({ spec: {} }, new Findings()))).toEqual([
    ['apiVersion', 'sea.io/v1'],
    ['kind', 'Raft'],
    ['metadata', {}],
    ['spec', {}],
  ]);
});

test('the metadata of an object precede all other content', () => {
  const schema = customSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, kind);
  const compiled = compileKind({ schema, kind: 'Raft', apiVersion: 'sea.io/v1' });
  const object = compiled.normalize({ b: { uid: 'x' }, spec: {}, a: 1, metadata: { name: 'a' } }, new Findings());
  expect(Object.keys(object)).toEqual(['apiVersion', 'kind', 'metadata', 'a', 'b', 'spec']);
});

test('a deeply nested value is refused', () => {
  let value: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) value = [value];
  const schema = schemaOf({ 'x-kubernetes-preserve-unknown-fields': true });
  const compiled = compileKind({ schema, kind: 'Raft', apiVersion: 'sea.io/v1' });
  expect(() => compiled.normalize({ spec: value }, new Findings())).toThrow('exceeded max depth');
});

test('a schema is not read before it is used', () => {
  let reads = 0;
  const source = new Proxy<JsonSchema>(
    { type: 'object' },
    {
      get(target, name) {
        if (name === 'properties') reads++;
        return target[name as keyof JsonSchema];
      },
    },
  );
  const compiled = compileKind({ schema: customSchema(source, kind), kind: 'Raft', apiVersion: 'sea.io/v1' });
  expect(reads).toBe(0);
  compiled.normalize({}, new Findings());
  expect(reads).toBeGreaterThan(0);
});
