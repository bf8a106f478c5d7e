import type { CorruptObject } from '../corrupt-object.ts';
import type { StoredObject } from '../stored-object.ts';
import type { OrderedObjects } from './ordered-objects.ts';
import type { NodeOwner } from './tree-node.ts';

/**
 * The current objects of a type. Most states are replaced before they are listed, so writes change the nodes in place.
 * After a state has been taken as a snapshot, the following writes copy the nodes that they change.
 */
export class CurrentObjects {
  #objects: OrderedObjects;
  #owner: NodeOwner = {};
  #isTaken = false;

  constructor(objects: OrderedObjects) {
    this.#objects = objects;
  }

  get size(): number {
    return this.#objects.size;
  }

  get corrupt(): readonly CorruptObject[] {
    return this.#objects.corrupt;
  }

  /** The number of objects with `startKey <= key < endKey`. */
  count(startKey: string, endKey: string): number {
    return this.#objects.count(startKey, endKey);
  }

  /** A different object after each write. */
  get identity(): object {
    return this.#objects;
  }

  /** Whether a snapshot of the state has been taken. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Returns a snapshot of the state, which later writes do not change. */
  take(): OrderedObjects {
    this.#isTaken = true;
    return this.#objects;
  }

  put(object: StoredObject): void {
    this.#write((objects, owner) => objects.with(object, owner));
  }

  delete(key: string): void {
    this.#write((objects, owner) => objects.without(key, owner));
  }

  /** Replaces the object of its key by the corrupt object. */
  putCorrupt(object: CorruptObject): void {
    this.#write((objects) => objects.withCorrupt(object));
  }

  #write(change: (objects: OrderedObjects, owner: NodeOwner) => OrderedObjects): void {
    if (this.#isTaken) this.#owner = {};
    this.#isTaken = false;
    this.#objects = change(this.#objects, this.#owner);
  }
}
