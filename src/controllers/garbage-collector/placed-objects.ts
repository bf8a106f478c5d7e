import type { ResourceObject } from '../../meta/object.ts';
import { type CollectedType, typeKey } from './collected-type.ts';

/** An object of which only type, namespace, name and uid are known. */
export interface PlacedObject {
  readonly uid: string;
  readonly type: CollectedType;
  readonly object: ResourceObject;
}

interface Places {
  readonly type: CollectedType;
  /** Namespace and name, by uid. */
  readonly byUid: Map<string, string>;
}

/**
 * The objects without owners that are not being deleted, which are the majority. Only namespace and name are kept, as
 * one string, because they matter only when another object names one of them as owner.
 */
export class PlacedObjects {
  readonly #types = new Map<string, Places>();

  get size(): number {
    return this.#types.values().reduce((sum, { byUid }) => sum + byUid.size, 0);
  }

  /** Without `key`, all types are searched. */
  get(uid: string, key?: string): PlacedObject | undefined {
    const objects = key === undefined ? this.#find(uid) : this.#types.get(key);
    const namespacedName = objects?.byUid.get(uid);
    return namespacedName === undefined ? undefined : placed(uid, objects!.type, namespacedName);
  }

  put(type: CollectedType, { metadata }: ResourceObject): void {
    const { uid = '', namespace = '', name = '' } = metadata;
    const key = typeKey(type);
    let objects = this.#types.get(key);
    if (objects === undefined) {
      objects = { type, byUid: new Map() };
      this.#types.set(key, objects);
    }
    // A template literal would keep its parts in memory as well.
    const namespacedName = [namespace, name].join('/');
    if (objects.byUid.get(uid) !== namespacedName) objects.byUid.set(uid, namespacedName);
  }

  /** Returns false when the uid is unknown. */
  delete(uid: string): boolean {
    return this.#find(uid)?.byUid.delete(uid) ?? false;
  }

  uidsOf(key: string): Iterable<string> {
    return this.#types.get(key)?.byUid.keys() ?? [];
  }

  #find(uid: string): Places | undefined {
    return this.#types.values().find(({ byUid }) => byUid.get(uid) !== undefined);
  }
}

function placed(uid: string, type: CollectedType, namespacedName: string): PlacedObject {
  const slash = namespacedName.indexOf('/');
  const namespace = namespacedName.slice(0, slash);
  return {
    uid,
    type,
    object: { metadata: { uid, name: namespacedName.slice(slash + 1), ...(namespace && { namespace }) } },
  };
}
