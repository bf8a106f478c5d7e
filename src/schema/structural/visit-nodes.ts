import type { Schema, StructSchema } from '../model.ts';
import { isObject } from '../normalize/type-mismatch.ts';

/** `path` is the path of the value: `spec.list[0].map[key]`. */
type Visitor = (schema: Schema, value: unknown, path: () => string) => void;

interface Place {
  readonly around: Place | undefined;
  readonly segment: string;
}

/** Calls the visitor for all nodes of a custom type that have a value and match the predicate of `interesting`. */
export function visitNodes(schema: Schema, value: unknown, visit: Visitor): void {
  visitNode(schema, value, { place: undefined, visit });
}

interface Visit {
  readonly place: Place | undefined;
  readonly visit: Visitor;
}

function visitNode(schema: Schema, value: unknown, { place, visit }: Visit): void {
  if (schema.structural === undefined || typeof value !== 'object' || value === null) return;
  visit(schema, value, () => pathOf(place));
  if (Array.isArray(value)) {
    if (schema.type !== 'list' || schema.items.type === 'scalar') return;
    for (let index = 0; index < value.length; index++) {
      visitNode(schema.items, value[index], { place: { around: place, segment: `[${index}]` }, visit });
    }
  } else if (isObject(value)) {
    if (schema.type === 'struct') visitFields(schema, value, { place, visit });
    else if (schema.type === 'map' && schema.values.type !== 'scalar') {
      for (const key of Object.keys(value)) {
        visitNode(schema.values, value[key], { place: { around: place, segment: `[${key}]` }, visit });
      }
    }
  }
}

const nested = new WeakMap<StructSchema, ReadonlyMap<string, Schema>>();

function visitFields(schema: StructSchema, value: Readonly<Record<string, unknown>>, { place, visit }: Visit): void {
  let fields = nested.get(schema);
  if (fields === undefined) {
    const inner = schema.fields.filter((field) => field.schema.type !== 'scalar');
    fields = new Map(inner.map((field) => [field.name, field.schema]));
    nested.set(schema, fields);
  }
  for (const name of Object.keys(value)) {
    const own = fields.get(name);
    if (own === undefined) continue;
    visitNode(own, value[name], { place: { around: place, segment: place === undefined ? name : `.${name}` }, visit });
  }
}

function pathOf(place: Place | undefined): string {
  return place === undefined ? '' : pathOf(place.around) + place.segment;
}
