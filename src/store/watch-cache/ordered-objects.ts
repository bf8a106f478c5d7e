import type { RecentBytes } from '../../codec/recent-bytes.ts';
import { keyOrder } from '../../storage/key-order.ts';
import type { CorruptObject } from '../corrupt-object.ts';
import type { ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';
import { Branch } from './branch.ts';
import { Segment } from './segment.ts';
import type { TreeNode } from './tree-node.ts';

/**
 * The objects of a type in the order of their keys, at one moment. It never changes: a write gives another one, which shares
 * everything with it but the path to the object. So whoever keeps a reference has a snapshot.
 */
export class OrderedObjects {
  /** What is there and cannot be read, in the order of the keys. Nearly always nothing. */
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

  /** `encoded` keeps the bytes of segments that are read often. */
  static empty(encoded: RecentBytes): OrderedObjects {
    return new OrderedObjects(undefined, { encoded, corrupt: [] });
  }

  /** From objects in the order of their keys, each key once: faster than one write after the other. */
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

  /** The same with this object put in or replaced. */
  with(object: StoredObject): OrderedObjects {
    const corrupt = this.#corruptBut(object.order);
    if (this.#root === undefined) return OrderedObjects.of([object], this.#encoded, corrupt);
    return new OrderedObjects(Branch.rootOf(this.#root.with(object)), { encoded: this.#encoded, corrupt });
  }

  /** The same with something in place of the key's object that cannot be read. */
  withCorrupt(object: CorruptObject): OrderedObjects {
    const rest = this.without(object.key);
    const corrupt = [...rest.corrupt, object].sort((left, right) => (left.order < right.order ? -1 : 1));
    return new OrderedObjects(rest.#root, { encoded: this.#encoded, corrupt });
  }

  /** The same without the key; itself when there is none. */
  without(key: string): OrderedObjects {
    const order = keyOrder(key);
    const rest = this.#root?.without(order);
    const corrupt = this.#corruptBut(order);
    if (rest === this.#root && corrupt === this.corrupt) return this;
    return new OrderedObjects(Branch.rootOf(rest === undefined ? [] : [rest]), { encoded: this.#encoded, corrupt });
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
   * The objects from one key up to, but without, another: whole segments as they are, and what is cut off of others. Lazy;
   * may be read at any time, whatever is written meanwhile.
   */
  *runs(startKey: string, endKey: string): Generator<ObjectRun, undefined> {
    if (this.#root !== undefined) yield* this.#root.runs(keyOrder(startKey), keyOrder(endKey));
  }

  /** How many objects `runs` would give, without visiting them. */
  count(startKey: string, endKey: string): number {
    const root = this.#root;
    if (root === undefined) return 0;
    return Math.max(0, root.rank(keyOrder(endKey)) - root.rank(keyOrder(startKey)));
  }
}
