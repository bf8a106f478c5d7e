import type { Field, Schema, StructSchema } from './model.ts';
import { fieldsValidatedByTypes, structsValidatedByTypes } from './rules-validated-by-types.ts';

/** Zero and false are not empty, because they cannot be distinguished from values that were set explicitly. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Rule {
  readonly field: Field;
  /** Whether the field itself has rules. */
  readonly ruled: boolean;
  /** Whether its value contains fields with rules. */
  readonly inside: boolean;
  readonly inline: boolean;
}

/** A nonempty placeholder while the rules of a struct are being collected. */
const pending: readonly Rule[] = [{} as Rule];
const rules = new WeakMap<StructSchema, readonly Rule[]>();

/** Returns the fields of a struct that have rules or contain fields that have rules. */
export function rulesOf(schema: StructSchema): readonly Rule[] {
  let found = rules.get(schema);
  if (found === undefined) {
    // Set first, because a recursive type is looked up again during the search. It must then count as having rules.
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

const isLeftOut = ({ name, untagged }: StructSchema): boolean => untagged === true || structsValidatedByTypes.has(name);

function isRuled(owner: StructSchema, { name, required, enum: choice }: Field): boolean {
  return (required === true || choice !== undefined) && !fieldsValidatedByTypes.has(`${owner.name}.${name}`);
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
