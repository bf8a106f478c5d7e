import type { GroupResource } from '../meta/group-version.ts';

const root = '/registry/';

/**
 * The types whose storage keys do not follow the rule of custom resources, by the part of the key after `/registry/`.
 */
export type BuiltInTypes = ReadonlyMap<string, GroupResource>;

export interface TypeOfKey extends GroupResource {
  /** The key prefix of all objects of the type. */
  readonly prefix: string;
}

/**
 * Finds the type of a stored object by its key: `/registry/secrets/default/a`, `/registry/services/specs/default/a`, or
 * `/registry/example.com/widgets/default/a` for custom resources, whose groups always contain a dot. Undefined for
 * other keys.
 */
export function typeOfKey(key: string, types: BuiltInTypes): TypeOfKey | undefined {
  const end = key.indexOf('/', root.length);
  if (!key.startsWith(root) || end < 0) return undefined;
  const first = key.slice(root.length, end);
  const secondEnd = key.indexOf('/', end + 1);
  if (secondEnd >= 0) {
    const both = key.slice(root.length, secondEnd);
    const prefix = key.slice(0, secondEnd + 1);
    const type = types.get(both);
    if (type !== undefined) return { ...type, prefix };
    if (first.includes('.')) return { group: first, resource: key.slice(end + 1, secondEnd), prefix };
  }
  const type = types.get(first);
  return type && { ...type, prefix: key.slice(0, end + 1) };
}
