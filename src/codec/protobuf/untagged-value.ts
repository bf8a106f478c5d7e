import type { StructSchema } from '../../schema/model.ts';

/**
 * Returns the JSON form of a message that JSON represents by its only set field: the list (an empty one is not on the
 * wire), the object or, with neither, the boolean of the types that have one, whose zero value is false. Returns null
 * when nothing is set.
 */
export function untaggedValue({ fields }: StructSchema, message: Readonly<Record<string, unknown>>): unknown {
  const named = (type: string): string | undefined => fields.find(({ schema }) => schema.type === type)?.name;
  const list = message[named('list') ?? ''];
  if (list !== undefined) return list;
  const object = message[named('struct') ?? ''];
  if (object !== undefined) return object;
  const scalar = named('scalar');
  return scalar === undefined ? null : (message[scalar] ?? false);
}
