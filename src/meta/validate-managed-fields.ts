import { type FieldError, invalidValue, tooLong } from './field-error.ts';
import { validateFieldManager } from './field-manager.ts';

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
