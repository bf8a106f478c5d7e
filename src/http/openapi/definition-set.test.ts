import { describe, expect, test } from 'vitest';
import { runSync } from '../../meta/turns.ts';
import {
  bytes,
  field,
  int32,
  int64,
  intOrString,
  json,
  listOf,
  mapOf,
  namedList,
  quantity,
  string,
  struct,
  time,
} from '../../schema/builders.ts';
import type { StructSchema } from '../../schema/model.ts';
import { DefinitionSet } from './definition-set.ts';
import type { Descriptions } from './descriptions.ts';
import type { Dialect } from './dialect.ts';
import { KindIndex } from './kind-index.ts';

const kinds = new KindIndex([]);

const undescribed: Descriptions = { type: () => undefined, field: () => undefined };

function definitionsOf(type: StructSchema, dialect: Dialect, descriptions = undescribed) {
  const set = new DefinitionSet(dialect, { kinds, descriptions });
  set.reference(type);
  return runSync(set.all());
}

const Inner = struct('test/v1.Inner', () => ({ a: field(1, string) }), { atomic: true });
const inner = { v2: '#/definitions/io.k8s.api.test.v1.Inner', v3: '#/components/schemas/io.k8s.api.test.v1.Inner' };

describe('properties', () => {
  const Type = struct('test/v1.Type', () => ({
    plain: field(1, string),
    always: field(2, int32, { required: true, always: true }),
    pointer: field(3, int64, { pointer: true, always: true }),
    defaulted: field(4, string, { default: 'TCP', enum: ['UDP', 'TCP'] }),
    struct: field(5, Inner),
    pointedStruct: field(6, Inner, { pointer: true }),
    structs: field(7, listOf(Inner), { list: ['a'], patch: { strategies: ['merge', 'retainKeys'], mergeKey: 'a' } }),
    texts: field(8, listOf(string), { list: 'set' }),
    labels: field(9, mapOf(string), { map: 'atomic' }),
    data: field(10, mapOf(bytes)),
    named: field(11, mapOf(namedList('test/v1.Values', string))),
    time: field(12, time),
    limits: field(13, mapOf(quantity)),
    inlined: field(14, Inner, { inline: true }),
  }));
  const properties = (dialect: Dialect) =>
    definitionsOf(Type, dialect)['io.k8s.api.test.v1.Type']?.properties as Record<string, unknown>;
  const timeRef = (prefix: string) => ({ $ref: `${prefix}io.k8s.apimachinery.pkg.apis.meta.v1.Time` });
  const quantityRef = (prefix: string) => ({ $ref: `${prefix}io.k8s.apimachinery.pkg.api.resource.Quantity` });
  const listMarkers = {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
    'x-kubernetes-patch-strategy': 'merge,retainKeys',
    'x-kubernetes-patch-merge-key': 'a',
  };

  test('in Swagger 2.0: bare references and no defaults', () => {
    expect(properties('v2')).toEqual({
      plain: { type: 'string' },
      always: { type: 'integer', format: 'int32' },
      pointer: { type: 'integer', format: 'int64' },
      defaulted: { type: 'string', enum: ['TCP', 'UDP'] },
      struct: { $ref: inner.v2 },
      pointedStruct: { $ref: inner.v2 },
      structs: { type: 'array', items: { $ref: inner.v2 }, ...listMarkers },
      texts: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      labels: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
      data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
      named: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
      time: timeRef('#/definitions/'),
      limits: { type: 'object', additionalProperties: quantityRef('#/definitions/') },
      a: { type: 'string' },
    });
  });

  test('in OpenAPI 3.0: wrapped references, and defaults of what is never absent', () => {
    const text = { type: 'string', default: '' };
    expect(properties('v3')).toEqual({
      plain: { type: 'string' },
      always: { type: 'integer', format: 'int32', default: 0 },
      pointer: { type: 'integer', format: 'int64' },
      defaulted: { type: 'string', default: 'TCP', enum: ['TCP', 'UDP'] },
      struct: { default: {}, allOf: [{ $ref: inner.v3 }] },
      pointedStruct: { allOf: [{ $ref: inner.v3 }] },
      structs: { type: 'array', items: { default: {}, allOf: [{ $ref: inner.v3 }] }, ...listMarkers },
      texts: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      labels: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
      data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
      named: { type: 'object', additionalProperties: { type: 'array', items: text } },
      time: { allOf: [timeRef('#/components/schemas/')] },
      limits: { type: 'object', additionalProperties: quantityRef('#/components/schemas/') },
      a: { type: 'string' },
    });
  });

  test('are sorted, and the required ones named', () => {
    expect(Object.keys(properties('v3'))).toEqual(Object.keys(properties('v3')).toSorted());
    expect(definitionsOf(Type, 'v3')['io.k8s.api.test.v1.Type']).toMatchObject({
      type: 'object',
      required: ['always'],
    });
  });
});

describe('descriptions', () => {
  const Either = struct('test/v1.Either', () => ({ a: field(1, string) }), { untagged: true });
  const Type = struct('test/v1.Type', () => ({
    plain: field(1, string),
    struct: field(2, Inner),
    inlined: field(3, Inner, { inline: true }),
    limit: field(4, quantity),
    either: field(5, Either, { pointer: true }),
  }));
  const texts: Descriptions = { type: (name) => `is ${name}`, field: (name, member) => `${member} of ${name}` };
  const described = (text: string, schema: object) => ({ description: text, ...schema });
  const limit = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

  test.each<[Dialect, string, (name: string) => object]>([
    ['v2', 'beside references', (name) => ({ $ref: `#/definitions/${name}` })],
    ['v3', 'around references', (name) => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] })],
  ])('in %s stand %s', (dialect, _place, reference) => {
    const definitions = definitionsOf(Type, dialect, texts);
    expect(definitions['io.k8s.api.test.v1.Type']).toMatchObject({
      description: 'is test/v1.Type',
      properties: {
        a: described('a of test/v1.Inner', { type: 'string' }),
        either: described('either of test/v1.Type', reference('io.k8s.api.test.v1.Either')),
        limit: described('limit of test/v1.Type', reference(limit)),
        plain: described('plain of test/v1.Type', { type: 'string' }),
        struct: described('struct of test/v1.Type', reference('io.k8s.api.test.v1.Inner')),
      },
    });
    expect(definitions['io.k8s.api.test.v1.Either']).toEqual({ description: 'is test/v1.Either' });
    expect(definitions[limit]).toMatchObject({ description: 'is meta/v1.Quantity' });
  });
});

test('types of their own kind', () => {
  const Type = struct('test/v1.Type', () => ({
    port: field(1, intOrString),
    limit: field(2, quantity),
    any: field(3, json),
    either: field(
      4,
      struct('test/v1.Either', () => ({ a: field(1, string) }), { untagged: true }),
    ),
    inner: field(5, Inner),
  }));
  const port = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
  const limit = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
  const v2 = definitionsOf(Type, 'v2');
  const v3 = definitionsOf(Type, 'v3');
  expect(v2[port]).toEqual({ type: 'string', format: 'int-or-string' });
  expect(v3[port]).toEqual({ format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] });
  expect(v2[limit]).toEqual({ type: 'string' });
  expect(v3[limit]).toEqual({ oneOf: [{ type: 'string' }, { type: 'number' }] });
  for (const definitions of [v2, v3]) {
    expect(definitions['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON']).toEqual({});
    expect(definitions['io.k8s.api.test.v1.Either']).toEqual({});
    expect(definitions['io.k8s.api.test.v1.Inner']).toMatchObject({ 'x-kubernetes-map-type': 'atomic' });
  }
});

test('unions', () => {
  const unions = [{ discriminator: 'type', fields: { local: 'Local' } }];
  const Type = struct('test/v1.Union', () => ({ type: field(1, string) }), { unions });
  expect(definitionsOf(Type, 'v2')['io.k8s.api.test.v1.Union']).toMatchObject({
    'x-kubernetes-unions': [{ discriminator: 'type', 'fields-to-discriminateBy': { local: 'Local' } }],
  });
});

test('a type may contain itself', () => {
  const Tree: StructSchema = struct('test/v1.Tree', () => ({ children: field(1, listOf(Tree)) }));
  expect(Object.keys(definitionsOf(Tree, 'v3'))).toEqual(['io.k8s.api.test.v1.Tree']);
});
