import type { Field, StructSchema } from '../model.ts';

/** Returns the fields of the JSON object in order, including those of inline structs. */
export function jsonFields(schema: StructSchema): Field[] {
  return schema.fields.flatMap((field) =>
    field.inline === true && field.schema.type === 'struct' ? jsonFields(field.schema) : [field],
  );
}
