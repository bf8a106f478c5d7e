import type { RecentBytes } from '../../codec/recent-bytes.ts';
import { keyOrder } from '../../storage/key-order.ts';
import type { CorruptObject } from '../corrupt-object.ts';
import type { ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';
import { Branch } from './branch.ts';
import { Segment } from './segment.ts';
import type { NodeOwner, TreeNode } from './tree-node.ts';

/**
 * An immutable, ordered collection of the objects of a type. A write returns a new version that shares all nodes except
 * the path to the written object. Keeping a reference therefore keeps a snapshot.
 *
 * Writes on behalf of an owner change nodes in place: all versions since that owner's first write become invalid,
 * except the last.
 */
export class OrderedObjects {
  /** The stored objects that cannot be read, in key order. Nearly always empty. */
  readonly corrupt: readonly CorruptObject[];
  readonly #root: TreeNode | undefined;
  readonly #encoded: RecentBytes;

  private constructor(
    root: TreeNode | undefined,
    { encoded, corrupt }: { encoded: RecentBytes; corrupt: readonly CorruptObject[] },
  ) {
    this.#root = root;
    this.#encoded = encoded;
    this.corrupt = corrupt;
  }

  /** `encoded` caches the encoded bytes of frequently read segments. */
  static empty(encoded: RecentBytes): OrderedObjects {
    return new OrderedObjects(undefined, { encoded, corrupt: [] });
  }

  /** Builds the collection from objects in key order without duplicate keys. Faster than individual writes. */
  static of(
    objects: Iterable<StoredObject>,
    encoded: RecentBytes,
    corrupt: readonly CorruptObject[] = [],
  ): OrderedObjects {
    return new OrderedObjects(Branch.rootOf(Segment.allOf(objects, encoded)), { encoded, corrupt });
  }

  get size(): number {
    return this.#root?.size ?? 0;
  }

  /** Returns a copy with the object added or replaced. */
  with(object: StoredObject, owner?: NodeOwner): OrderedObjects {
    const corrupt = this.#corruptBut(object.order);
    if (this.#root === undefined) return OrderedObjects.of([object], this.#encoded, corrupt);
    const root = Branch.rootOf(this.#root.with(object, owner), owner);
    return new OrderedObjects(root, { encoded: this.#encoded, corrupt });
  }

  /** Returns a copy in which the corrupt object replaces the object of its key. */
  withCorrupt(object: CorruptObject): OrderedObjects {
    const rest = this.without(object.key);
    const corrupt = [...rest.corrupt, object].sort((left, right) => (left.order < right.order ? -1 : 1));
    return new OrderedObjects(rest.#root, { encoded: this.#encoded, corrupt });
  }

  /** Returns a copy without the key, or this instance if the key is absent. */
  without(key: string, owner?: NodeOwner): OrderedObjects {
    const order = keyOrder(key);
    const rest = this.#root?.without(order, owner);
    const corrupt = this.#corruptBut(order);
    if (rest === this.#root && corrupt === this.corrupt) return this;
    const root = Branch.rootOf(rest === undefined ? [] : [rest], owner);
    return new OrderedObjects(root, { encoded: this.#encoded, corrupt });
  }

  #corruptBut(order: string): readonly CorruptObject[] {
    const { corrupt } = this;
    if (corrupt.length === 0 || corrupt.every((object) => object.order !== order)) return corrupt;
    return corrupt.filter((object) => object.order !== order);
  }

  get(key: string): StoredObject | undefined {
    return this.#root?.get(keyOrder(key));
  }

  /**
   * Yields the objects with `startKey <= key < endKey`: whole segments where possible, and parts of segments at the
   * ends of the range. Lazy. Later writes do not affect it.
   */
  *runs(startKey: string, endKey: string): Generator<ObjectRun, undefined> {
    if (this.#root !== undefined) yield* this.#root.runs(keyOrder(startKey), keyOrder(endKey));
  }

  /** The number of objects that `runs` would yield, without visiting them. */
  count(startKey: string, endKey: string): number {
    const root = this.#root;
    if (root === undefined) return 0;
    return Math.max(0, root.rank(keyOrder(endKey)) - root.rank(keyOrder(startKey)));
  }
}
