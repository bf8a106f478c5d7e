import { type FieldError, forbiddenValue, requiredValue } from '../../meta/field-error.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { isSameValue } from '../validation/immutable.ts';
import { validateParameters, validateProvisioner } from './class-parameters.ts';
import type { VolumeAttributesClass } from './storage-class-types.ts';

function validate({ driverName = '', parameters }: VolumeAttributesClass): FieldError[] {
  const errors = validateProvisioner(driverName, 'driverName');
  errors.push(...validateParameters(parameters, 'parameters'));
  if (Object.keys(parameters ?? {}).length === 0) {
    errors.push(requiredValue('parameters', 'must contain at least one key/value pair'));
  }
  return errors;
}

function validateChange(next: VolumeAttributesClass, oldObject: VolumeAttributesClass): FieldError[] {
  return (['driverName', 'parameters'] as const)
    .filter((field) => !isSameValue(next[field], oldObject[field]))
    .map((field) => forbiddenValue(field, `updates to ${field} are forbidden.`));
}

export const volumeAttributesClassRules: Partial<ResourceRules> = {
  updateChecks: ['metadataChange', 'change', 'metadata', 'object'],
  validate,
  validateUpdate: validateChange,
};
