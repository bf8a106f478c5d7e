import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { itemSchema, type JsonSchema } from '../../schema/structural/json-schema.ts';
import { internalValue } from '../validation/internal-value.ts';
import { JSONSchemaPropsOrArray } from './json-schema-types.ts';

const listType = 'x-kubernetes-list-type';
const mapType = 'x-kubernetes-map-type';
const mapKeys = 'x-kubernetes-list-map-keys';
const listTypes = ['atomic', 'set', 'map'];
const mapTypes = ['atomic', 'granular'];

/** The maximum number of errors about keys: each error lists all keys. */
const maxKeyErrors = 16;

interface SchemaAt {
  readonly path: string;
  /** Whether an error may show the schemas of the items. */
  readonly showsItems: boolean;
}

/** Checks that the merge strategies of lists and maps fit their schemas. */
export function validateListAndMapTypes(schema: JsonSchema, at: SchemaAt, errors: FieldError[]): void {
  const { path } = at;
  const list = schema[listType];
  const map = schema[mapType];
  const keys = schema[mapKeys] ?? [];
  validateTypeIs('object', { schema, path, keyword: mapType }, errors);
  if (map !== undefined && !mapTypes.includes(map)) errors.push(notSupportedValue(`${path}.${mapType}`, map, mapTypes));
  validateTypeIs('array', { schema, path, keyword: listType }, errors);
  if (list === 'set' && schema.type === 'array') validateSetItems(itemSchema(schema), `${path}.items`, errors);
  if (list !== undefined && !listTypes.includes(list)) {
    errors.push(notSupportedValue(`${path}.${listType}`, list, listTypes));
  }
  if (keys.length > 0 && list !== 'map') {
    const detail = `must be map if ${mapKeys} is non-empty`;
    const field = `${path}.${listType}`;
    errors.push(list === undefined ? requiredValue(field, detail) : invalidValue(field, list, detail));
  }
  if (list === 'map') validateMapItems(schema, at, errors);
  if (list === 'map' || list === 'set') validateKeysPresent(schema, path, errors);
}

function validateTypeIs(
  wanted: string,
  { schema, path, keyword }: { schema: JsonSchema; path: string; keyword: typeof listType | typeof mapType },
  errors: FieldError[],
): void {
  const { type = '' } = schema;
  if (schema[keyword] === undefined || type === wanted) return;
  const detail = `must be ${wanted} if ${keyword} is specified`;
  errors.push(type === '' ? requiredValue(`${path}.type`, detail) : invalidValue(`${path}.type`, type, detail));
}

/** The items of a set are compared as a whole, so they must be scalars or atomic. */
function validateSetItems(items: JsonSchema | undefined, path: string, errors: FieldError[]): void {
  if (items === undefined) return;
  const detail = `must be atomic as item of a list with ${listType}=set`;
  const list = items[listType];
  if (items.type === 'array' && list !== undefined && list !== 'atomic') {
    errors.push(invalidValue(`${path}.${listType}`, list, detail));
  }
  if (items.type === 'object' && items[mapType] !== 'atomic') {
    errors.push(invalidValue(`${path}.${mapType}`, list, detail));
  }
}

function validateMapItems(schema: JsonSchema, { path, showsItems }: SchemaAt, errors: FieldError[]): void {
  const keys = schema[mapKeys] ?? [];
  const items = itemSchema(schema);
  if (keys.length === 0) {
    errors.push(requiredValue(`${path}.${mapKeys}`, `must not be empty if ${listType} is map`));
  }
  if (schema.items === undefined) {
    errors.push(requiredValue(`${path}.items`, `must have a schema if ${listType} is map`));
  } else if (items === undefined) {
    const detail = `must only have a single schema if ${listType} is map`;
    const shown = showsItems ? internalValue(JSONSchemaPropsOrArray, schema.items) : null;
    errors.push(invalidValue(`${path}.items`, shown, detail));
  }
  if (items === undefined) return;
  if (items.type !== 'object') {
    const detail = `must be object if parent array's ${listType} is map`;
    errors.push(invalidValue(`${path}.items.type`, items.type ?? '', detail));
    return;
  }
  const { properties = {} } = items;
  const seen = new Set<string>();
  const before = errors.length;
  for (const key of keys) {
    if (errors.length - before >= maxKeyErrors) return;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property === undefined) {
      errors.push(invalidValue(`${path}.${mapKeys}`, keys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const detail = `must be a scalar type if parent array's ${listType} is map`;
      errors.push(invalidValue(`${path}.items.properties[${key}].type`, items.type, detail));
    }
    if (seen.has(key)) errors.push(invalidValue(`${path}.${mapKeys}`, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
}

/** The keys that identify an item must be required or have a default. */
function validateKeysPresent(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const items = itemSchema(schema);
  if (items === undefined) return;
  if (items.nullable === true) {
    const detail = `cannot be nullable when ${listType} is ${schema[listType]}`;
    errors.push(forbiddenValue(`${path}.items.nullable`, detail));
  }
  if (schema[listType] !== 'map') return;
  const { properties = {} } = items;
  const required = new Set(items.required);
  for (const key of schema[mapKeys] ?? []) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property === undefined) continue;
    const at = `${path}.items.properties[${key}]`;
    const why = `this property is in ${mapKeys}, so it`;
    if (!required.has(key) && property.default === undefined) {
      errors.push(requiredValue(`${at}.default`, `${why} must have a default or be a required property`));
    }
    if (property.nullable === true) errors.push(forbiddenValue(`${at}.nullable`, `${why} cannot be nullable`));
  }
}
