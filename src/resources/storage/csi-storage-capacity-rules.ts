import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { validateClassName } from '../core/persistent-volume/volume-modes.ts';
import { isSameValue } from '../validation/immutable.ts';
import { validateLabelSelector } from '../validation/label-selectors.ts';
import { validateNonnegativeQuantity } from '../validation/quantities.ts';
import type { CSIStorageCapacity } from './csi-types.ts';

function validate({ nodeTopology, storageClassName = '', capacity }: CSIStorageCapacity): FieldError[] {
  return [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...validateClassName(storageClassName, 'storageClassName'),
    ...(capacity === undefined ? [] : validateNonnegativeQuantity(capacity, 'capacity')),
  ];
}

function validateChange(next: CSIStorageCapacity, oldObject: CSIStorageCapacity): FieldError[] {
  return (['nodeTopology', 'storageClassName'] as const)
    .filter((field) => !isSameValue(next[field], oldObject[field]))
    .map((field) => invalidValue(field, next[field], 'field is immutable'));
}

export const csiStorageCapacityRules: Partial<ResourceRules> = {
  updateChecks: ['metadata', 'object', 'metadataChange', 'change'],
  validate,
  validateUpdate: validateChange,
};
