import {
  duplicateValue,
  type FieldError,
  invalidValue,
  notSupportedValue,
  requiredValue,
} from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { ResourceRules } from '../../registry/resource-definition.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { setMatchResourcesDefaults } from './match-defaults.ts';
import { validateMatchResources } from './match-validation.ts';
import { validateMutableOperations } from './mutating-policy-rules.ts';
import { validateParamRef, validatePolicyName } from './policy-validation.ts';
import { ValidatingAdmissionPolicyBindingSpec } from './validating-policy-types.ts';

const actions = enumOf(ValidatingAdmissionPolicyBindingSpec, 'validationActions');

export const validatingPolicyBindingRules: Partial<ResourceRules> = {
  finalizers: 'any',
  updateChecks: ['metadata', 'object'],
  setDefaults,
  validate: (object) => {
    const errors = bindingErrors(object);
    validateActions(specOf(object).validationActions ?? [], 'spec.validationActions', errors);
    return errors;
  },
};

export const mutatingPolicyBindingRules: Partial<ResourceRules> = {
  finalizers: 'any',
  updateChecks: ['metadata', 'object'],
  setDefaults,
  validate: (object) => {
    const errors = bindingErrors(object);
    const { matchResources } = specOf(object);
    validateMutableOperations(matchResources?.resourceRules, 'spec.matchResources.resourceRules', errors);
    return errors;
  },
};

function specOf(object: ResourceObject): ValidatingAdmissionPolicyBindingSpec {
  return (object.spec ?? {}) as ValidatingAdmissionPolicyBindingSpec;
}

function setDefaults(object: ResourceObject): void {
  const { matchResources } = specOf(object);
  if (matchResources !== undefined) setMatchResourcesDefaults(matchResources);
}

function bindingErrors(object: ResourceObject): FieldError[] {
  const { policyName, paramRef, matchResources } = specOf(object);
  const errors: FieldError[] = [];
  validatePolicyName(policyName, 'spec.policyName', errors);
  validateParamRef(paramRef, 'spec.paramRef', errors);
  if (matchResources !== undefined) validateMatchResources(matchResources, 'spec.matchResources', errors);
  return errors;
}

function validateActions(values: readonly string[], path: string, errors: FieldError[]): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (!actions.includes(value)) errors.push(notSupportedValue(`${path}[${index}]`, value, actions));
    if (values.indexOf(value) < index) errors.push(duplicateValue(`${path}[${index}]`, value));
  }
  if (values.includes('Deny') && values.includes('Warn')) {
    const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
    errors.push(invalidValue(path, values, `must not contain both Deny and Warn (${why})`));
  }
  if (values.length === 0) errors.push(requiredValue(path, 'at least one validation action is required'));
}
