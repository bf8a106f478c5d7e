import type { ResourceObject } from '../meta/object.ts';

/** Reads a field of an object for a field selector: the empty string when it is unset. */
export function textAt(path: string): (object: ResourceObject) => string {
  return valueAt(path, '');
}

/** Like `textAt` for a number or boolean, which has its zero value when it is unset. */
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

/** A table whose field labels are the paths of the fields. */
export function textFields(...paths: readonly string[]): Record<string, (object: ResourceObject) => string> {
  return Object.fromEntries(paths.map((path) => [path, textAt(path)]));
}
