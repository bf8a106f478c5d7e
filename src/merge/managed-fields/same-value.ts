import { DecodeError } from '../../meta/decode-error.ts';
import { isJsonObject } from '../../meta/json-object.ts';
import { compareQuantities, parseQuantity } from '../../meta/quantity.ts';
import { ownMember } from './own-member.ts';
import { anyShape, entryShape, type Shape } from './shape.ts';

/**
 * Returns whether two values are equivalent. Quantities are compared by amount, regardless of spelling, unless
 * the shape is literal. An omitted field differs from its default: Kubernetes compares the applied configuration without defaults.
 */
export function sameValue(shape: Shape, left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) return Array.isArray(right) && sameItems(itemShape(shape), left, right);
  if (isJsonObject(left)) return isJsonObject(right) && sameMembers(shape, left, right);
  if (shape.type === 'scalar' && shape.kind === 'quantity' && !shape.isLiteral) return sameQuantity(left, right);
  // An integer that is too large for a double is read as a bigint. A floating point number would not be exact.
  if (typeof left === 'bigint') return typeof right === 'number' && Number(left) === right;
  return typeof right === 'bigint' && typeof left === 'number' && Number(right) === left;
}

function itemShape(shape: Shape): Shape {
  return shape.type === 'list' ? shape.items : anyShape;
}

function sameItems(shape: Shape, left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    if (!sameValue(shape, left[index], right[index])) return false;
  }
  return true;
}

function sameMembers(shape: Shape, left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    const field = shape.type === 'struct' ? shape.fields.get(key) : undefined;
    const other = ownMember(right, key);
    const inner = field?.shape ?? entryShape(shape) ?? anyShape;
    if (other === undefined || !sameValue(inner, value, other)) return false;
  }
  for (const key in right) {
    if (right[key] !== undefined && ownMember(left, key) === undefined) return false;
  }
  return true;
}

function sameQuantity(left: unknown, right: unknown): boolean {
  if (left === null || right === null || left === undefined || right === undefined) return false;
  try {
    return compareQuantities(parseQuantity(String(left).trim()), parseQuantity(String(right).trim())) === 0;
  } catch (error) {
    // Validation reports the error later.
    if (error instanceof DecodeError) return false;
    throw error;
  }
}
