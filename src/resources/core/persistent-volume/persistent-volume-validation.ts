import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../../meta/field-error.ts';
import { enumOf } from '../../../schema/enum-of.ts';
import { explicitValue } from '../../../schema/explicit-empty.ts';
import { validateNodeSelector } from '../../validation/node-selectors.ts';
import { validatePositiveQuantity, wholeValue } from '../../validation/quantities.ts';
import { PersistentVolumeSpec, type VolumeNodeAffinity } from '../persistent-volume-types.ts';
import { validateAccessModes } from './access-modes.ts';
import { validateClassName, validateVolumeMode } from './volume-modes.ts';
import type { VolumeSource } from './volume-source-checks.ts';
import { validateVolumeSource } from './volume-source-validation.ts';

const reclaimPolicies = enumOf(PersistentVolumeSpec, 'persistentVolumeReclaimPolicy');

export function validateVolumeSpec(spec: PersistentVolumeSpec, field: string, volumeName: string): FieldError[] {
  const { accessModes = [], persistentVolumeReclaimPolicy: policy = '', nodeAffinity } = spec;
  const { storageClassName = '', volumeMode } = spec;
  const errors: FieldError[] = [];
  if (accessModes.length === 0) errors.push(requiredValue(`${field}.accessModes`));
  errors.push(...validateAccessModes(accessModes, `${field}.accessModes`));
  errors.push(...validateCapacity(spec, `${field}.capacity`));
  if (policy !== '' && !reclaimPolicies.includes(policy)) {
    errors.push(notSupportedValue(`${field}.persistentVolumeReclaimPolicy`, policy, reclaimPolicies));
  }
  errors.push(...validateNodeAffinity(nodeAffinity, `${field}.nodeAffinity`));
  errors.push(...validateVolumeSource(spec as VolumeSource, field, volumeName));
  errors.push(...validateRecycling(spec, field));
  if (storageClassName !== '') errors.push(...validateClassName(storageClassName, `${field}.storageClassName`));
  errors.push(...validateVolumeMode(volumeMode, `${field}.volumeMode`));
  errors.push(...validateAttributesClass(spec, field));
  return errors;
}

/** Validates a volume spec that is inline in another object. */
export function validateInlineVolumeSpec(spec: PersistentVolumeSpec, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (name: keyof PersistentVolumeSpec & string) => {
    errors.push(forbiddenValue(`${field}.${name}`, 'may not be specified in the context of inline volumes'));
  };
  const { accessModes = [], capacity = {}, nodeAffinity } = spec;
  if (spec.claimRef !== undefined) forbid('claimRef');
  if (Object.keys(capacity).length > 0) forbid('capacity');
  if (spec.csi === undefined) {
    errors.push(requiredValue(`${field}.csi`, 'has to be specified in the context of inline volumes'));
  }
  if (accessModes.length === 0) errors.push(requiredValue(`${field}.accessModes`));
  errors.push(...validateAccessModes(accessModes, `${field}.accessModes`));
  if (spec.persistentVolumeReclaimPolicy) forbid('persistentVolumeReclaimPolicy');
  if (nodeAffinity !== undefined) forbid('nodeAffinity');
  errors.push(...validateVolumeSource(spec as VolumeSource, field, ''));
  errors.push(...validateRecycling(spec, field));
  if (spec.storageClassName) forbid('storageClassName');
  if (spec.volumeMode !== undefined) forbid('volumeMode');
  errors.push(...validateAttributesClass(spec, field));
  return errors;
}

function validateCapacity(spec: PersistentVolumeSpec, field: string): FieldError[] {
  const { capacity } = spec;
  const names = Object.keys(capacity ?? {});
  const errors: FieldError[] = [];
  if (names.length === 0) errors.push(requiredValue(field));
  if (capacity?.storage === undefined || names.length > 1) {
    errors.push(notSupportedValue(field, explicitValue(spec, 'capacity', {}), ['storage']));
  }
  for (const name of names) {
    const amount = capacity![name]!;
    const at = `${field}[${name}]`;
    if (wholeValue(amount) < 0n) errors.push(invalidQuantity(amount, at));
    errors.push(...validatePositiveQuantity(amount, at));
  }
  return errors;
}

/** This error prints the amount as a number. Nearly all other errors print it as text. */
export function invalidQuantity(amount: string, field: string): FieldError {
  return invalidValue(field, wholeValue(amount), 'must be a valid resource quantity');
}

function validateNodeAffinity(affinity: VolumeNodeAffinity | undefined, field: string): FieldError[] {
  if (affinity === undefined) return [];
  if (affinity.required === undefined) {
    return [requiredValue(`${field}.required`, 'must specify required node constraints')];
  }
  return validateNodeSelector(affinity.required, `${field}.required`);
}

/** Recycling deletes the content of a volume, so it is forbidden for the root directory of a node. */
function validateRecycling(
  { hostPath, persistentVolumeReclaimPolicy }: PersistentVolumeSpec,
  field: string,
): FieldError[] {
  if (persistentVolumeReclaimPolicy !== 'Recycle' || hostPath === undefined) return [];
  if (!isRoot(hostPath.path ?? '')) return [];
  const detail = "may not be 'recycle' for a hostPath mount of '/'";
  return [forbiddenValue(`${field}.persistentVolumeReclaimPolicy`, detail)];
}

function isRoot(path: string): boolean {
  if (!path.startsWith('/')) return false;
  let depth = 0;
  for (const segment of path.split('/')) {
    if (segment === '..') depth = Math.max(depth - 1, 0);
    else if (segment !== '' && segment !== '.') depth++;
  }
  return depth === 0;
}

function validateAttributesClass(
  { volumeAttributesClassName: name, csi }: PersistentVolumeSpec,
  field: string,
): FieldError[] {
  if (name === undefined) return [];
  const at = `${field}.volumeAttributesClassName`;
  const errors = name === '' ? [requiredValue(at, 'an empty string is disallowed')] : validateClassName(name, at);
  if (csi === undefined) {
    errors.push(requiredValue(`${field}.csi`, 'has to be specified when using volumeAttributesClassName'));
  }
  return errors;
}
