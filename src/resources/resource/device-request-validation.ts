import { type FieldError, invalidValue, notSupportedValue, requiredValue, tooLong } from '../../meta/field-error.ts';
import { labelKeyErrors, labelValueErrors } from '../../meta/label-syntax.ts';
import { enumOf } from '../../schema/enum-of.ts';
import { validateDriverName } from '../core/persistent-volume/driver-name.ts';
import { validateSubdomain } from './device-names.ts';
import { type DeviceConfiguration, type DeviceSelector, DeviceToleration } from './device-request-types.ts';
import type { SelectorErrors } from './device-selectors.ts';
import { validateEach } from './list-checks.ts';
import type { ExactDeviceRequest } from './resource-claim-types.ts';
import { allocationModes } from './resource-claim-types.ts';

export const maxConfigurations = 32;
const maxSelectors = 32;
const maxTolerations = 16;
const maxExpressionLength = 10 * 1024;
const maxParametersLength = 10 * 1024;
const tolerationOperators = enumOf(DeviceToleration, 'operator');
export const taintEffects = enumOf(DeviceToleration, 'effect');

export function validateRequirement(
  requirement: ExactDeviceRequest,
  field: string,
  selectorErrors: SelectorErrors,
): FieldError[] {
  const { deviceClassName = '', selectors, tolerations } = requirement;
  const classField = `${field}.deviceClassName`;
  return [
    ...(deviceClassName === '' ? [requiredValue(classField)] : validateSubdomain(deviceClassName, classField)),
    ...validateSelectors(selectors, `${field}.selectors`, selectorErrors),
    ...validateAllocationMode(requirement, field),
    ...validateTolerations(tolerations, `${field}.tolerations`),
  ];
}

function validateAllocationMode({ allocationMode = '', count = 0 }: ExactDeviceRequest, field: string): FieldError[] {
  const countField = `${field}.count`;
  if (allocationMode === 'All') {
    return count === 0 ? [] : [invalidValue(countField, count, "must not be specified when allocationMode is 'All'")];
  }
  if (allocationMode === 'ExactCount') {
    return count > 0 ? [] : [invalidValue(countField, count, 'must be greater than zero')];
  }
  return [notSupportedValue(`${field}.allocationMode`, allocationMode, allocationModes)];
}

/**
 * Returns the expressions that must be checked. Expressions that are too long, or beyond the maximum number, are
 * rejected anyway.
 */
export function selectorExpressions(selectors: readonly DeviceSelector[] = []): string[] {
  if (selectors.length > maxSelectors) return [];
  return selectors.flatMap(({ cel }) => {
    const { expression = '' } = cel ?? {};
    return cel === undefined || isTooLong(expression) ? [] : [expression];
  });
}

function isTooLong(expression: string): boolean {
  return Buffer.byteLength(expression) > maxExpressionLength;
}

/** The errors are those of the selectors' expressions. */
export function validateSelectors(
  selectors: readonly DeviceSelector[] | undefined,
  field: string,
  errors: SelectorErrors,
): FieldError[] {
  return validateEach(selectors, field, {
    maximum: maxSelectors,
    check({ cel }, at) {
      if (cel === undefined) return [requiredValue(`${at}.cel`)];
      const { expression = '' } = cel;
      if (isTooLong(expression)) return [tooLong(`${at}.cel.expression`, maxExpressionLength)];
      const error = errors.get(expression);
      return error === undefined ? [] : [error(`${at}.cel.expression`)];
    },
  });
}

export function validateTolerations(tolerations: readonly DeviceToleration[] | undefined, field: string): FieldError[] {
  return validateEach(tolerations, field, { maximum: maxTolerations, check: validateToleration });
}

function validateToleration({ key = '', operator = '', value = '', effect = '' }: DeviceToleration, field: string) {
  const errors: FieldError[] = [];
  if (key !== '') for (const detail of labelKeyErrors(key)) errors.push(invalidValue(`${field}.key`, key, detail));
  if (operator === 'Exists') {
    if (value !== '') errors.push(invalidValue(`${field}.value`, value, 'must be empty for operator `Exists`'));
  } else if (operator === 'Equal') {
    for (const detail of labelValueErrors(value)) errors.push(invalidValue(`${field}.value`, value, detail));
  } else if (operator === '') errors.push(requiredValue(`${field}.operator`));
  else errors.push(notSupportedValue(`${field}.operator`, operator, tolerationOperators));
  if (effect !== '' && !taintEffects.includes(effect)) {
    errors.push(notSupportedValue(`${field}.effect`, effect, taintEffects));
  }
  return errors;
}

export function validateConfiguration({ opaque }: DeviceConfiguration, field: string): FieldError[] {
  if (opaque === undefined) return [requiredValue(`${field}.opaque`)];
  return [
    ...validateDriverName(opaque.driver ?? '', `${field}.opaque.driver`),
    ...validateJsonObject(opaque.parameters, `${field}.opaque.parameters`),
  ];
}

/** Driver parameters may be any JSON object of limited size. */
export function validateJsonObject(value: unknown, field: string): FieldError[] {
  if (value === undefined || value === null) return [requiredValue(field)];
  if (Buffer.byteLength(JSON.stringify(value, withoutBigints)) > maxParametersLength)
    return [tooLong(field, maxParametersLength)];
  if (typeof value === 'object' && !Array.isArray(value)) return [];
  return [invalidValue(field, '<value omitted>', 'must be a valid JSON object')];
}

/** JSON cannot encode bigints. Their decimal digits have the same length. */
const withoutBigints = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? '0'.repeat(String(value).length - 2) : value;
