/**
 * A JSON object as plain data: any string can be a key, including `__proto__` and `constructor`. A member whose value
 * is undefined counts as absent, because typed code produces such members.
 */
export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of an own member, never of an inherited one. */
export function memberOf(object: Readonly<JsonObject>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function setMember(object: JsonObject, key: string, value: unknown): void {
  // Assigning to `__proto__` would change the prototype instead.
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

export function entriesOf(object: Readonly<JsonObject>): [string, unknown][] {
  const entries: [string, unknown][] = [];
  // Twice as fast as filtering `Object.entries` of a large object.
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) entries.push([key, value]);
  }
  return entries;
}

export function objectOf(entries: Iterable<readonly [string, unknown]>): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of entries) setMember(object, key, value);
  return object;
}

/** Returns a shallow copy. */
export function copyOf(object: Readonly<JsonObject>): JsonObject {
  return { ...object };
}

/** Builds an object with sorted keys, as Kubernetes writes objects that a patch has passed through. */
export function sortedObject(entries: readonly (readonly [string, unknown])[]): JsonObject {
  const isSorted = entries.every(([key], index) => index === 0 || entries[index - 1]![0] <= key);
  return objectOf(isSorted ? entries : entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

export function isJsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((value, index) => isJsonEqual(value, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const entries = entriesOf(left);
  if (entries.length !== entriesOf(right).length) return false;
  return entries.every(([key, value]) => isJsonEqual(value, memberOf(right, key)));
}
