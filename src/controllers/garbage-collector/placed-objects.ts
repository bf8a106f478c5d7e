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
    const places = key === undefined ? this.#find(uid) : this.#types.get(key);
    const place = places?.byUid.get(uid);
    return place === undefined ? undefined : placed(uid, places!.type, place);
  }

  put(type: CollectedType, { metadata }: ResourceObject): void {
    const { uid = '', namespace = '', name = '' } = metadata;
    const key = typeKey(type);
    let places = this.#types.get(key);
    if (places === undefined) {
      places = { type, byUid: new Map() };
      this.#types.set(key, places);
    }
    // A template literal would keep its parts in memory as well.
    const place = [namespace, name].join('/');
    if (places.byUid.get(uid) !== place) places.byUid.set(uid, place);
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

function placed(uid: string, type: CollectedType, place: string): PlacedObject {
  const slash = place.indexOf('/');
  const namespace = place.slice(0, slash);
  return { uid, type, object: { metadata: { uid, name: place.slice(slash + 1), ...(namespace && { namespace }) } } };
}
