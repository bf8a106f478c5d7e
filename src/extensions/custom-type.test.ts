import { expect, test } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../registry/resource-definition.ts';
import type { CustomResourceDefinitionVersion } from '../resources/apiextensions/custom-resource-definition-types.ts';
import { CustomType } from './custom-type.ts';

const group = 'example.com';
const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };

function definitionOf(versions: readonly CustomResourceDefinitionVersion[]): ResourceObject {
  return {
    metadata: { name: `widgets.${group}` },
    spec: { group, names, scope: 'Namespaced', versions },
    status: { acceptedNames: names },
  };
}

function newType(): CustomType {
  return new CustomType({ group, resource: 'widgets' }, () => ({
    isSynchronous: true,
    convert: (objects) => [...objects],
  }));
}

function served(...versions: readonly CustomResourceDefinitionVersion[]): readonly ResourceDefinition[] {
  return newType().update(definitionOf(versions)).definitions;
}

test('serves a schema with integers that only a bigint represents', () => {
  const long = { type: 'integer', default: 9223372036854775807n, enum: [9223372036854775807n] };
  const openAPIV3Schema = { type: 'object', properties: { long } };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  expect(served(version).map((definition) => definition.origin === 'custom' && definition.published)).toEqual([
    openAPIV3Schema,
  ]);
});

test.each<[string, CustomResourceDefinitionVersion, readonly CustomResourceDefinitionVersion[], string | undefined]>([
  ['a version that is not deprecated', { name: 'v1' }, [], undefined],
  ['the only version', { name: 'v1', deprecated: true }, [], 'example.com/v1 Widget is deprecated'],
  ['its own warning', { name: 'v1', deprecated: true, deprecationWarning: 'gone soon' }, [{ name: 'v2' }], 'gone soon'],
  [
    'several newer versions',
    { name: 'v1beta1', deprecated: true },
    [{ name: 'v1beta2' }, { name: 'v2' }, { name: 'v1' }],
    'example.com/v1beta1 Widget is deprecated; use example.com/v2 Widget',
  ],
  [
    'only older, deprecated and unserved versions besides',
    { name: 'v1', deprecated: true },
    [{ name: 'v2beta1' }, { name: 'v2', deprecated: true }, { name: 'v3', served: false }],
    'example.com/v1 Widget is deprecated',
  ],
])('the deprecation of %s', (_name, version, others, warning) => {
  const definitions = served(...[version, ...others].map((each) => ({ served: true, ...each })));
  expect(definitions.find(({ version: name }) => name === version.name)?.rules.deprecation).toBe(warning);
});

test('the deprecation changes with the other versions', () => {
  const type = newType();
  const old = { name: 'v1', served: true, deprecated: true };
  type.update(definitionOf([old]));
  const [definition] = type.update(definitionOf([old, { name: 'v2', served: true }])).definitions;
  expect(definition?.rules.deprecation).toBe('example.com/v1 Widget is deprecated; use example.com/v2 Widget');
});
