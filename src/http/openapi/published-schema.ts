import {
  isEmbedded,
  itemSchema,
  preservesUnknown,
  type JsonSchema as SourceSchema,
  schemaOf,
} from '../../schema/structural/json-schema.ts';
import type { Dialect, JsonSchema } from './dialect.ts';

export interface PublishOptions {
  readonly dialect: Dialect;
  /** The properties that every object has: apiVersion, kind and metadata. */
  readonly kindProperties: Readonly<Record<string, JsonSchema>>;
}

/** The schema of a definition as OpenAPI publishes it. Its size is limited by that of the definition. */
export function publishedSchema(source: SourceSchema, options: PublishOptions): JsonSchema {
  const isSwagger = options.dialect === 'v2';
  const { 'x-kubernetes-preserve-unknown-fields': preserves, ...schema } = isSwagger
    ? dropNonSwaggerFields(source)
    : withIntOrString(source);
  const { properties, additionalProperties } = schema;
  const items = itemSchema(schema);
  const values = schemaOf(additionalProperties);
  const published = {
    ...schema,
    ...(items !== undefined && { items: publishedSchema(items, options) }),
    ...(values !== undefined && { additionalProperties: publishedSchema(values, options) }),
    ...(properties !== undefined && { properties: publishedProperties(properties, options) }),
    ...(preserves && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
  if (!isEmbedded(source) || (isSwagger && preserves)) return published;
  return {
    ...published,
    properties: { ...published.properties, ...options.kindProperties },
    required: [...new Set([...(schema.required ?? []), 'kind', 'apiVersion'])],
  };
}

function publishedProperties(
  properties: NonNullable<SourceSchema['properties']>,
  options: PublishOptions,
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, publishedSchema(value, options)]));
}

const integerOrString: readonly SourceSchema[] = [{ type: 'integer' }, { type: 'string' }];

/** Lists both possible types of a value, for clients that do not support the extension. */
function withIntOrString(schema: SourceSchema): SourceSchema {
  const { anyOf, allOf = [] } = schema;
  if (schema['x-kubernetes-int-or-string'] !== true) return schema;
  if (isIntegerOrString(anyOf) || isIntegerOrString(allOf[0]?.anyOf)) return schema;
  if (anyOf === undefined) return { ...schema, anyOf: integerOrString };
  return { ...schema, allOf: [{ anyOf: integerOrString }, ...allOf] };
}

function isIntegerOrString(choices: readonly SourceSchema[] | undefined): boolean {
  if (choices?.length !== integerOrString.length) return false;
  return choices.every((choice, index) => {
    return choice.type === integerOrString[index]!.type && Object.keys(choice).length === 1;
  });
}

/**
 * Omits what Swagger 2.0 cannot express, and what its clients misinterpret: they treat declared properties as a
 * complete list, and a list without items as an error.
 */
function dropNonSwaggerFields(source: SourceSchema): SourceSchema {
  const { allOf: _all, anyOf: _any, oneOf: _one, not: _not, nullable, type, items, properties, ...rest } = source;
  const { required: _required, ...schema } = rest;
  const isOpen = nullable === true || preservesUnknown(source);
  const keptItems = isOpen ? undefined : items;
  const keptProperties = isOpen ? undefined : properties;
  const hasType = nullable !== true && (type !== 'array' || keptItems !== undefined);
  const required = requiredInSwagger(source, keptProperties);
  return {
    ...(hasType && type !== undefined && { type }),
    ...schema,
    ...(required.length > 0 && { required }),
    ...(keptItems !== undefined && { items: keptItems }),
    ...(keptProperties !== undefined && { properties: keptProperties }),
  };
}

/** A property that may be null is not required: Swagger 2.0 has no null. */
function requiredInSwagger(source: SourceSchema, properties: SourceSchema['properties']): readonly string[] {
  if (schemaOf(source.additionalProperties)?.nullable === true) return [];
  return (source.required ?? []).filter((name) => properties?.[name]?.nullable !== true);
}
