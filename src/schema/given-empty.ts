/**
 * The canonical form has no empty lists and maps: they are absent, as after storage. Some results still depend on
 * whether a request contains an empty one or none: the ownership of fields that are always written, and values in
 * messages. The objects of such a request carry this information. The property is neither encoded nor enumerated with
 * the fields, and copies of an object have it.
 */
const emptyFields = Symbol('fields given as empty lists or maps');

interface Noted {
  [emptyFields]?: readonly string[];
}

export function noteGivenEmpty(object: object, field: string): void {
  const noted = object as Noted;
  noted[emptyFields] = [...(noted[emptyFields] ?? []), field];
}

const anywhere = Symbol('has empty lists or maps');

/** Marks a whole object as having such information, so that most objects need not be searched. */
export function markGivenEmpty(root: object): void {
  (root as { [anywhere]?: boolean })[anywhere] = true;
}

/** Whether any part of a whole object has information about an empty list or map. */
export function isMarkedGivenEmpty(root: object): boolean {
  return (root as { [anywhere]?: boolean })[anywhere] === true;
}

/** Returns the fields that the request has as empty lists or maps and that have not been set since. */
export function givenEmptyFields(object: object): readonly string[] {
  const fields = (object as Noted)[emptyFields];
  return fields === undefined ? none : fields.filter((field) => isUnset(object, field));
}

const none: readonly string[] = [];

export function isGivenEmpty(object: object | null | undefined, field: string): boolean {
  if (object === null || object === undefined) return false;
  return (object as Noted)[emptyFields]?.includes(field) === true && isUnset(object, field);
}

/** Returns the value of a field as the request has it. */
export function givenValue(object: object, field: string, empty: object): unknown {
  return isGivenEmpty(object, field) ? empty : (object as Record<string, unknown>)[field];
}

function isUnset(object: object, field: string): boolean {
  const value = (object as Record<string, unknown>)[field];
  return value === undefined || value === null;
}

/** Whether a value has an empty list or map at any depth. */
export function hasGivenEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasGivenEmpty);
  if (givenEmptyFields(value).length > 0) return true;
  for (const key in value) if (hasGivenEmpty((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** Copies the information of an object to its canonical form, which has the same lists and maps. */
export function keepGivenEmpty(object: unknown, canonical: unknown): void {
  if (typeof object !== 'object' || object === null || typeof canonical !== 'object' || canonical === null) return;
  const fields = (object as Noted)[emptyFields];
  if (fields !== undefined) (canonical as Noted)[emptyFields] = fields;
  for (const key of Object.keys(canonical)) {
    keepGivenEmpty((object as Record<string, unknown>)[key], (canonical as Record<string, unknown>)[key]);
  }
}
