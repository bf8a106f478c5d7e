import type { FieldError } from '../../meta/field-error.ts';

/** Creates an error about a value that is too large to print. */
export function invalidWithoutValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
}
