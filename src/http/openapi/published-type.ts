import type { CustomDefinition } from '../../registry/resource-definition.ts';
import { ListMeta, ObjectMeta } from '../../schema/meta-types.ts';
import type { StructSchema } from '../../schema/model.ts';
import { preservesUnknown } from '../../schema/structural/json-schema.ts';
import { type Descriptions, describedBy, kindProperties } from './descriptions.ts';
import type { Dialect, JsonSchema } from './dialect.ts';
import { publishedSchema } from './published-schema.ts';

/** A type whose schema is written by hand or by a user rather than derived from the schema model. */
export interface PublishedType {
  readonly type: 'published';
  /** Package and type name, such as `stable.example.com/v1.CronTab`. */
  readonly name: string;
  readonly published: (writing: PublishedWriting) => JsonSchema;
}

/** A type that a document can define. */
export type DocumentType = StructSchema | PublishedType;

/** The document in which a type is written. */
export interface PublishedWriting {
  readonly dialect: Dialect;
  readonly descriptions: Descriptions;
  readonly reference: (type: DocumentType) => JsonSchema;
  /** Returns a reference that has siblings. */
  readonly describedReference: (type: DocumentType, description: string | undefined) => JsonSchema;
}

/** The two kinds of a custom type. */
export interface CustomKinds {
  readonly object: PublishedType;
  readonly list: PublishedType;
}

export function customKinds(definition: CustomDefinition): CustomKinds {
  const { group, version, kind, listKind = `${kind}List` } = definition;
  const object: PublishedType = {
    type: 'published',
    name: `${group}/${version}.${kind}`,
    published: (writing) => customObject(definition, writing),
  };
  // The descriptions of lists are keyed by the standard name of a list kind.
  const standardName = `${object.name}List`;
  const list: PublishedType = {
    type: 'published',
    name: `${group}/${version}.${listKind}`,
    published: ({ descriptions, reference, describedReference }) => ({
      ...describedBy(descriptions.type(standardName)),
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: kindProperties.apiVersion,
        items: { ...describedBy(descriptions.field(standardName, 'items')), type: 'array', items: reference(object) },
        kind: kindProperties.kind,
        metadata: describedReference(ListMeta, descriptions.field(standardName, 'metadata')),
      },
      'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
    }),
  };
  return { object, list };
}

/** A schema that is nested more deeply is not published: writing it could exhaust the stack. */
const maxNesting = 1000;

function nestsDeeperThan(limit: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return limit === 0 || Object.values(value).some((inner) => nestsDeeperThan(limit - 1, inner));
}

function customObject(definition: CustomDefinition, writing: PublishedWriting): JsonSchema {
  const { group, version, kind, published, rules } = definition;
  const { dialect, descriptions, describedReference } = writing;
  const metadata = describedReference(ObjectMeta, descriptions.field(`${group}/${version}.${kind}`, 'metadata'));
  const selectable = Object.keys(rules.fieldSelectors?.fields ?? {});
  // Clients of Swagger 2.0 reject undeclared fields, so an open object declares none.
  const isUntyped = (dialect === 'v2' && preservesUnknown(published)) || nestsDeeperThan(maxNesting, published);
  return {
    ...(isUntyped
      ? { type: 'object' }
      : withKind(publishedSchema(published, { dialect, kindProperties: { ...kindProperties, metadata } }), metadata)),
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(selectable.length > 0 && {
      'x-kubernetes-selectable-fields': selectable.map((fieldPath) => ({ fieldPath })),
    }),
  };
}

function withKind(schema: JsonSchema, metadata: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as JsonSchema), ...kindProperties, metadata } };
}
