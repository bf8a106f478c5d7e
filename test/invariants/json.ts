export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Member names and list indexes. */
export type Path = readonly (string | number)[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the path; undefined when it is absent. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isObject(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

/** Returns a copy with another value at the path, whose parent must exist. Undefined removes the value. */
export function set(object: JsonObject, path: Path, value: Json | undefined): JsonObject {
  const copy = structuredClone(object);
  const owner = at(copy, path.slice(0, -1)) as JsonObject | Json[];
  const step = path.at(-1)!;
  if (value !== undefined) (owner as JsonObject)[step] = structuredClone(value);
  else if (Array.isArray(owner)) owner.splice(Number(step), 1);
  else delete owner[step];
  return copy;
}

export function hasNull(value: Json): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(hasNull));
}

/** Compares documents, ignoring the order of members. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((value, index) => isSame(value, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]));
}

/** A place where two documents differ. Undefined where a document has no such place. */
export interface Difference {
  readonly path: Path;
  readonly left: unknown;
  readonly right: unknown;
}

/** Returns every place where two documents differ. Lists of different lengths differ as a whole. */
export function differingPlaces(left: unknown, right: unknown, path: Path = []): Difference[] {
  if (isSame(left, right)) return [];
  if (isObject(left) && isObject(right)) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    const member = (object: JsonObject, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
    return [...names].flatMap((name) => differingPlaces(member(left, name), member(right, name), [...path, name]));
  }
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    return left.flatMap((value, index) => differingPlaces(value, right[index], [...path, index]));
  }
  return [{ path, left, right }];
}

/** Returns the first few paths where two documents differ. */
export function differences(left: unknown, right: unknown): string[] {
  return differingPlaces(left, right)
    .slice(0, 5)
    .map(({ path, left: one, right: other }) => `${pathText(path)}: ${short(one)} | ${short(other)}`);
}

/** Such as `.spec.containers[0]`. */
function pathText(path: Path): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}

export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}
