import { DecodeError } from '../../meta/decode-error.ts';
import type { Field, Schema, StructSchema } from '../model.ts';
import { jsonTypeOf } from './type-mismatch.ts';

/**
 * Returns the field of an untagged struct that has the JSON type of the value. Returns undefined when there is none:
 * Kubernetes drops such a value. Throws instead if one of the fields is a boolean.
 */
export function untaggedField({ fields }: StructSchema, value: unknown): Field | undefined {
  const found = jsonTypeOf(value);
  const field = fields.find((candidate) => jsonTypeFor(candidate.schema) === found);
  if (field === undefined && fields.some((candidate) => jsonTypeFor(candidate.schema) === 'bool')) {
    throw new DecodeError('boolean or JSON schema expected');
  }
  return field;
}

function jsonTypeFor(schema: Schema): string {
  switch (schema.type) {
    case 'list':
      return 'array';
    case 'struct':
    case 'map':
      return 'object';
    case 'scalar':
      return schema.kind;
  }
}
