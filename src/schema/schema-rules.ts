import type { Field, Schema, StructSchema } from './model.ts';
import { fieldsLeftToTypes, structsLeftToTypes } from './rules-left-to-types.ts';

/** Zero numbers and false are no sign of absence: nothing tells them from a value that was given. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Rule {
  readonly field: Field;
  /** The field itself has rules. */
  readonly ruled: boolean;
  /** Its value has. */
  readonly inside: boolean;
  readonly inline: boolean;
}

/** Stands for "some" while the answer is being found. */
const pending: readonly Rule[] = [{} as Rule];
const rules = new WeakMap<StructSchema, readonly Rule[]>();

/** The fields of a struct that need a look, themselves or for what is inside. */
export function rulesOf(schema: StructSchema): readonly Rule[] {
  let found = rules.get(schema);
  if (found === undefined) {
    // Set first: a recursive type is asked for again while it is looked through, and must then count as worth a look.
    rules.set(schema, pending);
    found = isLeftOut(schema) ? [] : findRules(schema);
    rules.set(schema, found);
  }
  return found;
}

function findRules(schema: StructSchema): Rule[] {
  return schema.fields
    .map((field) => ({
      field,
      ruled: isRuled(schema, field),
      inside: hasRules(field.schema),
      inline: field.inline === true && field.schema.type === 'struct',
    }))
    .filter(({ ruled, inside }) => ruled || inside);
}

const isLeftOut = ({ name, untagged }: StructSchema): boolean => untagged === true || structsLeftToTypes.has(name);

function isRuled(owner: StructSchema, { name, required, enum: choice }: Field): boolean {
  return (required === true || choice !== undefined) && !fieldsLeftToTypes.has(`${owner.name}.${name}`);
}

function hasRules(schema: Schema): boolean {
  switch (schema.type) {
    case 'scalar':
      return false;
    case 'list':
      return hasRules(schema.items);
    case 'map':
      return hasRules(schema.values);
    case 'struct':
      return rulesOf(schema).length > 0;
  }
}
