import { sortedObject } from './sorted-object.ts';

interface Place {
  readonly parent: Record<string, unknown> | unknown[];
  readonly key: string | number;
}

/** Sorts the keys of all objects. May modify the value. */
export function sortKeys(value: unknown): unknown {
  const root = [value];
  const places: Place[] = [{ parent: root, key: 0 }];
  // Lists parents before their children, so that the reverse order sorts children first. Not recursive, because the
  // value may be deeply nested.
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
  if (key !== '__proto__') (parent as Record<string | number, unknown>)[key] = value;
}
