import { keyOrder } from '../../storage/key-order.ts';
import type { ObjectIndex } from '../object-scope.ts';
import type { StoredObject } from '../stored-object.ts';

/** The current objects by their values of one index. */
export class IndexedObjects {
  readonly #index: ObjectIndex;
  readonly #byValue = new Map<string, Map<string, StoredObject>>();

  constructor(index: ObjectIndex, objects: Iterable<StoredObject>) {
    this.#index = index;
    for (const object of objects) this.#add(object);
  }

  replace(previous: StoredObject | undefined, next: StoredObject | undefined): void {
    if (previous !== undefined) this.#remove(previous);
    if (next !== undefined) this.#add(next);
  }

  /** The objects with this value and the prefix whose key comes after `startKey`, in key order. */
  having(value: string, { prefix, startKey }: { prefix: string; startKey: string }): StoredObject[] {
    const start = keyOrder(startKey);
    const found: StoredObject[] = [];
    for (const object of this.#byValue.get(value)?.values() ?? []) {
      if (object.order >= start && object.key.startsWith(prefix)) found.push(object);
    }
    return found.sort((left, right) => (left.order < right.order ? -1 : 1));
  }

  #add(object: StoredObject): void {
    const value = this.#index.valueOf(object);
    const present = this.#byValue.get(value);
    if (present === undefined) this.#byValue.set(value, new Map([[object.key, object]]));
    else present.set(object.key, object);
  }

  #remove(object: StoredObject): void {
    const value = this.#index.valueOf(object);
    const present = this.#byValue.get(value);
    present?.delete(object.key);
    if (present?.size === 0) this.#byValue.delete(value);
  }
}
