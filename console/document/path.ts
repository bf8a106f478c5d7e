/** The position of a value in an object: names of fields and indexes in lists. */
export type Path = readonly (string | number)[];

/** A path as a key of a map. */
export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** A path as messages of the API write it: `.spec.containers[0].image`. */
export function formatPath(path: Path): string {
  return path
    .map((segment) =>
      typeof segment === 'number' ? `[${segment}]` : isPlain(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`,
    )
    .join('');
}

function isPlain(name: string): boolean {
  return /^[A-Za-z_][\w-]*$/.test(name);
}

export function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const segment of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<string | number, unknown>)[segment];
  }
  return current;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}
