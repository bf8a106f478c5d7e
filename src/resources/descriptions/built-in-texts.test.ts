import { describe, expect, test } from 'vitest';
import { OpenApiDocuments } from '../../http/openapi/openapi-documents.ts';
import { VersionInfo } from '../../http/openapi/version-type.ts';
import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import * as metaTypes from '../../schema/meta-types.ts';
import type { Schema, StructSchema } from '../../schema/model.ts';
import * as resources from '../index.ts';
import { builtInDescriptions, builtInTexts } from './index.ts';

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

const { builtInKinds, groupOrder } = resources;
/** Resources that are off by default are described as well. */
const { optionalResources = [] } = resources as { readonly optionalResources?: readonly ResourceDefinition[] };
const definitions = [...resources.builtInResources, ...optionalResources];
const media = { objects: ['application/json'], bodies: ['*/*'], streams: [], patches: [] };
const catalog = { generation: 1, definitions: () => definitions, kinds: () => builtInKinds, groupOrder };
const documents = new OpenApiDocuments({ catalog, media, customMedia: media, descriptions: builtInDescriptions });
const stored = await documents.swagger();
const swagger = JSON.parse((await stored.bytes('json')).toString()) as {
  readonly definitions: Readonly<Record<string, Described>>;
};

test('every served type and field has a text', () => {
  const missing = Object.entries(swagger.definitions).flatMap(([name, { description, properties = {} }]) => [
    ...(description === undefined ? [name] : []),
    ...Object.entries(properties).flatMap(([field, { description }]) =>
      description === undefined ? [`${name} ${field}`] : [],
    ),
  ]);
  expect(missing).toEqual([]);
});

/** The field names of every existing type, by `<package>.<type>`. */
const knownTypes = new Map<string, Set<string>>();

function learn(schema: Schema): void {
  if (schema.type === 'list') learn(schema.items);
  else if (schema.type === 'map') learn(schema.values);
  else if (schema.type === 'struct') learnStruct(schema);
}

function learnStruct({ name, fields }: StructSchema): void {
  if (knownTypes.has(name)) return;
  knownTypes.set(name, new Set(fields.map((field) => field.name)));
  for (const { schema } of fields) learn(schema);
}

for (const { schema } of [...definitions, ...builtInKinds, { schema: VersionInfo }]) learn(schema);
for (const value of Object.values(metaTypes)) if (typeof value === 'object' && 'type' in value) learn(value as Schema);
for (const scalar of ['Time', 'MicroTime', 'Duration', 'FieldsV1', 'Quantity', 'IntOrString', 'RawExtension']) {
  knownTypes.set(`meta/v1.${scalar}`, new Set());
}
knownTypes.set('apiextensions/v1.JSON', new Set());

interface Text {
  readonly packageName: string;
  readonly typeName: string;
  readonly fieldName: string;
  readonly text: string;
}

const texts: Text[] = Object.entries(builtInTexts).flatMap(([packageName, groups]) =>
  groups.flatMap((types) =>
    Object.entries(types).flatMap(([name, fields]) =>
      Object.entries(fields).map(([fieldName, text]) => {
        const separator = packageName.includes('/') ? '.' : '/';
        return { packageName, typeName: `${packageName}${separator}${name}`, fieldName, text };
      }),
    ),
  ),
);
const place = ({ typeName, fieldName }: Text): string => `${typeName} ${fieldName}`;

describe('a text', () => {
  test('describes something that exists', () => {
    const knownPackages = new Set([...knownTypes.keys()].map((name) => name.replace(/[./]\w+$/, '')));
    const unused = texts.filter(
      ({ packageName, typeName, fieldName }) =>
        knownPackages.has(packageName) &&
        !(fieldName === '' ? knownTypes.has(typeName) : knownTypes.get(typeName)?.has(fieldName)),
    );
    expect(unused.map(place)).toEqual([]);
  });

  test('is short', () => {
    expect(texts.filter(({ text }) => text.length > 400).map(place)).toEqual([]);
  });

  test('is a sentence: it begins with a capital, a digit or code, and ends with a period', () => {
    expect(texts.filter(({ text }) => !/^[A-Z0-9`].*\.$/s.test(text)).map(place)).toEqual([]);
  });

  test('stands once only', () => {
    const places = texts.map(place);
    expect(places.filter((name, index) => places.indexOf(name) !== index)).toEqual([]);
  });
});
