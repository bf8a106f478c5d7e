import { type FieldError, forbiddenValue } from '../../meta/field-error.ts';
import { validateAnnotations, validateLabels } from '../../meta/validate-labels.ts';
import { isExplicitEmpty } from '../../schema/explicit-empty.ts';
import { ObjectMeta } from '../../schema/meta-types.ts';

/**
 * Validates the metadata of a template for claims. Only labels and annotations are copied to the claim, so nothing else
 * may be set.
 */
export function validateTemplateMetadata(metadata: ObjectMeta | undefined, field: string): FieldError[] {
  const { labels, annotations } = metadata ?? {};
  const errors = [
    ...validateAnnotations(annotations, `${field}.annotations`),
    ...validateLabels(labels, `${field}.labels`),
  ];
  for (const { name } of ObjectMeta.fields) {
    if (name === 'labels' || name === 'annotations') continue;
    // An empty list also counts.
    if (metadata?.[name as keyof ObjectMeta] === undefined && !isExplicitEmpty(metadata, name)) continue;
    // kube-apiserver uses the name of the Go field in the path.
    errors.push(forbiddenValue(`${field}.${name === 'uid' ? 'uID' : name}`, 'cannot be set'));
  }
  return errors;
}
