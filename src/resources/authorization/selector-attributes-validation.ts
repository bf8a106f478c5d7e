import { type FieldError, forbiddenValue, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import type { LabelSelectorRequirement } from '../../schema/meta-types.ts';
import type { FieldSelectorAttributes } from './access-review-types.ts';

export function validateFieldSelectorAttributes(
  selector: FieldSelectorAttributes | undefined,
  path: string,
  errors: FieldError[],
): void {
  validateRawOrRequirements(selector, path, errors);
  for (const [index, requirement] of (selector?.requirements ?? []).entries()) {
    const at = `${path}.requirements[${index}]`;
    if (!requirement.key) errors.push(requiredValue(`${at}.key`, 'must be specified'));
    validateValueCount(requirement, at, errors);
  }
}

export function validateLabelSelectorAttributes(
  selector: FieldSelectorAttributes | undefined,
  path: string,
  errors: FieldError[],
): void {
  validateRawOrRequirements(selector, path, errors);
  for (const [index, requirement] of (selector?.requirements ?? []).entries()) {
    const at = `${path}.requirements[${index}]`;
    const { key = '', values = [] } = requirement;
    validateValueCount(requirement, at, errors);
    for (const detail of labelKeyErrors(key)) errors.push(invalidValue(`${at}.key`, key, detail));
    for (const [valueIndex, value] of values.entries()) {
      for (const detail of labelValueErrors(value))
        errors.push(invalidValue(`${at}.values[${valueIndex}]`, value, detail));
    }
  }
}

function validateRawOrRequirements(
  selector: FieldSelectorAttributes | undefined,
  path: string,
  errors: FieldError[],
): void {
  if (selector === undefined) return;
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements';
    errors.push(invalidValue(`${path}.rawSelector`, rawSelector, detail));
  }
  if (rawSelector === '' && requirements.length === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(requiredValue(`${path}.requirements`, detail));
  }
}

/** Ignores unknown operators, which newer clients may send. Authorization drops such requirements. */
function validateValueCount(
  { operator, values = [] }: LabelSelectorRequirement,
  path: string,
  errors: FieldError[],
): void {
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    errors.push(requiredValue(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    errors.push(forbiddenValue(`${path}.values`, detail));
  }
}
