import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  requiredValue,
  tooMany,
} from '../../meta/field-error.ts';
import { addQuantityTexts, compareQuantityTexts, isPositiveQuantity, wholeValue } from '../validation/quantities.ts';
import type { CapacityRequestPolicyRange, DeviceCapacity } from './resource-slice-types.ts';

const maxValues = 10;

/** Validates how much of a shared device a claim may request. */
export function validateCapacity(
  capacity: DeviceCapacity,
  field: string,
  { isShared }: { isShared: boolean },
): FieldError[] {
  const { value = '0', requestPolicy: policy } = capacity;
  if (policy === undefined) return [];
  const at = `${field}.requestPolicy`;
  if (!isShared) return [forbiddenValue(at, 'allowMultipleAllocations must be true')];
  const { validValues = [], validRange: range } = policy;
  if (validValues.length > 0 && range !== undefined) {
    const detail =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return [forbiddenValue(at, detail)];
  }
  const initial = policy.default ?? undefined;
  if (validValues.length > 0) {
    if (initial === undefined) return [requiredValue(`${at}.default`, 'required when validValues is defined')];
    return validateValues(validValues, `${at}.validValues`, { initial, maxValue: value });
  }
  if (range === undefined) return [];
  if (initial === undefined) return [requiredValue(`${at}.default`, 'required when validRange is defined')];
  return validateRange(range, `${at}.validRange`, { initial, maxValue: value });
}

interface Bounds {
  /** The amount for a claim that requests none. */
  readonly initial: string;
  readonly maxValue: string;
}

function validateValues(values: readonly string[], field: string, { initial, maxValue }: Bounds): FieldError[] {
  const errors: FieldError[] = [];
  for (let index = 1; index < values.length; index++) {
    if (compareQuantityTexts(values[index - 1]!, values[index]!) <= 0) continue;
    errors.push(invalidValue(`${field}[${index}]`, values[index], 'values must be sorted in ascending order'));
  }
  let found = false;
  if (values.length > maxValues) errors.push(tooMany(field, values.length, maxValues));
  else {
    for (const [index, value] of values.entries()) {
      if (compareQuantityTexts(value, maxValue) > 0) {
        errors.push(invalidValue(`${field}[${index}]`, value, `option is larger than capacity value: ${maxValue}`));
      }
      found ||= compareQuantityTexts(value, initial) === 0;
    }
    errors.push(...duplicates(values, field));
  }
  if (!found) {
    errors.push(invalidValue(field, initial, 'default value is not valid according to the requestPolicy'));
  }
  return errors;
}

function duplicates(values: readonly string[], field: string): FieldError[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    const whole = String(wholeValue(value));
    if (seen.has(whole)) return [duplicateValue(`${field}[${index}]`, whole)];
    seen.add(whole);
    return [];
  });
}

function validateRange(
  { min, max, step }: CapacityRequestPolicyRange,
  field: string,
  { initial, maxValue }: Bounds,
): FieldError[] {
  if (min === undefined) return [requiredValue(`${field}.min`, 'required when validRange is defined')];
  const errors: FieldError[] = [];
  const refuse = (name: string, value: string, detail: string) => {
    errors.push(invalidValue(`${field}.${name}`, value, detail));
  };
  if (compareQuantityTexts(min, maxValue) > 0) refuse('min', min, `min is larger than capacity value: ${maxValue}`);
  if (compareQuantityTexts(initial, min) < 0) refuse('default', initial, `default is less than min: ${min}`);
  if (max !== undefined) {
    if (compareQuantityTexts(min, max) > 0) refuse('max', min, `min is larger than max: ${max}`);
    if (compareQuantityTexts(max, maxValue) > 0) refuse('max', max, `max is larger than capacity value: ${maxValue}`);
    if (compareQuantityTexts(initial, max) > 0) refuse('default', initial, `default is more than max: ${max}`);
  }
  if (step === undefined) return errors;
  if (!isPositiveQuantity(step)) {
    refuse('step', step, 'must be greater than zero');
    return errors;
  }
  const first = addQuantityTexts(min, step);
  if (compareQuantityTexts(first, maxValue) > 0) {
    refuse('step', step, `one step ${first} is larger than capacity value: ${maxValue}`);
  }
  for (const value of max === undefined ? [initial] : [initial, max]) {
    if ((wholeValue(value) - wholeValue(min)) % wholeValue(step) === 0n) continue;
    refuse('step', value, `value is not a multiple of a given step (${step}) from (${min})`);
  }
  return errors;
}
