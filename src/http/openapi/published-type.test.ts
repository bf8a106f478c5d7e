import { describe, expect, test } from 'vitest';
import { runSync } from '../../meta/turns.ts';
import type { CustomDefinition } from '../../registry/resource-definition.ts';
import type { JsonSchema } from '../../schema/structural/json-schema.ts';
import { customDefinition } from '../discovery/custom-definition.conformance.ts';
import { DefinitionSet } from './definition-set.ts';
import type { Dialect } from './dialect.ts';
import { KindIndex } from './kind-index.ts';
import { customKinds } from './published-type.ts';

const descriptions = {
  type: (name: string) => `is ${name}`,
  field: (name: string, field: string) => `${field} of ${name}`,
};
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const text = { description: expect.any(String), type: 'string' };
const metadata = { description: 'metadata of ex.io/v1.Widget' };
const kindProperties = {
  v2: { apiVersion: text, kind: text, metadata: { ...metadata, $ref: `#/definitions/${meta}` } },
  v3: { apiVersion: text, kind: text, metadata: { ...metadata, allOf: [{ $ref: `#/components/schemas/${meta}` }] } },
};
const ownKind = { 'x-kubernetes-group-version-kind': [{ group: 'ex.io', kind: 'Widget', version: 'v1' }] };

function written(dialect: Dialect, options: Partial<CustomDefinition>) {
  const set = new DefinitionSet(dialect, { kinds: new KindIndex([]), descriptions });
  const { object, list } = customKinds(customDefinition(options));
  set.reference(object);
  set.reference(list);
  return runSync(set.all());
}

/** The published form of a property. */
function property(dialect: Dialect, schema: JsonSchema, rest: JsonSchema = {}): unknown {
  const published: JsonSchema = { type: 'object', properties: { value: schema }, ...rest };
  const { properties, required } = written(dialect, { published })['io.ex.v1.Widget']!;
  const { value } = properties as Record<string, unknown>;
  return rest.required === undefined ? value : { value, required };
}

describe('a kind', () => {
  const published: JsonSchema = {
    description: 'A thing.',
    type: 'object',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'own text' },
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
      spec: { type: 'object', properties: { size: { type: 'integer', default: 1 } } },
    },
  };

  test.each(['v2', 'v3'] as const)('in %s has the properties of all objects', (dialect) => {
    expect(written(dialect, { published })['io.ex.v1.Widget']).toEqual({
      ...published,
      properties: { ...kindProperties[dialect], spec: published.properties!.spec },
      ...ownKind,
    });
  });

  test('names its selectable fields', () => {
    const fieldSelectors = { fields: { 'spec.size': () => '' }, refusal: 'notSupported' } as const;
    const rules = { ...customDefinition().rules, fieldSelectors };
    expect(written('v3', { published, rules })['io.ex.v1.Widget']).toMatchObject({
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.size' }],
    });
  });

  test('is an untyped object in Swagger 2.0 only, if it may have any fields', () => {
    const open: JsonSchema = { ...published, 'x-kubernetes-preserve-unknown-fields': true };
    expect(written('v2', { published: open })['io.ex.v1.Widget']).toEqual({ type: 'object', ...ownKind });
    expect(written('v3', { published: open })['io.ex.v1.Widget']).toMatchObject({ properties: kindProperties.v3 });
  });

  test.each(['properties', 'allOf'] as const)('is untyped when its %s nest too deeply', (keyword) => {
    const nested = (depth: number): JsonSchema => {
      let schema: JsonSchema = { type: 'object' };
      for (let level = 0; level < depth; level += 1) {
        schema = { type: 'object', [keyword]: keyword === 'allOf' ? [schema] : { inner: schema } };
      }
      return schema;
    };
    for (const dialect of ['v2', 'v3'] as const) {
      expect(written(dialect, { published: nested(100_000) })['io.ex.v1.Widget']).toEqual({
        type: 'object',
        ...ownKind,
      });
    }
    expect(written('v3', { published: nested(400) })['io.ex.v1.Widget']).toHaveProperty(keyword);
  });

  test('has a list kind', () => {
    const definitions = written('v3', { published, listKind: 'Widgets' });
    expect(definitions['io.ex.v1.Widgets']).toEqual({
      description: 'is ex.io/v1.WidgetList',
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: text,
        kind: text,
        items: {
          description: 'items of ex.io/v1.WidgetList',
          type: 'array',
          items: { $ref: '#/components/schemas/io.ex.v1.Widget' },
        },
        metadata: {
          description: 'metadata of ex.io/v1.WidgetList',
          allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta' }],
        },
      },
      'x-kubernetes-group-version-kind': [{ group: 'ex.io', kind: 'Widgets', version: 'v1' }],
    });
    expect(definitions).toHaveProperty([meta]);
  });
});

const either: readonly JsonSchema[] = [{ type: 'integer' }, { type: 'string' }];
const intOrString = { 'x-kubernetes-int-or-string': true } as const;
const open = { 'x-kubernetes-preserve-unknown-fields': true } as const;
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true } as const;
const withName: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } };

describe('OpenAPI 3.0', () => {
  test.each<[string, JsonSchema, object]>([
    ['keeps what it can say', { type: 'string', nullable: true, anyOf: [{ minLength: 1 }], not: { enum: ['a'] } }, {}],
    ['keeps open objects', { ...withName, ...open }, {}],
    ['leaves out what is false', { ...withName, 'x-kubernetes-preserve-unknown-fields': false }, withName],
    ['keeps rules', { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""' }] }, {}],
    ['states both types', intOrString, { ...intOrString, anyOf: either }],
    ['does not repeat both types', { ...intOrString, anyOf: either }, {}],
    ['does not repeat both types in allOf', { ...intOrString, allOf: [{ anyOf: either }, { pattern: 'a' }] }, {}],
    [
      'states both types beside other choices',
      { ...intOrString, anyOf: [{ minimum: 1 }], allOf: [{ pattern: 'a' }] },
      { ...intOrString, anyOf: [{ minimum: 1 }], allOf: [{ anyOf: either }, { pattern: 'a' }] },
    ],
    [
      'adds the properties of objects to embedded ones',
      { ...embedded, ...open, required: ['kind'] },
      { ...embedded, ...open, properties: kindProperties.v3, required: ['kind', 'apiVersion'] },
    ],
    [
      'reaches items and values',
      { type: 'array', items: { type: 'object', additionalProperties: intOrString } },
      { type: 'array', items: { type: 'object', additionalProperties: { ...intOrString, anyOf: either } } },
    ],
  ])('%s', (_name, schema, expected) => {
    expect(property('v3', schema)).toEqual(Object.keys(expected).length === 0 ? schema : expected);
  });
});

describe('Swagger 2.0', () => {
  test.each<[string, JsonSchema, object]>([
    [
      'has no choices',
      { type: 'string', allOf: [{ minLength: 1 }], anyOf: [{}], oneOf: [{}], not: {}, maxLength: 9 },
      { type: 'string', maxLength: 9 },
    ],
    ['has no null', { ...withName, nullable: true, description: 'd' }, { description: 'd' }],
    [
      'keeps the values of a map that may be null',
      { type: 'object', nullable: true, additionalProperties: { type: 'string' } },
      { additionalProperties: { type: 'string' } },
    ],
    ['has no properties of open objects', { ...withName, ...open }, { type: 'object', ...open }],
    ['has no type of open lists', { type: 'array', items: withName, ...open }, open],
    ['has no type of lists without items', { type: 'array' }, {}],
    ['keeps either type untyped', intOrString, intOrString],
    [
      'keeps defaults and extensions',
      { type: 'array', items: { type: 'string' }, default: [], 'x-kubernetes-list-type': 'set' },
      { type: 'array', items: { type: 'string' }, default: [], 'x-kubernetes-list-type': 'set' },
    ],
    ['adds nothing to open embedded objects', { ...embedded, ...open }, { ...embedded, ...open }],
    [
      'completes other embedded objects',
      embedded,
      { ...embedded, properties: kindProperties.v2, required: ['kind', 'apiVersion'] },
    ],
  ])('%s', (_name, schema, expected) => {
    expect(property('v2', schema)).toEqual(expected);
  });

  test('requires no property that may be null', () => {
    const nullable: JsonSchema = { type: 'string', nullable: true };
    expect(property('v2', nullable, { required: ['value', 'other'] })).toEqual({ value: {}, required: ['other'] });
    expect(property('v2', nullable, { required: ['value'] })).toEqual({ value: {}, required: undefined });
  });

  test('requires nothing of a map with values that may be null', () => {
    const map: JsonSchema = {
      type: 'object',
      additionalProperties: { type: 'string', nullable: true },
      required: ['a'],
    };
    expect(property('v2', map)).toEqual({ type: 'object', additionalProperties: {} });
  });
});
