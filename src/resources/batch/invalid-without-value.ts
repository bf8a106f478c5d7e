import type { FieldError } from '../../meta/field-error.ts';

/** For findings about a whole that would be too much to show. */
export function invalidWithoutValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
}
