import type { ResourceObject } from '../../meta/object.ts';
import { type CollectedType, typeKey } from './collected-type.ts';

/** An object of which nothing is known but where it is. */
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
 * The many objects that belong to nobody and are not being deleted. Of each only its place is kept, as one string: they matter
 * only when another object says that it belongs to them.
 */
export class PlacedObjects {
  readonly #types = new Map<string, Places>();

  get size(): number {
    return this.#types.values().reduce((sum, { byUid }) => sum + byUid.size, 0);
  }

  /** The type may be left out, for those who do not know it. */
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
    const place = `${namespace}/${name}`;
    if (places.byUid.get(uid) !== place) places.byUid.set(uid, place);
  }

  /** False when there was none. */
  delete(uid: string): boolean {
    return this.#find(uid)?.byUid.delete(uid) ?? false;
  }

  uidsOf(key: string): Iterable<string> {
    return this.#types.get(key)?.byUid.keys() ?? [];
  }

  #find(uid: string): Places | undefined {
    return this.#types.values().find(({ byUid }) => byUid.has(uid));
  }
}

function placed(uid: string, type: CollectedType, place: string): PlacedObject {
  const slash = place.indexOf('/');
  const namespace = place.slice(0, slash);
  return { uid, type, object: { metadata: { uid, name: place.slice(slash + 1), ...(namespace && { namespace }) } } };
}
