import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, scaledValue } from '../../meta/quantity.ts';

/** Expects a canonical quantity. */
export function isNegativeQuantity(text: string): boolean {
  return text.charCodeAt(0) === 0x2d;
}

/** Expects a canonical quantity, in which zero is always `0`. */
export function isPositiveQuantity(text: string): boolean {
  return text !== '0' && !isNegativeQuantity(text);
}

export function validateNonnegativeQuantity(text: string, field: string): FieldError[] {
  return isNegativeQuantity(text) ? [invalidValue(field, text, 'must be greater than or equal to 0')] : [];
}

export function validatePositiveQuantity(text: string, field: string): FieldError[] {
  return isPositiveQuantity(text) ? [] : [invalidValue(field, text, 'must be greater than zero')];
}

/** A comparison function for `Array.sort`. */
export function compareQuantityTexts(left: string, right: string): number {
  return left === right ? 0 : compareQuantities(parseQuantity(left), parseQuantity(right));
}

/** Returns the sum as a canonical quantity. An absent amount counts as zero. */
export function addQuantityTexts(left: string | undefined, right: string | undefined): string {
  if (left === undefined || left === '0') return right ?? '0';
  if (right === undefined || right === '0') return left;
  return formatQuantity(addQuantities(parseQuantity(left), parseQuantity(right)));
}

/** Whole numbers whose thousandths have fewer than 64 bits. */
const smallWholeQuantity = /^\d{1,6}(?:[KMG]i|[kMG])?$/;

/** Returns whether a quantity is an integer. Kubernetes counts thousandths, and an amount beyond 64 bits overflows. */
export function isWholeQuantity(text: string): boolean {
  return smallWholeQuantity.test(text) || milliValue(text) % 1000n === 0n;
}

/** Returns the number of thousandths, rounded up. */
export function milliValue(text: string): bigint {
  return scaledValue(text, 3);
}

/** Returns the amount rounded up to an integer. */
export function wholeValue(text: string): bigint {
  return scaledValue(text, 0);
}

/** Returns the greater amount, or the first if they are equal. */
export function greaterQuantity(left: string | undefined, right: string): string {
  return left === undefined || compareQuantityTexts(right, left) > 0 ? right : left;
}
