import { type FieldError, invalidValue, notSupportedValue, requiredValue } from '../../../meta/field-error.ts';
import { labelKeyErrors } from '../../../meta/label-syntax.ts';
import type { ResourceObject } from '../../../meta/object.ts';
import { isNegativeQuantity } from '../../validation/quantities.ts';
import { validateResourceQuantity } from '../../validation/resource-names.ts';
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimStatus } from '../persistent-volume-claim-types.ts';
import { invalidQuantity } from './persistent-volume-validation.ts';

const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

export function validateClaimStatus(claim: ResourceObject): FieldError[] {
  const { accessModes = [] } = (claim.spec as PersistentVolumeClaimSpec | undefined) ?? {};
  const { capacity, allocatedResources, allocatedResourceStatuses } =
    (claim.status as PersistentVolumeClaimStatus | undefined) ?? {};
  const errors: FieldError[] = [];
  if (accessModes.length === 0) errors.push(requiredValue('spec.accessModes'));
  for (const [name, amount] of Object.entries(capacity ?? {})) {
    if (isNegativeQuantity(amount)) errors.push(invalidQuantity(amount, `status.capacity[${name}]`));
  }
  const statusesField = 'status.allocatedResourceStatuses';
  for (const [name, status] of Object.entries(allocatedResourceStatuses ?? {})) {
    errors.push(...validateResource(name, statusesField));
    if (!resizeStatuses.includes(status)) {
      errors.push(notSupportedValue(statusesField, name, resizeStatuses));
    }
  }
  const amountsField = 'status.allocatedResources';
  for (const [name, amount] of Object.entries(allocatedResources ?? {})) {
    const problems = validateResource(name, amountsField);
    errors.push(...problems);
    if (problems.length > 0) continue;
    const at = `${amountsField}[${name}]`;
    if (isNegativeQuantity(amount)) errors.push(invalidQuantity(amount, at));
    else errors.push(...validateResourceQuantity(name, amount, at));
  }
  return errors;
}

/** A volume has the resource `storage` and any resources qualified with a domain outside of Kubernetes. */
function validateResource(name: string, field: string): FieldError[] {
  const errors = labelKeyErrors(name).map((detail) => invalidValue(field, name, detail));
  if (errors.length > 0) return errors;
  if (!name.includes('/')) return name === 'storage' ? [] : [notSupportedValue(field, name, ['storage'])];
  const [domain = ''] = name.split('/');
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io')
    ? [notSupportedValue(field, name, ['storage'])]
    : [];
}
