import { forbiddenValue, requiredValue } from '../../../meta/field-error.ts';
import { validateAnnotations, validateLabels } from '../../../meta/validate-labels.ts';
import type { ClaimTemplate } from './pod-shapes.ts';
import type { Errors } from './text-rules.ts';

/** The claim that is made for one pod: a spec, and of metadata only what is copied. */
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
  validateClaimSpec(template.spec ?? {}, `${field}.spec`, errors);
}

function validateClaimSpec(spec: NonNullable<ClaimTemplate['spec']>, field: string, errors: Errors): void {
  const { accessModes, resources } = spec as { accessModes?: string[]; resources?: { requests?: object } };
  if (!accessModes?.length) {
    errors.push(requiredValue(`${field}.accessModes`, 'at least 1 access mode is required'));
  }
  if (!Object.hasOwn(resources?.requests ?? {}, 'storage')) {
    errors.push(requiredValue(`${field}.resources[storage]`));
  }
}
