import type { Field, StructSchema } from '../model.ts';

/** Returns the fields of the JSON object in order, including those of inline structs. */
export function jsonFields(schema: StructSchema): Field[] {
  return schema.fields.flatMap((field) =>
    field.inline === true && field.schema.type === 'struct' ? jsonFields(field.schema) : [field],
  );
}

const fieldsOf = new WeakMap<StructSchema, ReadonlyMap<string, Field>>();

/** Returns the fields of the JSON object by name. */
export function fieldsByName(schema: StructSchema): ReadonlyMap<string, Field> {
  let fields = fieldsOf.get(schema);
  if (fields === undefined) {
    fields = new Map(jsonFields(schema).map((field) => [field.name, field]));
    fieldsOf.set(schema, fields);
  }
  return fields;
}
