import { type FieldError, invalidValue, requiredValue } from '../../../meta/field-error.ts';
import { dnsLabelErrors, dnsSubdomainErrors } from '../../../meta/names.ts';
import { validateLabelSelector } from '../../validation/label-selectors.ts';
import { validatePositiveQuantity } from '../../validation/quantities.ts';
import type { PersistentVolumeClaimSpec } from '../persistent-volume-claim-types.ts';
import type { TypedObjectReference } from '../reference-types.ts';
import { validateAccessModes } from './access-modes.ts';
import { validateClassName, validateVolumeMode } from './volume-modes.ts';

/** Also used for the claim templates of pods and stateful sets. */
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec,
  field: string,
  oldSpec?: PersistentVolumeClaimSpec,
): FieldError[] {
  const { accessModes = [], storageClassName, volumeAttributesClassName } = spec;
  const errors: FieldError[] = [];
  if (accessModes.length === 0) {
    errors.push(requiredValue(`${field}.accessModes`, 'at least 1 access mode is required'));
  }
  errors.push(...validateLabelSelector(spec.selector, `${field}.selector`));
  errors.push(...validateAccessModes(accessModes, `${field}.accessModes`));
  const amount = spec.resources?.requests?.storage;
  const amountField = `${field}.resources[storage]`;
  if (amount === undefined) errors.push(requiredValue(amountField));
  else errors.push(...validatePositiveQuantity(amount, amountField));
  if (storageClassName) errors.push(...validateClassName(storageClassName, `${field}.storageClassName`));
  errors.push(...validateVolumeMode(spec.volumeMode, `${field}.volumeMode`));
  errors.push(...validateDataSources(spec, field, { anyGroup: hasSourceGroup(oldSpec) }));
  if (volumeAttributesClassName) {
    errors.push(...validateClassName(volumeAttributesClassName, `${field}.volumeAttributesClassName`));
  }
  return errors;
}

/** API groups were not always checked, so a claim that has one may be updated with an invalid one. */
function hasSourceGroup(oldSpec: PersistentVolumeClaimSpec | undefined): boolean {
  return isGroupSet(oldSpec?.dataSource) || isGroupSet(oldSpec?.dataSourceRef);
}

function isGroupSet(source: TypedObjectReference | undefined): boolean {
  return source !== undefined && source.apiGroup !== undefined && source.apiGroup !== null;
}

interface SourceOptions {
  /** Whether every API group is valid. */
  readonly anyGroup: boolean;
}

function validateDataSources(
  { dataSource, dataSourceRef }: PersistentVolumeClaimSpec,
  field: string,
  options: SourceOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  if (dataSource !== undefined) errors.push(...validateDataSource(dataSource, `${field}.dataSource`, options));
  if (dataSourceRef !== undefined) {
    errors.push(...validateDataSource(dataSourceRef, `${field}.dataSourceRef`, options));
    const { namespace } = dataSourceRef;
    if (namespace) {
      const at = `${field}.dataSourceRef.namespace`;
      errors.push(...dnsLabelErrors(namespace).map((detail) => invalidValue(at, namespace, detail)));
    }
  }
  if (dataSource === undefined || dataSourceRef === undefined) return errors;
  // kube-apiserver passes a field path as the value here, and a field path is printed as `{}`.
  if (dataSourceRef.namespace) {
    errors.push(invalidValue(field, {}, 'may not be specified when dataSourceRef.namespace is specified'));
  } else if (!isSameSource(dataSource, dataSourceRef)) {
    errors.push(invalidValue(field, {}, 'must match dataSourceRef'));
  }
  return errors;
}

function validateDataSource(
  { apiGroup, kind = '', name = '' }: TypedObjectReference,
  field: string,
  { anyGroup }: SourceOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(requiredValue(`${field}.name`));
  if (kind === '') errors.push(requiredValue(`${field}.kind`));
  const group = apiGroup ?? '';
  if (group === '') {
    if (kind !== 'PersistentVolumeClaim') {
      errors.push(invalidValue(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
    }
  } else if (!anyGroup) {
    for (const detail of dnsSubdomainErrors(group)) errors.push(invalidValue(`${field}.apiGroup`, group, detail));
  }
  return errors;
}

function isSameSource(left: TypedObjectReference, right: TypedObjectReference): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    (left.apiGroup ?? undefined) === (right.apiGroup ?? undefined)
  );
}
