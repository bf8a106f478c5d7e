import { type FieldError, forbiddenValue } from '../../../meta/field-error.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import type { SubresourceRules } from '../../../registry/resource-definition.ts';
import { internalValue } from '../../validation/internal-value.ts';
import { jsonDiff } from '../../validation/json-diff.ts';
import { isSameOfType } from '../../validation/same-of-type.ts';
import type { Container } from '../container-types.ts';
import { EphemeralContainer } from '../container-types.ts';
import type { PodSpec } from '../pod-types.ts';
import { mirrorAnnotation } from './pod-annotation-validation.ts';
import { validatePodContent } from './pod-validation.ts';

/** Debug containers can be added to a running pod. They cannot be changed or removed afterwards. */
export const ephemeralContainersRules: SubresourceRules = {
  countsGeneration: true,
  checks: ['metadataChange', 'metadata', 'change'],
  prepare(sent, oldObject) {
    const { ephemeralContainers } = (sent.spec ?? {}) as PodSpec;
    return { ...oldObject, spec: { ...(oldObject.spec as object), ephemeralContainers } };
  },
  validate(next, oldObject) {
    const errors: FieldError[] = [];
    validatePodContent(next, errors);
    if (next.metadata.annotations?.[mirrorAnnotation] !== undefined) {
      errors.push(forbiddenValue('[]', 'static pods do not support ephemeral containers'));
    }
    errors.push(...changeErrors(containersOf(next), containersOf(oldObject)));
    return errors;
  },
};

function containersOf(pod: ResourceObject): readonly Container[] {
  return ((pod.spec ?? {}) as PodSpec).ephemeralContainers ?? [];
}

function changeErrors(next: readonly Container[], oldContainers: readonly Container[]): FieldError[] {
  const byName = new Map(next.map((container) => [container.name, container]));
  return oldContainers.flatMap((previous) => {
    const present = byName.get(previous.name);
    if (present !== undefined && isSameOfType(EphemeralContainer, present, previous)) return [];
    const what = present === undefined ? 'removed' : 'changed';
    const diff =
      present && jsonDiff(internalValue(EphemeralContainer, previous), internalValue(EphemeralContainer, present));
    const detail = `existing ephemeral containers "${previous.name}" may not be ${what}\n${diff ?? ''}`;
    return [forbiddenValue('spec.ephemeralContainers', detail)];
  });
}
