import type { StatusCause } from '../api/api-error.ts';
import { isObject, type Path } from './path.ts';

/** A field that another manager owns with another value. */
export interface Conflict {
  readonly manager: string;
  /** The field as the server formats it: `.spec.containers[name="web"].image`. */
  readonly field: string;
}

export function conflictsOf(causes: readonly StatusCause[]): Conflict[] {
  return causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ message = '', field = '' }) => ({
      manager: /^conflict with "((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? message,
      field,
    }));
}

/** Returns the path of a field in an object. Undefined if the object does not have it. */
export function findField(object: unknown, field: string): Path | undefined {
  const path: (string | number)[] = [];
  let value = object;
  for (let rest = field; rest !== ''; ) {
    const item = /^\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]/.exec(rest);
    if (item && Array.isArray(value)) {
      const index = findItem(value, item[1]!);
      if (index < 0) return undefined;
      path.push(index);
      rest = rest.slice(item[0].length);
    } else {
      if (!rest.startsWith('.') || !isObject(value)) return undefined;
      // Names of labels and annotations contain dots, so the longest existing name is used.
      const names = Object.keys(value).filter(
        (name) => rest.startsWith(`.${name}`) && /^($|[.[])/.test(rest.slice(name.length + 1)),
      );
      const name = names.sort((a, b) => b.length - a.length)[0];
      if (name === undefined) return undefined;
      path.push(name);
      rest = rest.slice(name.length + 1);
    }
    value = (value as Record<string | number, unknown>)[path.at(-1)!];
  }
  return path;
}

/** `name="web"`, several keys with commas, `="value"` for sets, or a position. */
function findItem(items: readonly unknown[], selector: string): number {
  if (/^\d+$/.test(selector)) return Number(selector);
  const keys = [...selector.matchAll(/([^=,]*)=("(?:[^"\\]|\\.)*"|[^,]*)/g)].map(([, key, value]) => ({
    key: key!,
    value: JSON.parse(value!) as unknown,
  }));
  return items.findIndex((item) =>
    keys.every(({ key, value }) => (key === '' ? item === value : isObject(item) && item[key] === value)),
  );
}

/** Returns a copy of an object without a field. */
export function withoutField(object: unknown, path: Path): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined || typeof object !== 'object' || object === null) return object;
  if (Array.isArray(object)) {
    return rest.length === 0
      ? object.filter((_, index) => index !== segment)
      : object.map((item, index) => (index === segment ? withoutField(item, rest) : item));
  }
  const { [segment]: inner, ...others } = object as Record<string | number, unknown>;
  return rest.length === 0 || inner === undefined ? others : { ...others, [segment]: withoutField(inner, rest) };
}
