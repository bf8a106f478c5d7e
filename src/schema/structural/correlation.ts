import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../normalize/type-mismatch.ts';
import { itemSchema, type JsonSchema, schemaOf } from './json-schema.ts';
import { uncorrelated } from './validation-run.ts';

/** Finds the old value of a field. A null in a field that was absent is a change, although both mean no value. */
export function oldField(old: unknown, name: string): unknown {
  return isObject(old) && Object.hasOwn(old, name) ? old[name] : uncorrelated;
}

export type OldItems = (item: unknown) => unknown;

/** Finds the old items of a list of maps by their keys. Items of other lists have no old values. */
export function oldItems(schema: JsonSchema, old: unknown): OldItems | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || keys === undefined || !Array.isArray(old)) return undefined;
  let byKey: Map<string, unknown> | undefined;
  return (item) => {
    if (byKey === undefined) {
      byKey = new Map();
      for (const element of old.toReversed()) if (isObject(element)) byKey.set(keyOf(element, keys), element);
    }
    return isObject(item) ? (byKey.get(keyOf(item, keys)) ?? uncorrelated) : uncorrelated;
  };
}

/** The values of the keys as one text. */
export function keyOf(item: Readonly<Record<string, unknown>>, keys: readonly string[]): string {
  return valueText(keys.map((key) => (Object.hasOwn(item, key) ? item[key] : undefined)));
}

/** Returns a text that is the same only for equal values. */
export function valueText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return { integer: String(inner) };
    if (inner === undefined) return { absent: true };
    if (!isObject(inner)) return inner;
    return Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1));
  });
}

/**
 * Whether two values are equal according to their schema: the order of the items of a list of maps does not matter, and
 * fields that the schema does not describe count as changed, as in Kubernetes.
 */
export function sameValue(value: unknown, old: unknown, schema: JsonSchema): boolean {
  if (Array.isArray(value)) return Array.isArray(old) && sameList(value, old, schema);
  if (!isObject(value) || !isObject(old)) return (value ?? null) === (old ?? null);
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(old).length) return false;
  return keys.every((key) => {
    const field = fieldSchema(schema, key);
    return field !== undefined && Object.hasOwn(old, key) && sameValue(value[key], old[key], field);
  });
}

function fieldSchema({ properties = {}, additionalProperties }: JsonSchema, key: string): JsonSchema | undefined {
  return Object.hasOwn(properties, key) ? properties[key] : schemaOf(additionalProperties);
}

function sameList(value: readonly unknown[], old: readonly unknown[], schema: JsonSchema): boolean {
  if (value.length !== old.length) return false;
  const find = oldItems(schema, old);
  if (find === undefined) return isDeepStrictEqual(value, old);
  const items = itemSchema(schema) ?? {};
  return value.every((item) => {
    const found = find(item);
    return found !== uncorrelated && sameValue(item, found, items);
  });
}
