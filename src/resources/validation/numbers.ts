import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { patternDetail } from '../../meta/names.ts';

export const notNegativeDetail = 'must be greater than or equal to 0';
export const positiveDetail = 'must be greater than zero';

/** 64-bit integers outside of the safe range are bigints. */
export type Integer = number | bigint;

/** An absent number counts as zero. */
export function validateNonNegative(value: Integer | undefined, path: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalidNumber(path, value, notNegativeDetail)] : [];
}

/** An absent number counts as zero, which is not positive. */
export function validatePositive(value: Integer | undefined, path: string): FieldError[] {
  return isPositive(value) ? [] : [invalidNumber(path, value ?? 0, positiveDetail)];
}

export function isPositive(value: Integer | undefined): boolean {
  return value !== undefined && value > 0;
}

function invalidNumber(path: string, value: Integer, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${value}: ${detail}` };
}

/** An integer, or a text such as `25%`. */
export type IntOrPercent = number | string;

const percentSyntax = /^[0-9]+%$/;
const integerSyntax = /^[-+]?[0-9]+$/;
const notPercent = patternDetail(
  "a valid percent string must be a numeric string followed by an ending '%'",
  '[0-9]+%',
  ['1%', '93%'],
);

export function isPercent(value: unknown): value is string {
  return typeof value === 'string' && percentSyntax.test(value);
}

/** Requires a non-negative integer or a percentage. An absent value counts as 0. */
export function validateIntOrPercent(value: IntOrPercent | undefined, path: string): FieldError[] {
  if (typeof value !== 'string') return validateNonNegative(value, path);
  return percentSyntax.test(value) ? [] : [invalidValue(path, value, notPercent)];
}

/** Rejects percentages above 100%. Accepts all other values. */
export function validateMaxPercent(value: IntOrPercent | undefined, path: string): FieldError[] {
  if (!isPercent(value) || percentageOf(value) <= 100) return [];
  return [invalidValue(path, value, 'must not be greater than 100%')];
}

/** Returns the number without the percent sign, or 0 for any other text. */
export function intOrPercentAmount(value: IntOrPercent | undefined): number {
  if (typeof value !== 'string') return value ?? 0;
  if (percentSyntax.test(value)) return percentageOf(value);
  return integerSyntax.test(value) ? Number(value) : 0;
}

function percentageOf(percent: string): number {
  return Number(percent.slice(0, -1));
}
