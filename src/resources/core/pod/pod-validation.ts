import { type FieldError, forbiddenValue } from '../../../meta/field-error.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import type { PodSpec } from '../pod-types.ts';
import { validateImageSpaces } from './container-validation.ts';
import type { Errors } from './field-checks.ts';
import {
  validateAppArmorMatches,
  validatePodAnnotations,
  validateSeccompMatches,
} from './pod-annotation-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';

export function validatePod(pod: ResourceObject): FieldError[] {
  const errors: FieldError[] = [];
  validatePodContent(pod, errors);
  const spec = (pod.spec ?? {}) as PodSpec;
  if (spec.ephemeralContainers?.length) {
    errors.push(forbiddenValue('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (spec.nodeName && spec.schedulingGates?.length) {
    errors.push(forbiddenValue('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  const { annotations } = pod.metadata;
  if (annotations !== undefined) {
    validateSeccompMatches(annotations, spec, { field: 'spec', errors });
    validateAppArmorMatches(annotations, spec, { field: 'spec', errors });
  }
  return errors;
}

/** Checks that apply to both creates and updates. */
export function validatePodContent(pod: ResourceObject, errors: Errors): void {
  const { annotations, name } = pod.metadata;
  const spec = (pod.spec ?? {}) as PodSpec;
  if (annotations !== undefined) validatePodAnnotations(annotations, 'metadata.annotations', { spec, errors });
  validatePodSpec(spec, 'spec', { owner: { isPod: true, podName: name }, errors });
  if (!spec.serviceAccountName) validateNoTokens(spec, errors);
  for (const kind of ['containers', 'initContainers'] as const) {
    const containers = spec[kind] ?? [];
    for (let index = 0; index < containers.length; index++) {
      validateImageSpaces(containers[index]!, `spec.${kind}[${index}]`, errors);
    }
  }
}

/** A pod without a service account cannot mount a service account token. */
function validateNoTokens({ volumes }: PodSpec, errors: Errors): void {
  for (const [index, { projected }] of (volumes ?? []).entries()) {
    for (const [sourceIndex, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
      if (serviceAccountToken === undefined) continue;
      const path = `spec.volumes[${index}].projected.sources[${sourceIndex}].serviceAccountToken`;
      errors.push(forbiddenValue(path, 'must not be specified when serviceAccountName is not set'));
    }
  }
}
