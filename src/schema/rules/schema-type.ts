import {
  boolType,
  type CelField,
  type CelType,
  doubleType,
  escapeFieldName,
  intType,
  type ObjectType,
} from '../../cel/index.ts';
import { isEmbedded, itemSchema, type JsonSchema, schemaOf } from '../structural/json-schema.ts';

/** The type that expressions see for the values of a schema. */
export interface SchemaType {
  readonly type: CelType;
  /** The minimum size of a value in JSON, in bytes. It determines how many values fit into a request. */
  readonly minSize: number;
}

/** The size of the largest request. */
const maxRequest = 3 * 1024 * 1024;

/** Returns how many values of this size one object can contain at most. */
export const maxOccurrences = (minSize: number): number => Math.floor(maxRequest / (minSize + 1));

/** The types of schemas with rules. A schema has one type for all rules that see it. */
const known = new WeakMap<JsonSchema, SchemaType>();
let conversions = 0;

/**
 * Returns the type of a schema, or undefined when expressions cannot see its values. Object types have unique names:
 * values from different places have different types. `isRoot`: it is the schema of a whole object.
 */
export function schemaType(schema: JsonSchema, { isRoot }: { isRoot: boolean }): SchemaType | undefined {
  const found = known.get(schema);
  if (found !== undefined) return found;
  return converted(isRoot ? withObjectFields(schema) : schema, { name: `selfType${++conversions}`, key: schema });
}

interface NamedSchema {
  readonly name: string;
  /** The schema as given in the definition. */
  readonly key: JsonSchema;
}

function converted(schema: JsonSchema, { name, key }: NamedSchema): SchemaType | undefined {
  const type = convert(schema, name);
  if (type !== undefined) known.set(key, type);
  return type;
}

function inner(schema: JsonSchema, name: string): SchemaType | undefined {
  // Most schemas have no rules, and caching them costs more than converting them.
  if (!schema['x-kubernetes-validations']?.length) return convert(schema, name);
  return known.get(schema) ?? converted(schema, { name, key: schema });
}

function convert(schema: JsonSchema, name: string): SchemaType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return intOrString(schema);
  switch (schema.type) {
    case 'array':
      return listSchemaType(schema, name);
    case 'object': {
      const values = schemaOf(schema.additionalProperties);
      if (values !== undefined) return mapSchemaType(schema, values, name);
      return new ObjectSchemaType(isEmbedded(schema) ? withObjectFields(schema) : schema, name);
    }
    case 'string':
      return stringSchemaType(schema);
    case 'boolean':
      return { type: boolType, minSize: 4 };
    case 'number':
      return { type: doubleType, minSize: 1 };
    case 'integer':
      return { type: intType, minSize: 1 };
    default:
      return undefined;
  }
}

function intOrString({ maxLength }: JsonSchema): SchemaType {
  const maxElements = maxLength === undefined ? maxRequest - 2 : bytesOf(maxLength);
  return { type: { kind: 'dyn', maxElements }, minSize: 1 };
}

function listSchemaType(schema: JsonSchema, name: string): SchemaType | undefined {
  const items = itemSchema(schema);
  const item = items === undefined ? undefined : inner(items, `${name}.@idx`);
  if (item === undefined) return undefined;
  const listType = schema['x-kubernetes-list-type'];
  const maxElements = limit(schema.maxItems) ?? Math.floor((maxRequest - 2) / (item.minSize + 1));
  const list = { kind: 'list', items: item.type, maxElements } as const;
  if (listType === 'set') return { type: { ...list, listType }, minSize: 2 };
  if (listType !== 'map') return { type: list, minSize: 2 };
  return { type: { ...list, listType, listKeys: schema['x-kubernetes-list-map-keys'] ?? [] }, minSize: 2 };
}

/** Kubernetes estimates keys as if they were empty. */
const keyType: CelType = { kind: 'string', maxElements: 0 };

function mapSchemaType(schema: JsonSchema, values: JsonSchema, name: string): SchemaType | undefined {
  const value = inner(values, `${name}.@elem`);
  if (value === undefined) return undefined;
  // An entry also has quotes, a colon and a comma.
  const maxElements = limit(schema.maxProperties) ?? Math.floor((maxRequest - 2) / (value.minSize + 6));
  return { type: { kind: 'map', keys: keyType, values: value.type, maxElements }, minSize: 2 };
}

/** The members are converted on first use, because rules use few of the fields of a large schema. */
class ObjectSchemaType implements SchemaType, ObjectType {
  readonly kind = 'object';
  readonly name: string;
  readonly maxElements = 0;
  readonly nullsAreAbsent = true;
  readonly #schema: JsonSchema;
  #fields: Readonly<Record<string, CelField>> | undefined;
  #minSize = 2;

  constructor(schema: JsonSchema, name: string) {
    this.name = name;
    this.#schema = schema;
  }

  get type(): ObjectType {
    return this;
  }

  get fields(): Readonly<Record<string, CelField>> {
    this.#fields ??= this.#convertMembers();
    return this.#fields;
  }

  get minSize(): number {
    if (this.#schema.required?.length) this.#fields ??= this.#convertMembers();
    return this.#minSize;
  }

  #convertMembers(): Record<string, CelField> {
    const { properties = {}, required } = this.#schema;
    const fields: Record<string, CelField> = Object.create(null) as Record<string, CelField>;
    const needed = new Set(required);
    for (const property in properties) {
      const schema = properties[property]!;
      const escaped = escapeFieldName(property);
      const field = inner(schema, `${this.name}.${escaped ?? property}`);
      if (field === undefined) continue;
      if (escaped !== undefined) fields[escaped] = { type: field.type, required: needed.has(property) };
      const isSent = needed.has(property) && (schema.default ?? undefined) === undefined;
      if (isSent) this.#minSize += Buffer.byteLength(property) + field.minSize + 4;
    }
    return fields;
  }
}

/** The sizes of texts include their quotes. */
const formats: Readonly<Record<string, SchemaType>> = {
  duration: { type: { kind: 'duration', maxElements: 32 }, minSize: 3 },
  date: { type: { kind: 'timestamp', maxElements: 12 }, minSize: 12 },
  'date-time': { type: { kind: 'timestamp', maxElements: 32 }, minSize: 21 },
};

function stringSchemaType({ format = '', maxLength, enum: values = [] }: JsonSchema): SchemaType {
  if (Object.hasOwn(formats, format)) return formats[format]!;
  const unlimited = maxRequest - 2;
  if (format === 'byte') return { type: { kind: 'bytes', maxElements: limit(maxLength) ?? unlimited }, minSize: 2 };
  let maxElements = unlimited;
  if (maxLength !== undefined) maxElements = bytesOf(maxLength);
  else if (values.length > 0) {
    const sizes = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
    maxElements = sizes.reduce((most, size) => Math.max(most, size));
  }
  return { type: { kind: 'string', maxElements }, minSize: 2 };
}

/** Very large numbers of a definition are bigints. */
const limit = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Math.max(Number(value), 0);

/** A character takes at most four bytes. */
const bytesOf = (maxLength: number): number => Math.max(Number(maxLength), 0) * 4;

const text: JsonSchema = { type: 'string' };
/** Rules of a resource can always read its kind and its name, independent of its schema. */
function withObjectFields(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  const own = (name: string): JsonSchema | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : undefined;
  const names = own('metadata')?.properties;
  const isComplete =
    own('kind')?.type === 'string' &&
    own('apiVersion')?.type === 'string' &&
    own('metadata')?.type === 'object' &&
    names?.name?.type === 'string' &&
    names.generateName?.type === 'string';
  if (isComplete) return schema;
  const metadata: JsonSchema = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...properties, apiVersion: text, kind: text, metadata } };
}
