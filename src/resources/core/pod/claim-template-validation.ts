import { forbiddenValue, requiredValue } from '../../../meta/field-error.ts';
import { validateAnnotations, validateLabels } from '../../../meta/validate-labels.ts';
import { validateClaimSpec } from '../persistent-volume/persistent-volume-claim-validation.ts';
import type { ClaimTemplate } from './pod-shapes.ts';
import type { Errors } from './text-rules.ts';

/** The metadata of a claim template may contain only labels and annotations, which are copied to the claim. */
export function validateClaimTemplate(template: ClaimTemplate | undefined, field: string, errors: Errors): void {
  if (template === undefined) {
    errors.push(requiredValue(field));
    return;
  }
  const { labels, annotations, ...others } = template.metadata ?? {};
  errors.push(
    ...validateAnnotations(annotations, `${field}.metadata.annotations`),
    ...validateLabels(labels, `${field}.metadata.labels`),
  );
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined && value !== null) {
      errors.push(forbiddenValue(`${field}.metadata.${name}`, 'cannot be set'));
    }
  }
  errors.push(...validateClaimSpec(template.spec ?? {}, `${field}.spec`));
}
