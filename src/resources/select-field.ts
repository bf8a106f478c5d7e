import type { ResourceObject } from '../meta/object.ts';

/** Reads a field for a field selector. An unset field is the empty string. */
export function textAt(path: string): (object: ResourceObject) => string {
  return valueAt(path, '');
}

/** Like `textAt`, for numbers and booleans. An unset field has the given zero value. */
export function valueAt(path: string, zero: string): (object: ResourceObject) => string {
  const steps = path.split('.');
  return (object) => {
    let value: unknown = object;
    for (const step of steps) {
      value = (value as Record<string, unknown> | null | undefined)?.[step];
    }
    return value === undefined || value === null ? zero : String(value);
  };
}

/** Returns selectors whose labels are the paths of the fields. */
export function textFields(...paths: readonly string[]): Record<string, (object: ResourceObject) => string> {
  return Object.fromEntries(paths.map((path) => [path, textAt(path)]));
}
