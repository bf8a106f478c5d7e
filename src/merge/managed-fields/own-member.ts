/**
 * The value of a member, never of something inherited. JSON holds no functions, and all that objects inherit are functions,
 * but for one name. That is several times faster than to ask whether the member is the object's own.
 */
export function ownMember(object: Readonly<Record<string, unknown>>, key: string): unknown {
  if (key === '__proto__') return Object.hasOwn(object, key) ? object[key] : undefined;
  const value = object[key];
  return typeof value === 'function' ? undefined : value;
}
