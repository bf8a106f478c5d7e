import type { Schema, StructSchema } from '../../schema/model.ts';
import { jsonFields } from '../../schema/normalize/struct-fields.ts';
import { untaggedField } from '../../schema/normalize/untagged-field.ts';

/** Information that only the schema has: which strings hold base64 bytes and which integers are floats. */
export type EncodingPlan =
  | { readonly type: 'bytes' }
  | { readonly type: 'float' }
  /** For a list or a map. */
  | { readonly type: 'elements'; readonly element: EncodingPlan }
  | StructPlan;

export class StructPlan {
  readonly type = 'struct';
  readonly #schema: StructSchema;
  #fields: ReadonlyMap<string, EncodingPlan> | undefined;

  constructor(schema: StructSchema) {
    this.#schema = schema;
  }

  /** Only the fields that have a plan. Computed lazily because types may be recursive. */
  get fields(): ReadonlyMap<string, EncodingPlan> {
    if (this.#fields === undefined) {
      const plans = jsonFields(this.#schema).map(({ name, schema }) => [name, encodingPlan(schema)] as const);
      this.#fields = new Map(plans.filter((entry): entry is readonly [string, EncodingPlan] => entry[1] !== undefined));
    }
    return this.#fields;
  }

  /** Returns the plan of the field by which JSON represents the struct. Undefined when the field needs no plan. */
  untagged(value: unknown): EncodingPlan | undefined {
    const field = untaggedField(this.#schema, value);
    return field === undefined ? undefined : encodingPlan(field.schema);
  }

  get isUntagged(): boolean {
    return this.#schema.untagged === true;
  }
}

const plans = new WeakMap<Schema, EncodingPlan>();
const plain = new WeakSet<Schema>();

/** Returns undefined when the schema adds no information, as for most types. */
export function encodingPlan(schema: Schema): EncodingPlan | undefined {
  if (plain.has(schema)) return undefined;
  let plan = plans.get(schema);
  if (plan === undefined) {
    const seen = new Set<Schema>();
    if (needsPlan(schema, seen)) {
      plan = makePlan(schema);
      plans.set(schema, plan);
    } else {
      // The types reachable from this one need no plan either.
      for (const each of seen) plain.add(each);
    }
  }
  return plan;
}

function needsPlan(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  switch (schema.type) {
    case 'scalar':
      return schema.kind === 'bytes' || schema.kind === 'float64';
    case 'list':
      return needsPlan(schema.items, seen);
    case 'map':
      return needsPlan(schema.values, seen);
    case 'struct':
      return schema.fields.some((field) => needsPlan(field.schema, seen));
  }
}

/** The schema must be one that needs a plan. */
function makePlan(schema: Schema): EncodingPlan {
  switch (schema.type) {
    case 'scalar':
      return schema.kind === 'bytes' ? { type: 'bytes' } : { type: 'float' };
    case 'list':
      return { type: 'elements', element: encodingPlan(schema.items)! };
    case 'map':
      return { type: 'elements', element: encodingPlan(schema.values)! };
    case 'struct':
      return new StructPlan(schema);
  }
}
