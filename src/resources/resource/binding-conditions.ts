import { duplicateValue, type FieldError, invalidValue } from '../../meta/field-error.ts';
import { validateConditionType } from './device-names.ts';
import { validateEach } from './list-checks.ts';
import type { Device } from './resource-slice-types.ts';

const maxConditions = 4;

/** Validates the conditions that a device must meet before a pod is bound, and those that make binding fail. */
export function validateBindingConditions(
  {
    bindingConditions = [],
    bindingFailureConditions = [],
  }: Pick<Device, 'bindingConditions' | 'bindingFailureConditions'>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const conditionsField = `${field}.bindingConditions`;
  const failuresField = `${field}.bindingFailureConditions`;
  errors.push(
    ...validateEach(bindingConditions, conditionsField, { maximum: maxConditions, check: validateConditionType }),
    ...validateEach(bindingFailureConditions, failuresField, { maximum: maxConditions, check: validateConditionType }),
  );
  const conditions = new Set<string>();
  for (const [index, condition] of bindingConditions.entries()) {
    if (conditions.has(condition)) errors.push(duplicateValue(`${conditionsField}[${index}]`, condition));
    conditions.add(condition);
  }
  const failures = new Set<string>();
  for (const [index, condition] of bindingFailureConditions.entries()) {
    if (failures.has(condition)) errors.push(duplicateValue(`${failuresField}[${index}]`, condition));
    failures.add(condition);
    if (!conditions.has(condition)) continue;
    const detail = 'bindingFailureConditions must not overlap with bindingConditions';
    errors.push(invalidValue(`${failuresField}[${index}]`, condition, detail));
  }
  if (conditions.size === 0 && failures.size > 0) {
    const detail = 'bindingConditions are required to use bindingFailureConditions';
    errors.push(invalidValue(conditionsField, null, detail));
  }
  if (failures.size === 0 && conditions.size > 0) {
    const detail = 'bindingFailureConditions are required to use bindingConditions';
    errors.push(invalidValue(failuresField, null, detail));
  }
  return errors;
}
