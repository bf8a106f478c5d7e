import type { ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';

/**
 * A part of the order: a segment of objects or a branch over smaller parts. It never changes: a write gives what takes its
 * place and shares with it whatever lies beside the way to the object. All leaves are equally deep, so that neighbours
 * in a branch, and what takes their place, are of one kind.
 */
export interface TreeNode {
  /** The order of its first object. */
  readonly start: string;
  /** How many objects it holds, at least one. */
  readonly size: number;
  get(order: string): StoredObject | undefined;
  /** How many of its objects come before this order. */
  rank(order: string): number;
  /** The objects from one order up to, but without, another. Lazy. */
  runs(start: string, end: string): Generator<ObjectRun, undefined>;
  /** With the object put in or replaced: one node, or several in their order when one would be too large. */
  with(object: StoredObject): readonly TreeNode[];
  /** Itself when it has no such object, undefined when nothing is left. */
  without(order: string): TreeNode | undefined;
  /** Both in one, or undefined when they are too large for that. `next` is the neighbour behind this node. */
  joinedWith(next: TreeNode): TreeNode | undefined;
}

/**
 * Where to cut a list that has become too long by what now stands at `index`. Keys often come in ascending order, in the
 * whole or within a namespace, and halves would never fill up again: what comes next shall go to the end of a list. Keys
 * in random order lose little by it: their segments are two thirds full either way.
 */
export function cutOf(length: number, index: number): number {
  const behind = length - 1 - index;
  // Few behind it are no reason for a list of their own.
  return behind < length / 8 ? index : Math.max(length >>> 1, index + 1);
}
