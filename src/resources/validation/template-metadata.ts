import { type FieldError, forbiddenValue } from '../../meta/field-error.ts';
import type { ObjectMeta } from '../../meta/object.ts';
import { validateAnnotations, validateLabels } from '../../meta/validate-labels.ts';

/**
 * Validates the metadata of a template for claims. Only labels and annotations are copied to the claim, so nothing else
 * may be set.
 */
export function validateTemplateMetadata(metadata: Partial<ObjectMeta> | undefined, field: string): FieldError[] {
  const { labels, annotations, ...others } = metadata ?? {};
  const errors = [
    ...validateAnnotations(annotations, `${field}.annotations`),
    ...validateLabels(labels, `${field}.labels`),
  ];
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined || value === null) continue;
    // kube-apiserver makes the path from the name of the Go field.
    errors.push(forbiddenValue(`${field}.${name === 'uid' ? 'uID' : name}`, 'cannot be set'));
  }
  return errors;
}
