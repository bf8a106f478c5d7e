import { type FieldError, forbiddenValue, invalidValue } from '../../meta/field-error.ts';
import { isExplicitEmpty } from '../../schema/explicit-empty.ts';

export const immutableDetail = 'field is immutable';

/**
 * Compares values in canonical form. At the top level, null and absent are equal. Not recursive, because some fields
 * contain JSON of any depth.
 */
export function isSameValue(
  next: unknown,
  oldValue: unknown,
  { inOrder = false }: { readonly inOrder?: boolean } = {},
): boolean {
  const pairs: [unknown, unknown][] = [[next, oldValue]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (isNone(left) || isNone(right)) {
      if (isNone(left) && isNone(right)) continue;
      return false;
    }
    if (
      typeof left !== 'object' ||
      typeof right !== 'object' ||
      !pushEntries(pairs, left as object, right as object) ||
      (inOrder && !isSameOrder(left as object, right as object))
    ) {
      return false;
    }
  }
  return true;
}

const isNone = (value: unknown): boolean => value === undefined || value === null;

/** Returns false if the keys differ. Properties whose value is undefined count as absent. */
function pushEntries(pairs: [unknown, unknown][], left: object, right: object): boolean {
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const rights = new Map(Object.entries(right).filter(([, value]) => value !== undefined));
  const lefts = Object.entries(left).filter(([, value]) => value !== undefined);
  if (lefts.length !== rights.size) return false;
  for (const [name, value] of lefts) {
    if (!rights.has(name)) return false;
    pairs.push([value, rights.get(name)]);
  }
  return true;
}

/** `shown` replaces the value in the message. */
export function validateImmutable(
  { next, oldValue, shown = next }: { readonly next: unknown; readonly oldValue: unknown; readonly shown?: unknown },
  path: string,
): FieldError[] {
  return isSameValue(next, oldValue) ? [] : [invalidValue(path, shown, immutableDetail)];
}

/**
 * Rejects changes of an immutable config map or secret: of the given fields, and of `immutable` itself. An empty map in
 * place of none is a change.
 */
export function validateImmutableObject(
  next: Readonly<Record<string, unknown>>,
  old: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): FieldError[] {
  if (old.immutable !== true) return [];
  const changed = next.immutable === true ? [] : ['immutable'];
  for (const field of fields) {
    if (isExplicitEmpty(next, field) || !isSameValue(next[field], old[field])) changed.push(field);
  }
  return changed.map((field) => forbiddenValue(field, 'field is immutable when `immutable` is set'));
}

/** Whether two objects with the same keys have them in the same order. */
function isSameOrder(left: object, right: object): boolean {
  const rights = Object.keys(right);
  return Object.keys(left).every((name, index) => name === rights[index]);
}
