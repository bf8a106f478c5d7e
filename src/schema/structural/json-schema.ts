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

/** The fields that every object has, independent of its schema. */
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

const scalarTypes: ReadonlySet<string | undefined> = new Set(['boolean', 'integer', 'number', 'string']);
/** Keywords of scalar values that do not affect the structure of a schema. */
const scalarKeywords: ReadonlySet<string> = new Set<keyof JsonSchema>([
  'description',
  'type',
  'format',
  'title',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'multipleOf',
  'enum',
  'example',
  'nullable',
]);

/**
 * Whether the schema only describes and limits scalar values: it has no nested schemas and no rules. Most schemas in a
 * definition are scalar, and this check is cheaper than looking for each of the other keywords.
 */
export function isScalar(schema: JsonSchema): boolean {
  for (const keyword in schema) if (!scalarKeywords.has(keyword)) return false;
  return scalarTypes.has(schema.type);
}

type Predicate = (schema: JsonSchema) => boolean;

/** Whether the predicate holds for the schema or for any schema nested in it, under any keyword. */
export function someSchema(schema: JsonSchema, predicate: Predicate): boolean {
  if (predicate(schema)) return true;
  if (isScalar(schema)) return false;
  const { items } = schema;
  return (
    (Array.isArray(items) ? someMember(items, predicate) : someValue(items as JsonSchema | undefined, predicate)) ||
    someMember(schema.allOf, predicate) ||
    someMember(schema.anyOf, predicate) ||
    someMember(schema.oneOf, predicate) ||
    someValue(schema.not, predicate) ||
    someMember(schema.properties, predicate) ||
    someMember(schema.patternProperties, predicate) ||
    someMember(schema.definitions, predicate) ||
    someValue(schema.additionalProperties, predicate) ||
    someValue(schema.additionalItems, predicate) ||
    someMember(schema.dependencies, predicate)
  );
}

type SchemaValue = Parameters<typeof schemaOf>[0];

function someMember(
  members: readonly SchemaValue[] | Readonly<Record<string, SchemaValue>> | undefined,
  predicate: Predicate,
): boolean {
  if (members === undefined) return false;
  for (const inner of Object.values(members)) if (someValue(inner, predicate)) return true;
  return false;
}

function someValue(value: SchemaValue, predicate: Predicate): boolean {
  const inner = schemaOf(value);
  return inner !== undefined && someSchema(inner, predicate);
}
