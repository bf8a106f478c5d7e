/**
 * Returns the value of an own member, never of an inherited one. JSON values contain no functions, and except for
 * `__proto__` all inherited members are functions. Checking for that is several times faster than `Object.hasOwn`.
 */
export function ownMember(object: Readonly<Record<string, unknown>>, key: string): unknown {
  if (key === '__proto__') return Object.hasOwn(object, key) ? object[key] : undefined;
  const value = object[key];
  return typeof value === 'function' ? undefined : value;
}
