import { type FieldError, invalidValue, tooLong } from './field-error.ts';

const maxLength = 128;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/**
 * Checks that a field manager's name is short and printable. Accepts the empty name; callers that require a name check
 * for it themselves.
 */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > maxLength) errors.push(tooLong(field, maxLength));
  if (printable.test(manager)) return errors;
  let position = 0;
  for (const character of manager) {
    if (!printable.test(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidValue(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}
