import type { DefinitionVersion, Subresources } from './definition-shape.ts';
import type { JsonSchema, ValidationRule } from './json-schema.ts';
import { schemaOf } from './json-schema.ts';
import { shownValue } from './shown-value.ts';

// Kubernetes shows parts of a definition in errors with the names that its own memory has for them, and with everything
// that is absent.

export function internalVersion(version: DefinitionVersion): object {
  const { schema, additionalPrinterColumns, selectableFields } = version;
  return {
    Name: version.name ?? '',
    Served: version.served ?? false,
    Storage: version.storage ?? false,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: schema === undefined ? null : { OpenAPIV3Schema: optional(schema.openAPIV3Schema, internalSchema) },
    Subresources: optional(version.subresources, internalSubresources),
    AdditionalPrinterColumns: optional(additionalPrinterColumns, (columns) =>
      columns.map((column) => ({
        Name: column.name ?? '',
        Type: column.type ?? '',
        Format: column.format ?? '',
        Description: column.description ?? '',
        Priority: column.priority ?? 0,
        JSONPath: column.jsonPath ?? '',
      })),
    ),
    SelectableFields: optional(selectableFields, (fields) =>
      fields.map(({ jsonPath = '' }) => ({ JSONPath: jsonPath })),
    ),
  };
}

function internalSubresources({ status, scale }: Subresources): object {
  return {
    Status: status === undefined ? null : {},
    Scale: optional(scale, ({ specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = null }) => ({
      SpecReplicasPath: specReplicasPath,
      StatusReplicasPath: statusReplicasPath,
      LabelSelectorPath: labelSelectorPath,
    })),
  };
}

export function internalRule(rule: ValidationRule): object {
  return {
    Rule: rule.rule ?? '',
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

export function internalSchema(schema: JsonSchema): object {
  return {
    ID: schema.id ?? '',
    Schema: schema.$schema ?? '',
    Ref: schema.$ref ?? null,
    Description: schema.description ?? '',
    Type: schema.type ?? '',
    Nullable: schema.nullable ?? false,
    Format: schema.format ?? '',
    Title: schema.title ?? '',
    Default: shownValue(schema.default ?? null),
    Maximum: optional(schema.maximum, Number),
    ExclusiveMaximum: schema.exclusiveMaximum ?? false,
    Minimum: optional(schema.minimum, Number),
    ExclusiveMinimum: schema.exclusiveMinimum ?? false,
    MaxLength: optional(schema.maxLength, Number),
    MinLength: optional(schema.minLength, Number),
    Pattern: schema.pattern ?? '',
    MaxItems: optional(schema.maxItems, Number),
    MinItems: optional(schema.minItems, Number),
    UniqueItems: schema.uniqueItems ?? false,
    MultipleOf: optional(schema.multipleOf, Number),
    Enum: shownValue(schema.enum ?? null),
    MaxProperties: optional(schema.maxProperties, Number),
    MinProperties: optional(schema.minProperties, Number),
    Required: schema.required ?? null,
    Items: optional(schema.items, internalItems),
    ...internalJunctors(schema),
    Properties: internalMap(schema.properties),
    AdditionalProperties: optional(schema.additionalProperties, internalSchemaOrBool),
    PatternProperties: internalMap(schema.patternProperties),
    Dependencies: optional(schema.dependencies, (map) => mapped(map, internalDependency)),
    AdditionalItems: optional(schema.additionalItems, internalSchemaOrBool),
    Definitions: internalMap(schema.definitions),
    ExternalDocs: optional(schema.externalDocs, ({ description = '', url = '' }) => ({
      Description: description,
      URL: url,
    })),
    Example: shownValue(schema.example ?? null),
    XPreserveUnknownFields: schema['x-kubernetes-preserve-unknown-fields'] ?? null,
    XEmbeddedResource: schema['x-kubernetes-embedded-resource'] ?? false,
    XIntOrString: schema['x-kubernetes-int-or-string'] ?? false,
    XListMapKeys: schema['x-kubernetes-list-map-keys'] ?? null,
    XListType: schema['x-kubernetes-list-type'] ?? null,
    XMapType: schema['x-kubernetes-map-type'] ?? null,
    XValidations: optional(schema['x-kubernetes-validations'], (rules) => rules.map(internalRule)),
  };
}

function internalJunctors({ allOf, oneOf, anyOf, not }: JsonSchema): object {
  const list = (schemas: readonly JsonSchema[] | undefined) => optional(schemas, (all) => all.map(internalSchema));
  return { AllOf: list(allOf), OneOf: list(oneOf), AnyOf: list(anyOf), Not: optional(not, internalSchema) };
}

export function internalItems(items: NonNullable<JsonSchema['items']>): object {
  return Array.isArray(items)
    ? { Schema: null, JSONSchemas: (items as readonly JsonSchema[]).map(internalSchema) }
    : { Schema: internalSchema(items as JsonSchema), JSONSchemas: null };
}

function internalSchemaOrBool(value: JsonSchema | boolean): object {
  return { Allows: value !== false, Schema: optional(schemaOf(value), internalSchema) };
}

function internalDependency(value: JsonSchema | readonly string[]): object {
  return { Schema: optional(schemaOf(value), internalSchema), Property: Array.isArray(value) ? value : null };
}

function internalMap(schemas: Readonly<Record<string, JsonSchema>> | undefined): object | null {
  return optional(schemas, (map) => mapped(map, internalSchema));
}

function mapped<T>(map: Readonly<Record<string, T>>, change: (value: T) => object): object {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

function optional<T, R>(value: T | undefined, change: (value: T) => R): R | null {
  return value === undefined ? null : change(value);
}
