import type { FieldError } from '../../meta/field-error.ts';

/** For errors about values that are too large to print. */
export function invalidWithoutValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
}
