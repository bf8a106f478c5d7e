import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import { compileKind, Findings } from '../../schema/normalize/index.ts';
import { customSchema } from '../../schema/structural/custom-schema.ts';
import type { JsonSchema } from '../../schema/structural/json-schema.ts';
import { afterUpdate } from './after-update.ts';
import { apply } from './apply.ts';
import { checkApplied } from './check-applied.ts';
import { kindShape } from './shape.ts';

// The shapes of kinds whose schema comes from a definition.
const text: JsonSchema = { type: 'string' };
const open = { 'x-kubernetes-preserve-unknown-fields': true };
const keyed = (items: JsonSchema, ...keys: string[]): JsonSchema => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
const port: JsonSchema = {
  type: 'object',
  properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, name: text },
};
const properties: Record<string, JsonSchema> = {
  text,
  either: { 'x-kubernetes-int-or-string': true },
  list: { type: 'array', items: { type: 'object', properties: { a: text, b: { type: 'string', default: 'x' } } } },
  set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
  ports: keyed(port, 'port', 'protocol'),
  nested: keyed(
    {
      type: 'object',
      properties: { name: text, set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } },
    },
    'name',
  ),
  map: { type: 'object', additionalProperties: text },
  atomicMap: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
  atomic: { type: 'object', properties: { a: text }, 'x-kubernetes-map-type': 'atomic' },
  closed: { type: 'object', properties: { a: text } },
  open: {
    type: 'object',
    ...open,
    properties: { set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } },
  },
  anything: open,
  embedded: {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    properties: { spec: { type: 'object', ...open } },
  },
};
const schema = customSchema(
  { type: 'object', properties: { spec: { type: 'object', properties } } },
  { group: 'sea.io', version: 'v1', kind: 'Raft' },
);
const shape = kindShape(schema);
const compiled = compileKind({ schema, kind: 'Raft', apiVersion: 'sea.io/v1' });
const time = '2020-01-01T00:00:00Z';
const objectOf = (spec: object) =>
  ({ apiVersion: 'sea.io/v1', kind: 'Raft', metadata: { name: 'x' }, spec }) as unknown as ResourceObject;

function applied(spec: object, live?: ResourceObject): ResourceObject {
  const result = apply({
    shape,
    apiVersion: 'sea.io/v1',
    time,
    manager: 'a',
    live,
    applied: objectOf(spec),
    force: true,
  });
  if (result.outcome !== 'applied') throw new Error('conflict');
  return result.object;
}

function ownedBy(manager: string, { metadata }: ResourceObject): unknown {
  const entries = metadata.managedFields as { manager: string; fieldsV1: { 'f:spec': unknown } }[];
  return entries.find((entry) => entry.manager === manager)?.fieldsV1['f:spec'];
}

describe('an apply to a custom resource owns', () => {
  it.each<[string, object, object]>([
    ['fields', { text: 'a', either: 5 }, { 'f:either': {}, 'f:text': {} }],
    ['whole lists', { list: [{ a: 'x' }] }, { 'f:list': {} }],
    ['elements of sets', { set: ['a'] }, { 'f:set': { 'v:"a"': {} } }],
    [
      'elements by keys, with their defaults',
      { ports: [{ port: 80, name: 'n' }] },
      { 'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } } },
    ],
    [
      'elements of lists in elements',
      { nested: [{ name: 'n', set: ['s'] }] },
      { 'f:nested': { 'k:{"name":"n"}': { '.': {}, 'f:name': {}, 'f:set': { 'v:"s"': {} } } } },
    ],
    ['map values', { map: { k: 'v' } }, { 'f:map': { 'f:k': {} } }],
    ['whole atomic maps', { atomicMap: { k: 'v' }, atomic: { a: 'b' } }, { 'f:atomic': {}, 'f:atomicMap': {} }],
    [
      'fields of open objects, declared or not',
      { open: { set: ['s'], x: { y: [1] } } },
      { 'f:open': { 'f:set': { 'v:"s"': {} }, 'f:x': { '.': {}, 'f:y': {} } } },
    ],
    [
      'fields of values without a type',
      { anything: { a: { b: 1 } } },
      { 'f:anything': { 'f:a': { '.': {}, 'f:b': {} } } },
    ],
    [
      'the metadata of embedded resources',
      { embedded: { kind: 'K', apiVersion: 'v1', metadata: { name: 'n', finalizers: ['a/b'] }, spec: { x: 1 } } },
      {
        'f:embedded': {
          'f:apiVersion': {},
          'f:kind': {},
          'f:metadata': { 'f:finalizers': { 'v:"a/b"': {} }, 'f:name': {} },
          'f:spec': { 'f:x': {} },
        },
      },
    ],
  ])('%s', (_name, spec, owned) => {
    expect(checkApplied(shape, objectOf(spec))).toBeUndefined();
    expect(ownedBy('a', applied(spec))).toEqual(owned);
  });

  it.each<[string, object, string]>([
    ['unknown fields', { closed: { b: 1 } }, '.spec.closed.b: field not declared in schema'],
    ['wrong types', { text: 5 }, '.spec.text: expected string, got &value.valueUnstructured{Value:5}'],
    ['equal elements', { set: ['a', 'a'] }, '.spec.set: duplicate entries for key [="a"]'],
    [
      'elements without keys',
      { nested: [{ set: [] }] },
      '.spec.nested: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    ],
  ])('no %s', (_name, spec, message) => expect(checkApplied(shape, objectOf(spec))?.message).toMatch(message));

  it('a list in which the live object has defaults, which nobody else then owns', () => {
    const spec = { list: [{ a: 'x' }] };
    const next = compiled.normalize(objectOf(spec), new Findings());
    const managedFields = afterUpdate({ shape, apiVersion: 'sea.io/v1', time, manager: 'u', live: undefined, next });
    const live = { ...next, metadata: { ...next.metadata, managedFields: managedFields as unknown[] } };
    expect(ownedBy('u', live)).toEqual({ '.': {}, 'f:list': {} });
    const result = applied(spec, live);
    expect(ownedBy('u', result)).toEqual({});
    expect(ownedBy('a', result)).toEqual({ 'f:list': {} });
  });
});
