import { type FieldError, forbiddenValue, invalidValue } from '../../meta/field-error.ts';

export const immutableDetail = 'field is immutable';

/**
 * Equal as far as the canonical form goes. For the value as a whole null and absent are the same. Not recursive: some fields
 * hold JSON of any depth.
 */
export function isSameValue(next: unknown, stored: unknown): boolean {
  const pairs: [unknown, unknown][] = [[next, stored]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (isNone(left) || isNone(right)) {
      if (isNone(left) && isNone(right)) continue;
      return false;
    }
    if (typeof left !== 'object' || typeof right !== 'object' || !addParts(pairs, left as object, right as object)) {
      return false;
    }
  }
  return true;
}

const isNone = (value: unknown): boolean => value === undefined || value === null;

/** False when it is known already that the two differ. Places that are kept for absent fields do not count. */
function addParts(pairs: [unknown, unknown][], left: object, right: object): boolean {
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

/** Finds a value that is not what it was. `shown` is what the message shows of it, where that is not the value itself. */
export function validateImmutable(
  { next, stored, shown = next }: { readonly next: unknown; readonly stored: unknown; readonly shown?: unknown },
  path: string,
): FieldError[] {
  return isSameValue(next, stored) ? [] : [invalidValue(path, shown, immutableDetail)];
}

/** The parts of a config map or secret that is marked immutable, and the mark itself, which nobody can take back. */
export function validateFrozen(
  next: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
  parts: readonly string[],
): FieldError[] {
  if (stored.immutable !== true) return [];
  const changed = next.immutable === true ? [] : ['immutable'];
  for (const part of parts) {
    if (!isSameValue(next[part], stored[part])) changed.push(part);
  }
  return changed.map((part) => forbiddenValue(part, 'field is immutable when `immutable` is set'));
}
