/** Sets a property of any name. A plain assignment to `__proto__` would set the prototype. */
export function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Sorts the keys, as Go's conversion to JSON does. Later errors about the keys are reported in this order. */
export function sortedObject(object: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(object);
  if (keys.every((key, index) => index === 0 || keys[index - 1]! < key)) return object;
  const result: Record<string, unknown> = {};
  for (const key of keys.sort()) define(result, key, object[key]);
  return result;
}
