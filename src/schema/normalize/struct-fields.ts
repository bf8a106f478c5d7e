import type { Field, StructSchema } from '../model.ts';

/** The fields that stand in the JSON object, in order: those of inline structs directly among the others. */
export function jsonFields(schema: StructSchema): Field[] {
  return schema.fields.flatMap((field) =>
    field.inline === true && field.schema.type === 'struct' ? jsonFields(field.schema) : [field],
  );
}
