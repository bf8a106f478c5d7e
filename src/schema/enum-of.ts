import type { StructSchema } from './model.ts';
import { fieldsByName } from './normalize/struct-fields.ts';
import type { TypeOf } from './type-of.ts';

/** Returns the values that the schema lists for a field, in the order in which errors name them. */
export function enumOf<Of extends StructSchema>(schema: Of, name: keyof TypeOf<Of> & string): readonly string[] {
  const values = fieldsByName(schema).get(name)?.enum;
  if (values === undefined) throw new TypeError(`${schema.name}.${name} has no enum`);
  return values;
}
