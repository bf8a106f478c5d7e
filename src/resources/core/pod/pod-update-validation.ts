import { type FieldError, forbiddenValue, invalidValue, requiredValue } from '../../../meta/field-error.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { internalValue } from '../../validation/internal-value.ts';
import { jsonDiff } from '../../validation/json-diff.ts';
import { isSameOfType } from '../../validation/same-of-type.ts';
import { validateTolerations } from '../../validation/tolerations.ts';
import type { Container } from '../container-types.ts';
import { PodSpec } from '../pod-types.ts';
import type { Toleration } from '../scheduling-types.ts';
import { validateImageSpaces } from './container-validation.ts';
import type { Errors } from './field-checks.ts';
import { validateGatedChanges } from './gated-pod-validation.ts';
import { validateAnnotationChanges, validatePodAnnotations } from './pod-annotation-validation.ts';
import { validatePodContent } from './pod-validation.ts';
import { isSemanticallyEqual } from './semantic-equality.ts';

const maxInt32 = 2_147_483_647;
const changeableFields = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

/** Rejects changes of all but the few mutable fields of a pod spec. */
export function validatePodUpdate(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const errors: FieldError[] = [];
  validatePodContent(next, errors);
  const spec = (next.spec ?? {}) as PodSpec;
  const previous = (oldObject.spec ?? {}) as PodSpec;
  const annotations = next.metadata.annotations ?? {};
  const field = 'metadata.annotations';
  validateAnnotationChanges(annotations, oldObject.metadata.annotations ?? {}, { field, errors });
  validatePodAnnotations(annotations, field, { spec, errors });
  if (!validateImages(spec.containers, previous.containers, { field: 'spec.containers', errors })) return errors;
  if (!validateImages(spec.initContainers, previous.initContainers, { field: 'spec.initContainers', errors })) {
    return errors;
  }
  if (!validateDeadline(spec, previous, errors)) return errors;
  validateAddedTolerations(spec.tolerations, previous.tolerations, errors);
  validateDeletedGates(spec, previous, errors);
  if (isSameOfType(PodSpec, spec, previous)) return errors;
  const kept = withChangeable(spec, previous);
  if (previous.schedulingGates?.length) validateGatedChanges(kept, previous, errors);
  if (!isSameOfType(PodSpec, kept, previous)) {
    const diff = jsonDiff(internalValue(PodSpec, previous), internalValue(PodSpec, kept));
    const detail = `pod updates may not change fields other than ${changeableFields.join(',')}\n${diff}`;
    errors.push(forbiddenValue('spec', detail));
  }
  return errors;
}

/** Returns false when the lists cannot be compared, and validation must stop. */
function validateImages(
  next: readonly Container[] | null | undefined,
  oldContainers: readonly Container[] | null | undefined,
  { field, errors }: { readonly field: string; readonly errors: Errors },
): boolean {
  if ((next?.length ?? 0) !== (oldContainers?.length ?? 0)) {
    errors.push(forbiddenValue(field, 'pod updates may not add or remove containers'));
    return false;
  }
  for (const [index, container] of (next ?? []).entries()) {
    if (!container.image) errors.push(requiredValue(`${field}[${index}].image`));
    validateImageSpaces(container, `${field}[${index}]`, errors);
  }
  return true;
}

/** A deadline can be set and decreased, but not removed. Returns false when validation must stop. */
function validateDeadline(
  { activeDeadlineSeconds: next }: PodSpec,
  { activeDeadlineSeconds: old }: PodSpec,
  errors: Errors,
): boolean {
  const field = 'spec.activeDeadlineSeconds';
  if (next === undefined) {
    if (old !== undefined) {
      errors.push(invalidValue(field, undefined, 'must not update from a positive integer to nil value'));
    }
    return true;
  }
  if (next < 0 || next > maxInt32) {
    errors.push(invalidValue(field, next, `must be between 0 and ${maxInt32}, inclusive`));
    return false;
  }
  if (old !== undefined && old < next) {
    errors.push(invalidValue(field, next, 'must be less than or equal to previous value'));
    return false;
  }
  return true;
}

function validateAddedTolerations(
  next: readonly Toleration[] = [],
  oldTolerations: readonly Toleration[] = [],
  errors: Errors,
): void {
  for (const old of oldTolerations) {
    const isKept = next.some((one) => isSemanticallyEqual(one, { ...old, tolerationSeconds: one.tolerationSeconds }));
    if (isKept) continue;
    const detail = 'existing toleration can not be modified except its tolerationSeconds';
    errors.push(forbiddenValue('spec.tolerations', detail));
    return;
  }
  errors.push(...validateTolerations(next, 'spec.tolerations'));
}

function validateDeletedGates(
  { schedulingGates: next = [] }: PodSpec,
  { schedulingGates: old = [] }: PodSpec,
  errors: Errors,
): void {
  const known = new Set(old.map(({ name }) => name));
  for (const [index, { name = '' }] of next.entries()) {
    if (known.has(name)) continue;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    errors.push(forbiddenValue(`spec.schedulingGates[${index}].name`, detail));
  }
}

/** Returns the new spec with the old values of the mutable fields. */
function withChangeable(spec: PodSpec, oldSpec: PodSpec): PodSpec {
  const restored: PodSpec = {
    ...spec,
    containers: withImages(spec.containers ?? undefined, oldSpec.containers ?? undefined),
    initContainers: withImages(spec.initContainers, oldSpec.initContainers),
    activeDeadlineSeconds: oldSpec.activeDeadlineSeconds,
    schedulingGates: oldSpec.schedulingGates,
    tolerations: oldSpec.tolerations,
  };
  const { terminationGracePeriodSeconds: seconds } = oldSpec;
  if (seconds !== undefined && seconds < 0 && spec.terminationGracePeriodSeconds === 1) {
    restored.terminationGracePeriodSeconds = seconds;
  }
  return restored;
}

function withImages(
  containers: readonly Container[] | undefined,
  oldContainers: readonly Container[] | undefined,
): Container[] | undefined {
  return containers?.map((container, index) => ({ ...container, image: oldContainers?.[index]?.image }));
}
