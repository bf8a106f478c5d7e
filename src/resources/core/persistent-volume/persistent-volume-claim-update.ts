import { type FieldError, forbiddenValue, invalidValue } from '../../../meta/field-error.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { internalValue } from '../../validation/internal-value.ts';
import { jsonDiff } from '../../validation/json-diff.ts';
import { compareQuantityTexts } from '../../validation/quantities.ts';
import { isSameOfType } from '../../validation/same-of-type.ts';
import type { PersistentVolumeClaimStatus } from '../persistent-volume-claim-types.ts';
import { PersistentVolumeClaimSpec } from '../persistent-volume-claim-types.ts';
import { normalizeDataSources } from './claim-data-sources.ts';

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** The spec of a claim is immutable, except for the size and the attributes class of a bound claim. */
export function validateClaimChange(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const before = { ...specOf(oldObject) };
  const after = { ...specOf(next) };
  // An object that an older server wrote may lack the copied source. The copy must not count as a change.
  normalizeDataSources(before, before);
  const errors = acceptExpectedChanges({ next, oldObject, before, after });
  if (!isSameOfType(PersistentVolumeClaimSpec, before, after)) {
    const [left, right] = [before, after].map((spec) => internalValue(PersistentVolumeClaimSpec, spec));
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(forbiddenValue('spec', `${detail}\n${jsonDiff(left, right)}`));
  }
  errors.push(...validateSizeChange(next, oldObject));
  const { volumeMode } = specOf(next);
  if (volumeMode !== specOf(oldObject).volumeMode) {
    errors.push(invalidValue('volumeMode', volumeMode, 'field is immutable'));
  }
  errors.push(...validateAttributesClassRemoval(next, oldObject));
  return errors;
}

/** An attributes class that has been applied to the volume can be replaced, but not removed. */
function validateAttributesClassRemoval(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const { currentVolumeAttributesClassName: current } =
    (oldObject.status as PersistentVolumeClaimStatus | undefined) ?? {};
  const name = specOf(next).volumeAttributesClassName;
  if (current === undefined || name || name === specOf(oldObject).volumeAttributesClassName) return [];
  const state = name === undefined ? 'nil' : 'empty string';
  const detail = `update to ${state} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  return [forbiddenValue('spec.volumeAttributesClassName', detail)];
}

interface ClaimChange {
  readonly next: ResourceObject;
  readonly oldObject: ResourceObject;
  /** Copies of the specs. Fields whose change is allowed are made equal in both. */
  readonly before: PersistentVolumeClaimSpec;
  readonly after: PersistentVolumeClaimSpec;
}

function acceptExpectedChanges({ next, oldObject, before, after }: ClaimChange): FieldError[] {
  const errors: FieldError[] = [];
  if (!before.volumeName) before.volumeName = after.volumeName;
  const oldAnnotation = oldObject.metadata.annotations?.[classAnnotation] ?? '';
  const newAnnotation = next.metadata.annotations?.[classAnnotation] ?? '';
  if (isMovedToField({ before, after, oldAnnotation, newAnnotation })) after.storageClassName = undefined;
  else {
    if (oldAnnotation !== newAnnotation) {
      errors.push(invalidValue(`metadata.annotations.${classAnnotation}`, newAnnotation, 'field is immutable'));
    }
    // A claim without a class gets one when the cluster gets a default class.
    const annotated = oldObject.metadata.annotations?.[classAnnotation] ?? after.storageClassName;
    if (before.storageClassName === undefined && after.storageClassName === annotated) {
      after.storageClassName = undefined;
    }
  }
  if ((next.status as PersistentVolumeClaimStatus | undefined)?.phase === 'Bound') {
    const requests = after.resources?.requests;
    const storage = before.resources?.requests?.storage;
    if (requests !== undefined && storage !== undefined) {
      after.resources = { ...after.resources, requests: { ...requests, storage } };
    }
    after.volumeAttributesClassName = before.volumeAttributesClassName;
  }
  return errors;
}

interface ClassMove {
  readonly before: PersistentVolumeClaimSpec;
  readonly after: PersistentVolumeClaimSpec;
  readonly oldAnnotation: string;
  readonly newAnnotation: string;
}

/** The class name moved unchanged from the annotation to the field. */
function isMovedToField({ before, after, oldAnnotation, newAnnotation }: ClassMove): boolean {
  return (
    before.storageClassName === undefined &&
    after.storageClassName !== undefined &&
    oldAnnotation !== '' &&
    oldAnnotation === after.storageClassName &&
    (newAnnotation === '' || newAnnotation === oldAnnotation)
  );
}

/** After a failed expansion the requested size may decrease, but not below the actual capacity. */
function validateSizeChange(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const oldSize = specOf(oldObject).resources?.requests?.storage ?? '0';
  const newSize = specOf(next).resources?.requests?.storage ?? '0';
  if (compareQuantityTexts(newSize, oldSize) >= 0) return [];
  const present = (oldObject.status as PersistentVolumeClaimStatus | undefined)?.capacity?.storage ?? '0';
  if (compareQuantityTexts(newSize, present) > 0) return [];
  return [forbiddenValue('spec.resources.requests.storage', 'field can not be less than status.capacity')];
}

function specOf({ spec }: ResourceObject): PersistentVolumeClaimSpec {
  return (spec as PersistentVolumeClaimSpec | undefined) ?? {};
}
