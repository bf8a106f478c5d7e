import type { ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';

/** Identifies the owner of a node. The owner may change the node in place as long as it is not shared. */
export type NodeOwner = object;

/**
 * A node of the tree: a segment of objects, or a branch over smaller nodes. Nodes are immutable, except for their
 * owner: a write returns replacements that share everything outside the path to the object. All leaves have the same
 * depth, so the children of a branch, and their replacements, are all of the same class.
 */
export interface TreeNode {
  /** The sort key of its first object. */
  readonly start: string;
  /** The number of objects, at least one. */
  readonly size: number;
  get(order: string): StoredObject | undefined;
  /** The number of its objects that come before this sort key. */
  rank(order: string): number;
  /** The objects with a sort key from `start` (inclusive) to `end` (exclusive). Lazy. */
  runs(start: string, end: string): Generator<ObjectRun, undefined>;
  /**
   * Returns the node with the object added or replaced: one node, or several in order if one would be too large. New
   * nodes belong to the owner. Nodes that already belong to the owner are changed in place.
   */
  with(object: StoredObject, owner?: NodeOwner): readonly TreeNode[];
  /** Returns this node if it has no such object, and undefined if no object is left. Changes no node. */
  without(order: string, owner?: NodeOwner): TreeNode | undefined;
  /** Merges this node with `next`, the node after it. Returns undefined if the result would be too large. */
  joinedWith(next: TreeNode, owner?: NodeOwner): TreeNode | undefined;
}

/**
 * Returns the index at which to split a list that became too long because of the item at `index`. Keys are often
 * inserted in ascending order, overall or within a namespace, and lists split in half would then never fill up. The
 * split is therefore chosen so that the next key goes to the end of a list. Random insertion order loses little: its
 * segments are two thirds full either way.
 */
export function splitIndex(length: number, index: number): number {
  const following = length - 1 - index;
  // A few items after the index do not justify a separate list.
  return following < length / 8 ? index : Math.max(length >>> 1, index + 1);
}
