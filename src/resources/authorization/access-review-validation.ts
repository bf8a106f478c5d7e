import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { ObjectMeta, ResourceObject } from '../../meta/object.ts';
import { internalValue } from '../validation/internal-value.ts';
import type { SubjectAccessReviewSpec } from './access-review-types.ts';
import { NonResourceAttributes } from './access-review-types.ts';
import { validateFieldSelectorAttributes, validateLabelSelectorAttributes } from './selector-attributes-validation.ts';

export function validateSubjectAccessReview(review: ResourceObject): FieldError[] {
  return [...specErrors(specOf(review), { namesSubject: true }), ...metadataErrors(review.metadata)];
}

export function validateSelfSubjectAccessReview(review: ResourceObject): FieldError[] {
  return [...specErrors(specOf(review), { namesSubject: false }), ...metadataErrors(review.metadata)];
}

export function validateLocalSubjectAccessReview(review: ResourceObject): FieldError[] {
  const { metadata } = review;
  const spec = specOf(review);
  const errors = specErrors(spec, { namesSubject: true });
  if (hasOtherFields(metadata, ['namespace'])) {
    errors.push(invalidValue('metadata', metadata, 'must be empty except for namespace'));
  }
  const { resourceAttributes, nonResourceAttributes } = spec;
  const { namespace = '' } = resourceAttributes ?? {};
  if (resourceAttributes !== undefined && namespace !== (metadata.namespace ?? '')) {
    errors.push(invalidValue('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'));
  }
  if (nonResourceAttributes !== undefined) {
    errors.push(pathError(nonResourceAttributes, 'disallowed on this kind of request'));
  }
  return errors;
}

function specOf({ spec }: ResourceObject): SubjectAccessReviewSpec {
  return (spec ?? {}) as SubjectAccessReviewSpec;
}

function specErrors(spec: SubjectAccessReviewSpec, { namesSubject }: { namesSubject: boolean }): FieldError[] {
  const { resourceAttributes, nonResourceAttributes, user = '', groups = [] } = spec;
  const errors: FieldError[] = [];
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    errors.push(pathError(nonResourceAttributes, 'cannot be specified in combination with resourceAttributes'));
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalidValue('spec.resourceAttributes', null, detail));
  }
  if (namesSubject && user === '' && groups.length === 0) {
    errors.push(invalidValue('spec.user', user, 'at least one of user or group must be specified'));
  }
  const { fieldSelector, labelSelector } = resourceAttributes ?? {};
  validateFieldSelectorAttributes(fieldSelector, 'spec.resourceAttributes.fieldSelector', errors);
  validateLabelSelectorAttributes(labelSelector, 'spec.resourceAttributes.labelSelector', errors);
  return errors;
}

function pathError(
  attributes: NonNullable<SubjectAccessReviewSpec['nonResourceAttributes']>,
  detail: string,
): FieldError {
  return invalidValue('spec.nonResourceAttributes', internalValue(NonResourceAttributes, attributes), detail);
}

function metadataErrors(metadata: ObjectMeta): FieldError[] {
  return hasOtherFields(metadata, []) ? [invalidValue('metadata', metadata, 'must be empty')] : [];
}

/** Ignores `managedFields`, which the server sets. */
function hasOtherFields(metadata: ObjectMeta, allowed: readonly string[]): boolean {
  return Object.entries(metadata).some(
    ([field, value]) => value !== undefined && field !== 'managedFields' && !allowed.includes(field),
  );
}
