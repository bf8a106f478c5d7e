import type { Field, Schema, StructSchema } from '../model.ts';
import { setEntry } from '../normalize/containers.ts';
import { type JsonSchema, someSchema } from './json-schema.ts';
import { sortedValue } from './sorted-value.ts';

const known = new WeakMap<JsonSchema, boolean>();

/** Whether any field, item or map value has a default, so that objects read from storage may lack it. */
export function hasDefaults({ structural }: Schema): boolean {
  if (structural === undefined) return false;
  let found = known.get(structural.source);
  if (found === undefined) {
    found = someSchema(structural.source, (schema) => (schema.default ?? undefined) !== undefined);
    known.set(structural.source, found);
  }
  return found;
}

/**
 * Sets only the defaults, in an object that is in canonical form otherwise. Does not change the value: returns the same
 * value if no default is missing, and otherwise a copy of what changes.
 */
export function applyDefaults<T>(schema: Schema, value: T): T {
  return withDefaults(schema, value) as T;
}

function withDefaults(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !hasDefaults(schema)) return value;
  if (Array.isArray(value)) return schema.type === 'list' ? listDefaults(schema.items, value) : value;
  const source = value as Readonly<Record<string, unknown>>;
  if (schema.type === 'struct') return structDefaults(schema, source);
  return schema.type === 'map' ? mapDefaults(schema.values, source) : value;
}

/** A null that is not allowed is replaced like an absent value. */
function valueOrDefault(schema: Schema, value: unknown): unknown {
  const { nullable, default: fallback } = schema.structural ?? {};
  const isAbsent = value === undefined || (value === null && nullable !== true);
  return withDefaults(schema, isAbsent && fallback !== undefined ? sortedValue(fallback) : value);
}

function listDefaults(items: Schema, value: readonly unknown[]): readonly unknown[] {
  const result = value.map((item) => valueOrDefault(items, item));
  return result.some((item, index) => item !== value[index]) ? result : value;
}

function mapDefaults(values: Schema, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const changed = Object.keys(value).filter((key) => valueOrDefault(values, value[key]) !== value[key]);
  if (changed.length === 0) return value;
  const result = { ...value };
  for (const key of changed) setEntry(result, key, valueOrDefault(values, value[key]));
  return result;
}

function structDefaults(schema: StructSchema, value: Readonly<Record<string, unknown>>) {
  const changes = new Map<string, unknown>();
  for (const { name, schema: own } of fieldsWithDefaults(schema)) {
    const present = Object.hasOwn(value, name) ? value[name] : undefined;
    const next = valueOrDefault(own, present);
    if (next !== present) changes.set(name, next);
  }
  if (changes.size === 0) return value;
  const result: Record<string, unknown> = {};
  for (const key of [...new Set([...Object.keys(value), ...changes.keys()])].sort()) {
    setEntry(result, key, changes.has(key) ? changes.get(key) : value[key]);
  }
  return result;
}

const fieldsOf = new WeakMap<StructSchema, readonly Field[]>();

function fieldsWithDefaults(schema: StructSchema): readonly Field[] {
  let fields = fieldsOf.get(schema);
  if (fields === undefined) {
    fields = schema.fields.filter((field) => hasDefaults(field.schema));
    fieldsOf.set(schema, fields);
  }
  return fields;
}
