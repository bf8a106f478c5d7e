import type { Schema, StructSchema } from './model.ts';
import { isEmpty, isObject, rulesOf } from './schema-rules.ts';

type Check = (value: unknown) => boolean;

const checks = new WeakMap<StructSchema, { readonly part: Check; readonly whole: Check }>();

/**
 * Whether a value breaks none of its schema's rules; `validateSchemaRules` finds out which. Compiled on first use. The status
 * of a whole object is left alone.
 */
export function obeysRules(schema: StructSchema, value: unknown, isWhole: boolean): boolean {
  const { part, whole } = checksOf(schema);
  return isWhole ? whole(value) : part(value);
}

function checksOf(schema: StructSchema) {
  let found = checks.get(schema);
  if (found === undefined) {
    // Types may contain themselves, so what is inside is looked up when it is needed.
    found = { part: structCheck(schema, () => true), whole: structCheck(schema, (name) => name !== 'status') };
    checks.set(schema, found);
  }
  return found;
}

function structCheck(schema: StructSchema, isChecked: (name: string) => boolean): Check {
  const fields = rulesOf(schema)
    .filter(({ field }) => isChecked(field.name))
    .map(({ field, ruled, inside, inline }) => ({
      name: field.name,
      inline,
      required: ruled && field.required === true,
      choice: ruled && field.enum !== undefined ? new Set<unknown>(field.enum) : undefined,
      inside: inside ? valueCheck(field.schema) : undefined,
    }));
  return (value) => {
    if (!isObject(value)) return true;
    for (const { name, inline, required, choice, inside } of fields) {
      const given = inline ? value : value[name];
      if (isEmpty(given)) {
        if (required) return false;
        continue;
      }
      if (choice !== undefined && !isChosen(choice, given)) return false;
      if (inside !== undefined && !inside(given)) return false;
    }
    return true;
  };
}

function isChosen(choice: ReadonlySet<unknown>, given: unknown): boolean {
  return Array.isArray(given) ? given.every((element) => choice.has(element)) : choice.has(given);
}

function valueCheck(schema: Schema): Check {
  switch (schema.type) {
    case 'scalar':
      return () => true;
    case 'struct':
      return (value) => checksOf(schema).part(value);
    case 'list': {
      const item = valueCheck(schema.items);
      return (value) => !Array.isArray(value) || value.every(item);
    }
    case 'map': {
      const member = valueCheck(schema.values);
      return (value) => !isObject(value) || Object.values(value).every(member);
    }
  }
}
