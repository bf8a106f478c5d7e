import { type FieldError, invalidValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';

const maxParameters = 512;
const maxParametersBytes = 256 * 1024;

export type Parameters = Readonly<Record<string, string>>;

/** Validates the parameters of a class for its provisioner or driver. */
export function validateParameters(parameters: Parameters | undefined, field: string): FieldError[] {
  const entries = Object.entries(parameters ?? {});
  if (entries.length > maxParameters) return [tooLong(field, maxParameters)];
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of entries) {
    if (key === '') errors.push(invalidValue(field, key, 'field can not be empty.'));
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > maxParametersBytes) errors.push(tooLong(field, maxParametersBytes));
  return errors;
}

/** A provisioner name has the syntax of a label key, but its case does not matter. */
export function validateProvisioner(name: string, field: string): FieldError[] {
  if (name === '') return [requiredValue(field)];
  const lowered = name.toLowerCase();
  return labelKeyErrors(lowered).map((detail) => invalidValue(field, lowered, detail));
}
