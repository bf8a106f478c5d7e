import type { Field, Schema, StructSchema } from '../../schema/model.ts';
import { scalarZeros } from '../../schema/normalize/scalars.ts';
import { fieldsByName } from '../../schema/normalize/struct-fields.ts';
import { isSameValue } from './immutable.ts';
import { compareQuantityTexts } from './quantities.ts';

/**
 * Compares two values of a type in canonical form, as Kubernetes does for fields that cannot be changed: quantities by
 * their amount, and an empty list or map is the same as none. The values may lack fields, and fields
 * that the type does not have do not count.
 */
export function isSameOfType(schema: Schema, left: unknown, right: unknown): boolean {
  if (left === right) return true;
  switch (schema.type) {
    case 'scalar':
      if (schema.kind !== 'quantity' || typeof left !== 'string' || typeof right !== 'string') break;
      return compareQuantityTexts(left, right) === 0;
    case 'list':
      return isSameList(schema.items, (left ?? []) as readonly unknown[], (right ?? []) as readonly unknown[]);
    case 'map':
      return isSameMap(() => schema.values, (left ?? {}) as Values, (right ?? {}) as Values);
    case 'struct':
      if (schema.untagged === true || isNone(left) || isNone(right)) break;
      return isSameStruct(schema, left as Values, right as Values);
  }
  return isSameValue(left, right);
}

type Values = Readonly<Record<string, unknown>>;

const isNone = (value: unknown): boolean => value === undefined || value === null;

function isSameList(items: Schema, left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => isSameOfType(items, item, right[index]));
}

function isSameMap(schemaOf: (key: string) => Schema, left: Values, right: Values): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && isSameOfType(schemaOf(key), left[key], right[key]));
}

function isSameStruct(schema: StructSchema, left: Values, right: Values): boolean {
  const fields = fieldsByName(schema);
  const isSame = (key: string): boolean => {
    const field = fields.get(key);
    return field === undefined || isSameOfType(field.schema, fieldValue(field, left), fieldValue(field, right));
  };
  return Object.keys(left).every(isSame) && Object.keys(right).every((key) => key in left || isSame(key));
}

/** A field that is not a pointer has a zero value when it is absent. */
function fieldValue({ name, pointer, schema }: Field, values: Values): unknown {
  const value = values[name] ?? undefined;
  if (value !== undefined || pointer === true) return value;
  if (schema.type === 'struct' && schema.untagged !== true) return {};
  return schema.type === 'scalar' ? scalarZeros[schema.kind] : undefined;
}
