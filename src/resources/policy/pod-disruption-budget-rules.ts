import { type FieldError, invalidValue, notSupportedValue } from '../../meta/field-error.ts';
import type { ResourceObject } from '../../meta/object.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { validateConditions } from '../validation/condition-validation.ts';
import { internalValue } from '../validation/internal-value.ts';
import { validateLabelSelector } from '../validation/label-selectors.ts';
import {
  type IntOrPercent,
  validateIntOrPercent,
  validateMaxPercent,
  validateNonNegative,
} from '../validation/numbers.ts';
import { PodDisruptionBudgetSpec, type PodDisruptionBudgetStatus } from './disruption-types.ts';

const evictionPolicies = enumOf(PodDisruptionBudgetSpec, 'unhealthyPodEvictionPolicy');

export const podDisruptionBudgetRules = {
  finalizers: 'any' as const,

  // The metadata is checked by the generic rules only.
  createChecks: ['object'] as const,
  updateChecks: ['change'] as const,
  statusChecks: ['change'] as const,
  validate: ({ spec }: ResourceObject): FieldError[] => specErrors(spec as PodDisruptionBudgetSpec | undefined),

  validateUpdate({ spec }: ResourceObject, oldObject: ResourceObject): FieldError[] {
    const { selector } = (oldObject.spec ?? {}) as PodDisruptionBudgetSpec;
    const allowInvalidValues = validateLabelSelector(selector, '').length > 0;
    return specErrors(spec as PodDisruptionBudgetSpec | undefined, { allowInvalidValues });
  },

  validateStatus({ status }: ResourceObject): FieldError[] {
    const { conditions, ...counts } = (status ?? {}) as PodDisruptionBudgetStatus;
    return [
      ...validateConditions(conditions, 'status.conditions'),
      ...validateNonNegative(counts.disruptionsAllowed, 'status.disruptionsAllowed'),
      ...validateNonNegative(counts.currentHealthy, 'status.currentHealthy'),
      ...validateNonNegative(counts.desiredHealthy, 'status.desiredHealthy'),
      ...validateNonNegative(counts.expectedPods, 'status.expectedPods'),
    ];
  },
};

function specErrors(spec: PodDisruptionBudgetSpec = {}, { allowInvalidValues = false } = {}): FieldError[] {
  const { minAvailable, selector, maxUnavailable, unhealthyPodEvictionPolicy: policy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = internalValue(PodDisruptionBudgetSpec, spec);
    errors.push(invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  errors.push(
    ...amountErrors(minAvailable, 'spec.minAvailable'),
    ...amountErrors(maxUnavailable, 'spec.maxUnavailable'),
    ...validateLabelSelector(selector, 'spec.selector', { allowInvalidValues }),
  );
  if (policy !== undefined && !evictionPolicies.includes(policy)) {
    errors.push(notSupportedValue('spec.unhealthyPodEvictionPolicy', policy, evictionPolicies));
  }
  return errors;
}

function amountErrors(amount: IntOrPercent | undefined, field: string): FieldError[] {
  return [...validateIntOrPercent(amount, field), ...validateMaxPercent(amount, field)];
}
