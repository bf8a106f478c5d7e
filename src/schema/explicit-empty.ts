/**
 * The canonical form has no empty lists and maps: they are absent, as after storage. Some results still depend on
 * whether a request contains an empty one or none: the ownership of fields that are always written, and values in
 * messages. The objects of such a request carry this information. The property is neither encoded nor enumerated with
 * the fields, and copies of an object have it.
 */
const emptyFields = Symbol('fields given as empty lists or maps');

interface Marked {
  [emptyFields]?: readonly string[];
}

export function recordExplicitEmpty(object: object, field: string): void {
  const marked = object as Marked;
  marked[emptyFields] = [...(marked[emptyFields] ?? []), field];
}

const anywhere = Symbol('has empty lists or maps');

/** Marks a whole object as having such information, so that most objects need not be searched. */
export function markExplicitEmpty(root: object): void {
  (root as { [anywhere]?: boolean })[anywhere] = true;
}

/** Whether any part of a whole object has information about an empty list or map. */
export function isMarkedExplicitEmpty(root: object): boolean {
  return (root as { [anywhere]?: boolean })[anywhere] === true;
}

/** Returns the fields that the request has as empty lists or maps and that have not been set since. */
export function explicitEmptyFields(object: object): readonly string[] {
  const fields = (object as Marked)[emptyFields];
  return fields === undefined ? none : fields.filter((field) => isUnset(object, field));
}

const none: readonly string[] = [];

export function isExplicitEmpty(object: object | null | undefined, field: string): boolean {
  if (object === null || object === undefined) return false;
  return (object as Marked)[emptyFields]?.includes(field) === true && isUnset(object, field);
}

/** Returns the value of a field as the request has it. */
export function explicitValue(object: object, field: string, empty: object): unknown {
  return isExplicitEmpty(object, field) ? empty : (object as Record<string, unknown>)[field];
}

function isUnset(object: object, field: string): boolean {
  const value = (object as Record<string, unknown>)[field];
  return value === undefined || value === null;
}

/** Whether a value has an empty list or map at any depth. */
export function hasExplicitEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasExplicitEmpty);
  if (explicitEmptyFields(value).length > 0) return true;
  for (const key in value) if (hasExplicitEmpty((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** Copies the information of an object to its canonical form, which has the same lists and maps. */
export function copyExplicitEmpty(object: unknown, canonical: unknown): void {
  if (typeof object !== 'object' || object === null || typeof canonical !== 'object' || canonical === null) return;
  const fields = (object as Marked)[emptyFields];
  if (fields !== undefined) (canonical as Marked)[emptyFields] = fields;
  for (const key of Object.keys(canonical)) {
    copyExplicitEmpty((object as Record<string, unknown>)[key], (canonical as Record<string, unknown>)[key]);
  }
}
