import { type FieldError, forbiddenValue } from '../../../meta/field-error.ts';
import { validateAnnotations, validateLabels } from '../../../meta/validate-labels.ts';
import type { PodTemplateSpec } from '../pod-types.ts';
import { validatePodAnnotations, validateSeccompMatches } from './pod-annotation-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';
import { templateWarnings } from './pod-warnings.ts';

const templateOwner = { isPod: false };

/** Validates labels, annotations and spec, in this order. Expects that the defaults are set. */
export function validatePodTemplate(template: unknown, path: string): FieldError[] {
  const { metadata, spec = {} } = (template ?? {}) as PodTemplateSpec;
  const errors = [
    ...validateLabels(metadata?.labels, `${path}.labels`),
    ...validateAnnotations(metadata?.annotations, `${path}.annotations`),
  ];
  if (metadata?.annotations !== undefined) {
    validatePodAnnotations(metadata.annotations, `${path}.annotations`, { spec, errors });
  }
  validatePodSpec(spec, `${path}.spec`, { owner: templateOwner, errors });
  if (metadata?.annotations !== undefined) {
    validateSeccompMatches(metadata.annotations, spec, { field: `${path}.spec`, errors });
  }
  if (spec.ephemeralContainers?.length) {
    const detail = 'ephemeral containers not allowed in pod template';
    errors.push(forbiddenValue(`${path}.spec.ephemeralContainers`, detail));
  }
  return errors;
}

/** Expects a valid template. */
export function podTemplateWarnings(template: unknown, path: string): string[] {
  const { metadata, spec } = (template ?? {}) as PodTemplateSpec;
  return spec === undefined ? [] : templateWarnings(spec, metadata?.annotations ?? {}, path);
}
