import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { addQuantities, compareQuantities, formatQuantity, parseQuantity } from '../../meta/quantity.ts';

/** Of canonical text only. */
export function isNegativeQuantity(text: string): boolean {
  return text.charCodeAt(0) === 0x2d;
}

/** Zero has one canonical text. */
export function isPositiveQuantity(text: string): boolean {
  return text !== '0' && !isNegativeQuantity(text);
}

/** Finds an amount below zero. */
export function validateNonnegativeQuantity(text: string, field: string): FieldError[] {
  return isNegativeQuantity(text) ? [invalidValue(field, text, 'must be greater than or equal to 0')] : [];
}

/** Finds an amount that is not above zero. */
export function validatePositiveQuantity(text: string, field: string): FieldError[] {
  return isPositiveQuantity(text) ? [] : [invalidValue(field, text, 'must be greater than zero')];
}

/** Negative, zero or positive, as for `Array.sort`. */
export function compareQuantityTexts(left: string, right: string): number {
  return left === right ? 0 : compareQuantities(parseQuantity(left), parseQuantity(right));
}

/** The sum in canonical text; an absent amount is zero. */
export function addQuantityTexts(left: string | undefined, right: string | undefined): string {
  if (left === undefined || left === '0') return right ?? '0';
  if (right === undefined || right === '0') return left;
  return formatQuantity(addQuantities(parseQuantity(left), parseQuantity(right)));
}

/** Whether the amount has no part below one. */
export function isWholeQuantity(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  // In canonical text a fraction shows in the suffix: n, u, m or a negative exponent.
  return last !== 0x6e && last !== 0x75 && last !== 0x6d && !text.includes('e-');
}

/** The amount as a number of thousandths. */
export function milliValue(text: string): bigint {
  const { unscaled, exponent } = parseQuantity(text);
  const power = exponent + 3;
  if (power >= 0) return unscaled * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  const rest = unscaled % divisor;
  return unscaled / divisor + (rest > 0n ? 1n : 0n);
}

/** The amount as a whole number, rounded up. */
export function wholeValue(text: string): bigint {
  const { unscaled, exponent } = parseQuantity(text);
  if (exponent >= 0) return unscaled * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  const rest = unscaled % divisor;
  return unscaled / divisor + (rest > 0n ? 1n : 0n);
}

/** The greater one of two amounts; the first when they are equal. */
export function greaterQuantity(left: string | undefined, right: string): string {
  return left === undefined || compareQuantityTexts(right, left) > 0 ? right : left;
}
