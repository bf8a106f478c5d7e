/** The schema of a custom resource in canonical form, as given in its definition. */
export interface JsonSchema {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly unknown[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly dependencies?: Readonly<Record<string, JsonSchema | readonly string[]>>;
  readonly additionalItems?: JsonSchema | boolean;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

export interface ValidationRule {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The fields that every object has, whatever its schema says. */
export const objectFieldNames: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

export const preservesUnknown = (schema: JsonSchema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true;

export const isEmbedded = (schema: JsonSchema): boolean => schema['x-kubernetes-embedded-resource'] === true;

/** The schema of all items. Undefined when there is none, or when each position has a schema. */
export function itemSchema({ items }: JsonSchema): JsonSchema | undefined {
  return items === undefined || Array.isArray(items) ? undefined : (items as JsonSchema);
}

export function schemaOf(value: JsonSchema | boolean | readonly string[] | null | undefined): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}

/** Yields every direct subschema, under any keyword. */
function* innerSchemas(schema: JsonSchema): Generator<JsonSchema> {
  const { items, additionalProperties, additionalItems, not } = schema;
  if (Array.isArray(items)) yield* items as readonly JsonSchema[];
  else if (items !== undefined) yield items as JsonSchema;
  for (const one of [schema.allOf, schema.anyOf, schema.oneOf]) yield* one ?? [];
  if (not !== undefined) yield not;
  for (const map of [schema.properties, schema.patternProperties, schema.definitions]) yield* Object.values(map ?? {});
  for (const value of [additionalProperties, additionalItems, ...Object.values(schema.dependencies ?? {})]) {
    const inner = schemaOf(value);
    if (inner !== undefined) yield inner;
  }
}

/** Whether the predicate holds for the schema or for any schema nested in it. */
export function someSchema(schema: JsonSchema, predicate: (schema: JsonSchema) => boolean): boolean {
  if (predicate(schema)) return true;
  for (const inner of innerSchemas(schema)) if (someSchema(inner, predicate)) return true;
  return false;
}
