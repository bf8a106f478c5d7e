import { type FieldError, forbiddenValue, invalidValue } from '../../../meta/field-error.ts';
import { isSameValue } from '../../validation/immutable.ts';
import { internalValue } from '../../validation/internal-value.ts';
import { jsonDiff } from '../../validation/json-diff.ts';
import { isSameOfType } from '../../validation/same-of-type.ts';
import { PersistentVolumeSource } from '../persistent-volume-source-types.ts';
import { type PersistentVolumeSpec, VolumeNodeAffinity } from '../persistent-volume-types.ts';
import type { NodeSelectorRequirement } from '../scheduling-types.ts';
import { successorOf } from './deprecated-node-labels.ts';

/** Rejects changes of immutable fields. */
export function validateVolumeChange(next: PersistentVolumeSpec, oldSpec: PersistentVolumeSpec): FieldError[] {
  const errors: FieldError[] = [];
  const kept = withoutNewExpandSecret(next, oldSpec);
  if (!isSameOfType(PersistentVolumeSource, oldSpec, kept)) {
    const [before, after] = [oldSpec, kept].map((spec) => internalValue(PersistentVolumeSource, spec));
    const detail = `spec.persistentvolumesource is immutable after creation\n${jsonDiff(before, after)}`;
    errors.push(forbiddenValue('spec.persistentvolumesource', detail));
  }
  if (next.volumeMode !== oldSpec.volumeMode) {
    errors.push(invalidValue('volumeMode', next.volumeMode, 'field is immutable'));
  }
  errors.push(...validateAffinityChange(next.nodeAffinity, oldSpec.nodeAffinity));
  errors.push(...validateAttributesClassChange(next, oldSpec));
  return errors;
}

/** Adding an expansion secret is allowed, so an added one is not compared. */
function withoutNewExpandSecret(next: PersistentVolumeSpec, oldSpec: PersistentVolumeSpec): PersistentVolumeSpec {
  const added = oldSpec.csi?.controllerExpandSecretRef === undefined && oldSpec.csi !== undefined;
  if (!added || next.csi?.controllerExpandSecretRef === undefined) return next;
  return { ...next, csi: { ...next.csi, controllerExpandSecretRef: undefined } };
}

function validateAffinityChange(
  next: VolumeNodeAffinity | undefined,
  oldAffinity: VolumeNodeAffinity | undefined,
): FieldError[] {
  if (oldAffinity === undefined || isSameValue(next, withSuccessorLabels(oldAffinity, next))) return [];
  const shown = next === undefined ? null : internalValue(VolumeNodeAffinity, next);
  return [invalidValue('nodeAffinity', shown, 'field is immutable, except for updating from beta label to GA')];
}

/** Returns the old affinity with deprecated labels replaced wherever the new affinity has the successor. */
function withSuccessorLabels(
  oldAffinity: VolumeNodeAffinity,
  next: VolumeNodeAffinity | undefined,
): VolumeNodeAffinity {
  if (oldAffinity.required === undefined) return oldAffinity;
  const nextTerms = next?.required?.nodeSelectorTerms ?? [];
  const rename = (requirement: NodeSelectorRequirement, by: NodeSelectorRequirement | undefined) =>
    by?.key !== undefined && successorOf(requirement.key ?? '')?.use === by.key
      ? { ...requirement, key: by.key }
      : requirement;
  const nodeSelectorTerms = (oldAffinity.required.nodeSelectorTerms ?? []).map((term, index) => ({
    ...term,
    ...(term.matchExpressions !== undefined && {
      matchExpressions: term.matchExpressions.map((requirement, position) =>
        rename(requirement, nextTerms[index]?.matchExpressions?.[position]),
      ),
    }),
  }));
  return { ...oldAffinity, required: { ...oldAffinity.required, nodeSelectorTerms } };
}

function validateAttributesClassChange(
  next: { readonly volumeAttributesClassName?: string },
  old: { readonly volumeAttributesClassName?: string },
): FieldError[] {
  const name = next.volumeAttributesClassName;
  if (old.volumeAttributesClassName === undefined || name === old.volumeAttributesClassName) return [];
  const field = 'spec.volumeAttributesClassName';
  if (name === undefined) return [forbiddenValue(field, 'update from non-nil value to nil is forbidden')];
  return name === '' ? [forbiddenValue(field, 'update from non-nil value to an empty string is forbidden')] : [];
}
