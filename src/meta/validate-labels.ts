import { type FieldError, invalidValue, tooLong } from './field-error.ts';
import { annotationKeyErrors, labelKeyErrors, labelValueErrors } from './label-syntax.ts';

const maximumAnnotationBytes = 256 * 1024;

/** The findings name the map and show the key or value; the path has no key. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    for (const detail of labelKeyErrors(key)) errors.push(invalidValue(field, key, detail));
    for (const detail of labelValueErrors(value)) errors.push(invalidValue(field, value, detail));
  }
  return errors;
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
    for (const detail of annotationKeyErrors(key)) errors.push(invalidValue(field, key, detail));
  }
  if (size > maximumAnnotationBytes) errors.push(tooLong(field, maximumAnnotationBytes));
  return errors;
}
