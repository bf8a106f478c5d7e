import type { StructSchema } from '../../schema/model.ts';

/**
 * The message of a value that is in JSON whatever its set field is: the opposite of `untaggedValue`. Where a boolean
 * could stand, an object means that it is true.
 */
export function untaggedMessage({ fields }: StructSchema, value: unknown): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  const isObject = typeof value === 'object' && value !== null;
  for (const { name, schema } of fields) {
    if (schema.type === 'scalar') message[name] = isObject || value;
    else if (isObject && (schema.type === 'list') === Array.isArray(value)) message[name] = value;
  }
  return message;
}
