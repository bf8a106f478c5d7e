import { Blame } from './blame.ts';
import { isEqual, isObject, type Path } from './path.ts';
import type { Schema, Schemas } from './schema.ts';

interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Record<string, unknown>;
}

export interface Edit {
  /** The current object on the server. */
  readonly live: ApiObject;
  readonly edited: ApiObject;
  readonly manager: string;
  readonly schema?: { readonly schemas: Schemas; readonly root: Schema } | undefined;
}

export interface ApplyConfiguration {
  /** The fields to apply: the changed ones, and those that the manager owns already, which it would lose otherwise. */
  readonly object: Record<string, unknown>;
  /** Fields of other managers that the edit removes. Applying cannot remove them. */
  readonly removed: readonly Path[];
}

/** The server sets these. */
const readOnlyMetadata = [
  'managedFields',
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'generation',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

/**
 * Returns the part of an edited object to send with a server-side apply. The manager does not become the owner of
 * fields that the user did not change.
 */
export function applyConfiguration({ live, edited, manager, schema }: Edit): ApplyConfiguration {
  const removed: Path[] = [];
  const blame = new Blame(live);
  const isOwn = (path: Path) =>
    blame.ownersOf(path).some((owner) => owner.manager === manager && owner.operation === 'Apply');
  const isAlone = (path: Path) => isOwn(path) && blame.ownersOf(path).length === 1;

  const select = (at: { before: unknown; after: unknown; path: Path; schema: Schema | undefined }): unknown => {
    const { before, after, path, schema: own } = at;
    const isAtomic = own?.['x-kubernetes-map-type'] === 'atomic';
    if (isObject(before) && isObject(after) && !isAtomic) {
      for (const name of Object.keys(before)) {
        if (!(name in after) && !isAlone([...path, name])) removed.push([...path, name]);
      }
      const fields = Object.entries(after).flatMap(([name, value]) => {
        const child = own && schema?.schemas.child(own, name);
        const selected = select({ before: before[name], after: value, path: [...path, name], schema: child });
        return selected === undefined ? [] : [[name, selected]];
      });
      return fields.length > 0 || (isOwn(path) && Object.keys(after).length === 0)
        ? Object.fromEntries(fields)
        : undefined;
    }
    const keys = own?.['x-kubernetes-list-type'] === 'map' ? (own['x-kubernetes-list-map-keys'] ?? []) : [];
    if (Array.isArray(before) && Array.isArray(after) && keys.length > 0) {
      const find = (items: readonly unknown[], item: unknown) =>
        items.findIndex(
          (other) => isObject(other) && isObject(item) && keys.every((key) => isEqual(other[key], item[key])),
        );
      before.forEach((item, index) => {
        if (find(after, item) < 0 && !isAlone([...path, index])) removed.push([...path, index]);
      });
      const items = after.flatMap((item) => {
        const index = find(before, item);
        if (index < 0) return [item];
        const child = own && schema?.schemas.child(own, index);
        const selected = select({ before: before[index], after: item, path: [...path, index], schema: child });
        if (!isObject(selected)) return [];
        const identity = Object.fromEntries(
          keys.flatMap((key) => (isObject(item) && key in item ? [[key, item[key]]] : [])),
        );
        const isOnlyIdentity = Object.keys(selected).every((key) => keys.includes(key));
        return isOnlyIdentity && !isOwn([...path, index]) ? [] : [{ ...identity, ...selected }];
      });
      return items.length > 0 ? items : undefined;
    }
    return !isEqual(before, after) || isOwn(path) ? after : undefined;
  };

  const strip = (object: ApiObject) => {
    const metadata = Object.fromEntries(
      Object.entries(object.metadata ?? {}).filter(([name]) => !readOnlyMetadata.includes(name)),
    );
    return { ...object, metadata };
  };
  const before = strip(live);
  const after = strip(edited);
  const root = schema?.schemas.resolve(schema.root);
  const selected = select({ before, after, path: [], schema: root }) as Record<string, unknown> | undefined;
  const { name, namespace } = live.metadata ?? {};
  return {
    object: {
      ...selected,
      apiVersion: edited.apiVersion,
      kind: edited.kind,
      metadata: { ...(selected?.metadata as object | undefined), name, ...(namespace !== undefined && { namespace }) },
    },
    removed,
  };
}
