import { type FieldError, invalidValue, requiredValue, tooLong } from '../../../meta/field-error.ts';
import { dnsSubdomainErrors } from '../../../meta/names.ts';

const maxNameLength = 63;

/** Validates the name of a CSI driver or a device driver. Names are not case-sensitive. */
export function validateDriverName(name: string, field: string): FieldError[] {
  if (name === '') return [requiredValue(field)];
  const errors = Buffer.byteLength(name) > maxNameLength ? [tooLong(field, maxNameLength)] : [];
  for (const detail of dnsSubdomainErrors(name.toLowerCase())) errors.push(invalidValue(field, name, detail));
  return errors;
}
