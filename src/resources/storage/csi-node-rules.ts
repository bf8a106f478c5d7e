import { duplicateValue, type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateNonNegative } from '../validation/numbers.ts';
import { isSameOfType } from '../validation/same-of-type.ts';
import { CSINodeDriver } from './csi-types.ts';

const maxNodeIdLength = 256;

function driversOf({ spec }: ResourceObject): readonly CSINodeDriver[] {
  return (spec as { drivers?: readonly CSINodeDriver[] } | undefined)?.drivers ?? [];
}

function validate(node: ResourceObject): FieldError[] {
  const names = new Set<string>();
  return driversOf(node).flatMap((driver, index) => validateDriver(driver, `spec.drivers[${index}]`, names));
}

function validateDriver(driver: CSINodeDriver, field: string, names: Set<string>): FieldError[] {
  const { name = '', nodeID = '', topologyKeys, allocatable } = driver;
  const errors = validateDriverName(name, `${field}.name`);
  if (nodeID === '') errors.push(requiredValue(`${field}.nodeID`));
  if (Buffer.byteLength(nodeID) > maxNodeIdLength) {
    errors.push(invalidValue(`${field}.nodeID`, nodeID, `must be ${maxNodeIdLength} characters or less`));
  }
  errors.push(...validateNonNegative(allocatable?.count, `${field}.allocatable.count`));
  if (names.has(name)) errors.push(duplicateValue(`${field}.name`, name));
  names.add(name);
  const keys = new Set<string>();
  for (const key of topologyKeys ?? []) {
    if (key === '') errors.push(requiredValue(field));
    if (keys.has(key)) errors.push(duplicateValue(field, key));
    keys.add(key);
    for (const detail of labelKeyErrors(key)) errors.push(invalidValue(field, key, detail));
  }
  return errors;
}

/** Drivers can be added and removed. The only mutable field of a driver is its volume limit. */
function validateChange(next: ResourceObject, oldObject: ResourceObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const before of driversOf(oldObject)) {
    for (const after of driversOf(next)) {
      if (after.name !== before.name) continue;
      const kept = { ...after, allocatable: undefined };
      if (isSameOfType(CSINodeDriver, kept, { ...before, allocatable: undefined })) continue;
      errors.push(invalidValue('spec.drivers', internalValue(CSINodeDriver, kept), 'field is immutable'));
    }
  }
  return errors;
}

export const csiNodeRules: Partial<ResourceRules> = {
  updateChecks: ['metadata', 'object', 'change'],
  validate,
  validateUpdate: validateChange,
};
