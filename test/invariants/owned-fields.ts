import type { Field, FieldOptions, Schema, StructSchema } from '../../src/schema/model.ts';
import { jsonFields } from '../../src/schema/normalize/struct-fields.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** A field path in the notation of managed fields, one element per step. */
export type Elements = readonly string[];

export interface Owned {
  readonly manager: string;
  readonly operation: string;
  readonly subresource: string;
  readonly paths: readonly Elements[];
}

/** Returns the paths of every entry that are members of its set. */
export function ownedFields(object: JsonObject): Owned[] {
  const entries = ((object.metadata as JsonObject).managedFields ?? []) as JsonObject[];
  return entries.map((entry) => ({
    manager: String(entry.manager),
    operation: String(entry.operation),
    subresource: String(entry.subresource ?? ''),
    paths: members(entry.fieldsV1 as JsonObject),
  }));
}

function members(node: JsonObject, path: Elements = []): Elements[] {
  return Object.entries(node).flatMap(([element, inner]) => {
    if (element === '.') return [path];
    const below = inner as JsonObject;
    return Object.keys(below).length === 0 ? [[...path, element]] : members(below, [...path, element]);
  });
}

const typeMeta: Readonly<Record<string, Schema>> = {
  kind: { type: 'scalar', kind: 'string' },
  apiVersion: { type: 'scalar', kind: 'string' },
};

function fieldsOf(schema: StructSchema): Map<string, { schema: Schema; options: FieldOptions }> {
  const fields = jsonFields(schema).map(
    (field: Field) => [field.name, { schema: field.schema, options: field }] as const,
  );
  const meta = Object.entries(typeMeta).map(([name, of]) => [name, { schema: of, options: {} }] as const);
  return new Map([...meta, ...fields]);
}

/** Whether the object has a value at the path. */
export function hasField(schema: Schema, options: FieldOptions, value: Json | undefined, path: Elements): boolean {
  if (value === undefined) return false;
  const [element, ...rest] = path;
  if (element === undefined) return true;
  if (element.startsWith('f:')) {
    const name = element.slice(2);
    if (!isObject(value) || !Object.hasOwn(value, name)) return false;
    if (schema.type === 'struct' && schema.untagged !== true) {
      const field = fieldsOf(schema).get(name);
      return field !== undefined && hasField(field.schema, field.options, value[name], rest);
    }
    return hasField(schema.type === 'map' ? schema.values : schema, {}, value[name], rest);
  }
  if (schema.type !== 'list' || !Array.isArray(value)) return false;
  const { items } = schema;
  return value.some(
    (item, index) => elementOf(item, index, schema.items, options) === element && hasField(items, {}, item, rest),
  );
}

function elementOf(item: Json, index: number, items: Schema, { list = 'atomic' }: FieldOptions): string {
  if (list === 'atomic') return `i:${index}`;
  if (list === 'set') return `v:${JSON.stringify(item)}`;
  const fields = items.type === 'struct' ? fieldsOf(items) : new Map<string, never>();
  const keys = list.toSorted().flatMap((name) => {
    const given = isObject(item) ? item[name] : undefined;
    const value = given ?? keyDefault(fields.get(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return `k:${JSON.stringify(Object.fromEntries(keys))}`;
}

function keyDefault(field: { schema: Schema; options: FieldOptions } | undefined): unknown {
  if (field === undefined) return undefined;
  const { default: given, keyDefault: key, always } = field.options;
  if (given !== undefined || key !== undefined) return given ?? key;
  if (always !== true || field.schema.type !== 'scalar') return undefined;
  return field.schema.kind === 'string' ? '' : 0;
}

const untracked: ReadonlySet<string> = new Set(
  ['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'generation', 'managedFields', 'resourceVersion'].map(
    (name) => `f:metadata ${`f:${name}`}`,
  ),
);

/** Whether the field has a value even if it was not set. */
function isAlwaysThere(options: FieldOptions): boolean {
  return 'number' in options && (options.pointer !== true || options.always === true);
}

export interface Leaf {
  readonly path: Elements;
  readonly value: Json;
  readonly mayBeUnset: boolean;
}

export function isZero(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === 0 || value === '' || value === false || value === '0' || value === '0s';
}

/**
 * Returns the smallest values of the object that can have their own owners. Lists whose keys are not unique are left
 * out, because their elements cannot be distinguished. If an element lacks its key, writes record no owners.
 */
export function leavesOf(kind: StructSchema, object: JsonObject): Leaf[] {
  const leaves: Leaf[] = [];
  let isTracked = true;
  const walk = (schema: Schema, options: FieldOptions, value: Json, path: Elements): void => {
    if (untracked.has(path.join(' '))) return;
    const isWhole =
      (schema.type === 'struct' && options.map !== 'granular' && (schema.atomic || options.map === 'atomic')) ||
      (schema.type === 'map' && options.map === 'atomic') ||
      (schema.type === 'list' && (options.list ?? 'atomic') === 'atomic') ||
      (schema.type === 'scalar' && (!['json', 'fieldsV1'].includes(schema.kind) || options.map === 'atomic'));
    const isContainer = isObject(value) || (Array.isArray(value) && schema.type === 'list');
    if (isWhole || !isContainer || Object.keys(value).length === 0) {
      // Zero values that exist in every object have no owner.
      leaves.push({ path, value, mayBeUnset: isAlwaysThere(options) && isZero(value) });
    } else if (Array.isArray(value)) {
      const items = (schema as { items: Schema }).items;
      const elements = value.map((item, index) => elementOf(item, index, items, options));
      if (elements.includes('k:{}')) isTracked = false;
      if (new Set(elements).size < elements.length) return;
      for (const [index, item] of value.entries()) walk(items, {}, item, [...path, elements[index]!]);
    } else {
      for (const [name, member] of Object.entries(value)) {
        if (path.length === 0 && name in typeMeta) continue;
        const field = schema.type === 'struct' && schema.untagged !== true ? fieldsOf(schema).get(name) : undefined;
        const inner = field?.schema ?? (schema.type === 'map' ? schema.values : schema);
        walk(inner, field?.options ?? {}, member, [...path, `f:${name}`]);
      }
    }
  };
  walk(kind, {}, object, []);
  return isTracked ? leaves : [];
}
