import type { StructSchema } from '../../schema/model.ts';

/**
 * Returns the message of a value that JSON represents by its only set field: the inverse of `untaggedValue`. For types
 * with a boolean field, an object implies true.
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
