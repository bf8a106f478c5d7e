import { expect, test } from 'vitest';
import type { ResourceObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../registry/resource-definition.ts';
import type { DefinitionVersion } from '../resources/apiextensions/definition-shape.ts';
import { CustomType } from './custom-type.ts';

const group = 'example.com';
const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };

function definitionOf(versions: readonly DefinitionVersion[]): ResourceObject {
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

function served(...versions: readonly DefinitionVersion[]): readonly ResourceDefinition[] {
  return newType().update(definitionOf(versions)).definitions;
}

test('serves a schema with integers that only a bigint represents', () => {
  const long = { type: 'integer', default: 9223372036854775807n, enum: [9223372036854775807n] };
  const openAPIV3Schema = { type: 'object', properties: { long } };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  expect(served(version).map(({ published }) => published)).toEqual([openAPIV3Schema]);
});
