import type { Field, Schema, StructSchema } from '../../src/schema/model.ts';
import { jsonFields } from '../../src/schema/normalize/struct-fields.ts';
import { at, isObject, type Json, type JsonObject, type Path, set } from './json.ts';
import type { PlausibleValues } from './plausible-values.ts';

/** One place in the objects of a kind: a field, an element of a list or a value of a map. */
export interface Place {
  readonly path: Path;
  readonly schema: Schema;
  /** Undefined for elements and map values. */
  readonly field: Field | undefined;
  /** The type that declares the field. */
  readonly owner: StructSchema | undefined;
}

/** Fields that the server sets or that describe writes instead of the object. */
const omitted: ReadonlySet<string> = new Set(['metadata.managedFields']);

/**
 * Returns every place of the object, and the places that its type declares but the object does not have. Recursive
 * types are entered only where the object has a value.
 */
export function placesOf(schema: StructSchema, object: JsonObject): Place[] {
  const places: Place[] = [];
  const enter = (of: Schema, value: Json | undefined, path: Path, outer: readonly StructSchema[]): void => {
    if (of.type === 'list' || of.type === 'map') {
      const keys = isObject(value) || Array.isArray(value) ? Object.keys(value) : [];
      const key = of.type === 'list' ? 0 : (keys[0] ?? 'key');
      const inner = of.type === 'list' ? of.items : of.values;
      const place = { path: [...path, key], schema: inner, field: undefined, owner: undefined };
      places.push(place);
      enter(inner, (value as JsonObject | undefined)?.[key], place.path, outer);
      return;
    }
    if (of.type !== 'struct' || of.untagged === true) return;
    if (value === undefined && outer.includes(of)) return;
    for (const field of jsonFields(of)) {
      const place = { path: [...path, field.name], schema: field.schema, field, owner: of };
      if (omitted.has(place.path.join('.'))) continue;
      places.push(place);
      const member = isObject(value) ? value[field.name] : undefined;
      enter(field.schema, member, place.path, [...outer, of]);
    }
  };
  enter(schema, object, [], []);
  return places;
}

/**
 * Returns a copy with another value at the place. Missing parents are created with as few fields as their types allow.
 */
export function withValue(
  object: JsonObject,
  { path, kind, values }: { readonly path: Path; readonly kind: StructSchema; readonly values: PlausibleValues },
  value: Json | undefined,
): JsonObject {
  let copy = object;
  let schema: Schema = kind;
  for (const [depth, step] of path.slice(0, -1).entries()) {
    schema = innerSchema(schema, step)!;
    const prefix = path.slice(0, depth + 1);
    const present = at(copy, prefix);
    if (!isObject(present) && !Array.isArray(present)) copy = set(copy, prefix, container(schema, values));
  }
  return set(copy, path, value);
}

function container(schema: Schema, values: PlausibleValues): Json {
  if (schema.type === 'list') return [];
  return schema.type === 'struct' ? values.smallest(schema) : {};
}

export function innerSchema(schema: Schema, step: string | number): Schema | undefined {
  if (schema.type === 'list') return schema.items;
  if (schema.type === 'map') return schema.values;
  if (schema.type !== 'struct') return undefined;
  return jsonFields(schema).find(({ name }) => name === step)?.schema;
}
