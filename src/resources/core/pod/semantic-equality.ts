/** Compares JSON values. Absent, null and an empty list are equal, and the order of fields does not matter. */
export function isSemanticallyEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((element, index) => isSemanticallyEqual(element, right[index]));
  }
  const one = left as Record<string, unknown>;
  const other = right as Record<string, unknown>;
  for (const key in one) if (!isSemanticallyEqual(one[key], other[key])) return false;
  for (const key in other) if (!(key in one) && !isNothing(other[key])) return false;
  return true;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
