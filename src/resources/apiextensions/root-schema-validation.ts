import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { isScalar, type JsonSchema, schemaOf } from '../../schema/structural/json-schema.ts';
import { internalValue } from '../validation/internal-value.ts';
import { JSONSchemaProps } from './json-schema-types.ts';

const namesAtRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems ' +
  'MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';
const beforeType = ['id', '$schema', '$ref'] as const;
const afterType = [
  'nullable',
  'default',
  'enum',
  'maxProperties',
  'minProperties',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
] as const;

/** Reports root keywords that would be lost when the `status` schema is extracted. */
export function rootErrors(schema: JsonSchema, path: string): FieldError[] {
  const { type = '' } = schema;
  const has = (keyword: keyof JsonSchema) => schema[keyword] !== undefined && schema[keyword] !== false;
  if (!beforeType.some(has) && type !== '' && type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalidValue(`${path}.type`, type, detail)];
  }
  if (!beforeType.some(has) && !afterType.some(has)) return [];
  const detail = `only [${namesAtRoot}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalidValue(path, internalValue(JSONSchemaProps, schema), detail)];
}

/** Returns a keyword, at any depth, that structural schemas do not support. */
export function unsupportedKeyword(schema: JsonSchema): string | undefined {
  if (isScalar(schema)) return undefined;
  if (schema.id !== undefined) return 'id';
  if (schema.$schema !== undefined) return 'schema';
  if (schema.$ref) return '$ref';
  if (schema.additionalItems !== undefined) return 'additionalItems';
  if (schema.patternProperties !== undefined) return 'patternProperties';
  if (schema.definitions !== undefined) return 'definitions';
  if (schema.dependencies !== undefined) return 'dependencies';
  if (Array.isArray(schema.items)) return 'items';
  // All other keywords that contain schemas have been handled above.
  const { items, allOf, anyOf, oneOf, not, properties, additionalProperties } = schema;
  return (
    unsupportedIn(items as JsonSchema | undefined) ??
    unsupportedAmong(allOf) ??
    unsupportedAmong(anyOf) ??
    unsupportedAmong(oneOf) ??
    unsupportedIn(not) ??
    unsupportedAmong(properties) ??
    unsupportedIn(schemaOf(additionalProperties))
  );
}

function unsupportedIn(schema: JsonSchema | undefined): string | undefined {
  return schema && unsupportedKeyword(schema);
}

function unsupportedAmong(schemas: Readonly<Record<string, JsonSchema>> | readonly JsonSchema[] | undefined) {
  const all = schemas as Readonly<Record<string, JsonSchema>> | undefined;
  for (const name in all) {
    const found = unsupportedKeyword(all[name]!);
    if (found !== undefined) return found;
  }
  return undefined;
}
