import { type FieldError, invalidValue, tooLong } from './field-error.ts';

const maxSubresourceLength = 256;

interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly fieldsType?: string;
  readonly subresource?: string;
}

/** Checks the form of the entries. Their field sets are checked when they are decoded. */
export function validateManagedFields(entries: readonly unknown[] | undefined, field: string): FieldError[] {
  return (entries ?? []).flatMap((entry, index) => entryErrors(entry as ManagedFieldsEntry, `${field}[${index}]`));
}

function entryErrors(entry: ManagedFieldsEntry, field: string): FieldError[] {
  const { manager = '', operation = '', fieldsType = '', subresource = '' } = entry;
  const errors: FieldError[] = [];
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalidValue(`${field}.operation`, operation, 'must be `Apply` or `Update`'));
  }
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalidValue(`${field}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(manager, `${field}.manager`));
  if (Buffer.byteLength(subresource) > maxSubresourceLength) {
    errors.push(tooLong(`${field}.subresource`, maxSubresourceLength));
  }
  return errors;
}

const maxManagerLength = 128;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/**
 * Checks that a field manager's name is short and printable. Accepts the empty name; callers that require a name check
 * for it themselves.
 */
export function validateFieldManager(manager: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (Buffer.byteLength(manager) > maxManagerLength) errors.push(tooLong(field, maxManagerLength));
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
