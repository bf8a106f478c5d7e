import { define, sortedObject } from './sorted-object.ts';

/** The nesting up to which recursion cannot exceed the stack, whoever calls. */
const maxRecursion = 100;

/** Sorts the keys of all objects. May modify the value. */
export function sortKeys(value: unknown): unknown {
  return sorted(value, 0);
}

function sorted(value: unknown, depth: number): unknown {
  if (!isContainer(value)) return value;
  if (depth === maxRecursion) return sortedDeep(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (isContainer(value[at])) value[at] = sorted(value[at], depth + 1);
    return value;
  }
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (isContainer(member)) define(value, key, sorted(member, depth + 1));
  }
  return sortedObject(value);
}

interface Place {
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

/** The same without recursion. */
function sortedDeep(value: unknown): unknown {
  const root = [value];
  const places: Place[] = [{ parent: root, key: 0 }];
  // Lists parents before their children, so that the reverse order sorts children first.
  for (let at = 0; at < places.length; at++) {
    const container = get(places[at]!);
    if (Array.isArray(container)) {
      container.forEach((item, key) => {
        if (isContainer(item)) places.push({ parent: container, key });
      });
    } else if (isContainer(container)) {
      for (const key of Object.keys(container)) {
        if (isContainer(container[key])) places.push({ parent: container, key });
      }
    }
  }
  for (const place of places.reverse()) {
    const container = get(place);
    if (isContainer(container) && !Array.isArray(container)) set(place, sortedObject(container));
  }
  return root[0];
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function get({ parent, key }: Place): unknown {
  return (parent as Record<string | number, unknown>)[key];
}

function set({ parent, key }: Place, value: unknown): void {
  define(parent as Record<string, unknown>, String(key), value);
}
