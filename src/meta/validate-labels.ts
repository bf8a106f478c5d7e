import { type FieldError, invalidValue, tooLong } from './field-error.ts';
import { annotationKeyErrors, labelKeyErrors, labelValueErrors } from './label-syntax.ts';

const maxAnnotationBytes = 256 * 1024;

/** The errors have the path of the map, without the key. The message shows the key or value. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key in labels) {
    const value = labels[key]!;
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
  let length = 0;
  for (const key in annotations) {
    length += key.length + annotations[key]!.length;
    for (const detail of annotationKeyErrors(key)) errors.push(invalidValue(field, key, detail));
  }
  // A UTF-16 code unit takes at most three bytes, so that most maps need no exact count.
  if (length * 3 > maxAnnotationBytes && byteLength(annotations!) > maxAnnotationBytes) {
    errors.push(tooLong(field, maxAnnotationBytes));
  }
  return errors;
}

function byteLength(annotations: Readonly<Record<string, string>>): number {
  let size = 0;
  for (const key in annotations) size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key]!);
  return size;
}
