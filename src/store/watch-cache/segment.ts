import type { RecentBytes } from '../../codec/recent-bytes.ts';
import { type ItemsOptions, ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';
import { RunSlice } from './run-slice.ts';
import { type NodeOwner, splitIndex, type TreeNode } from './tree-node.ts';

/**
 * A write to a shared segment copies the references to all its objects, and the copy lives as long as its snapshot. At
 * 100,000 objects, a write retains 1.6 KB with segments of 128 objects, 1.2 KB with 64, and still 1.1 KB with 32,
 * because of the branches. Larger segments make lists cheaper to send, with fewer and longer writes: a list is written
 * 64 objects of a kilobyte at a time.
 */
const maxObjects = 64;
const maxBytes = 256 * 1024;
/** Below the maximum, so that a segment that has just been merged is not split again soon. */
const maxJoined = { objects: (maxObjects * 3) / 4, bytes: (maxBytes * 3) / 4 };
/** The fill of segments when a tree is built in bulk. Leaves space for later writes. */
const maxBuilt = { objects: (maxObjects * 7) / 8, bytes: (maxBytes * 7) / 8 };

interface SegmentOptions {
  readonly objects: readonly StoredObject[];
  /** The total bytes of all objects. */
  readonly bytes: number;
  readonly encoded: RecentBytes;
  readonly owner?: NodeOwner | undefined;
}

/** A leaf of the tree: a contiguous range of objects in key order. */
export class Segment extends ObjectRun implements TreeNode {
  start: string;
  #bytes: number;
  readonly #encoded: RecentBytes;
  readonly #owner: NodeOwner | undefined;
  #identity: object | undefined;
  /** Whether the segment belongs to past states only. */
  #isReplaced = false;

  private constructor({ objects, bytes, encoded, owner }: SegmentOptions) {
    super(objects);
    this.start = objects[0]!.order;
    this.#bytes = bytes;
    this.#encoded = encoded;
    this.#owner = owner;
  }

  /** Splits these objects, which are in key order, into segments. */
  static allOf(objects: Iterable<StoredObject>, encoded: RecentBytes): Segment[] {
    const segments: Segment[] = [];
    let next: StoredObject[] = [];
    let bytes = 0;
    const finish = (): void => {
      // Copied, because an array that has grown has spare capacity.
      if (next.length > 0) segments.push(new Segment({ objects: next.slice(), bytes, encoded }));
      next = [];
      bytes = 0;
    };
    for (const object of objects) {
      if (next.length >= maxBuilt.objects || bytes + object.size > maxBuilt.bytes) finish();
      next.push(object);
      bytes += object.size;
    }
    finish();
    return segments;
  }

  get size(): number {
    return this.objects.length;
  }

  /** Not the segment itself, because a cache key must not keep the segment and its objects alive. */
  override get identity(): object {
    this.#identity ??= {};
    return this.#identity;
  }

  override first(count: number): ObjectRun {
    return new RunSlice(this, 0, count);
  }

  /**
   * The items are cached for later readers, so that repeated lists of a type without writes need no copy. They are not
   * cached if the segment was replaced while a list is being sent: nothing would remove the entry, which keeps the past
   * objects and their slabs alive.
   */
  override items(itemStart: number, options: ItemsOptions = {}): Buffer {
    if (options.keep === false || this.#isReplaced) return this.#encoded.find(this) ?? super.items(itemStart, options);
    return this.#encoded.of(this, () => super.items(itemStart));
  }

  override get bytes(): number {
    return this.#bytes;
  }

  get(order: string): StoredObject | undefined {
    const object = this.objects[this.rank(order)];
    return object?.order === order ? object : undefined;
  }

  rank(order: string): number {
    let low = 0;
    let high = this.objects.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.objects[middle]!.order < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  *runs(start: string, end: string): Generator<ObjectRun, undefined> {
    const from = this.rank(start);
    const to = this.rank(end);
    if (from === 0 && to === this.objects.length) yield this;
    else if (from < to) yield new RunSlice(this, from, to);
  }

  with(object: StoredObject, owner?: NodeOwner): Segment[] {
    const encoded = this.#encoded;
    const index = this.rank(object.order);
    const present = this.objects[index];
    const replaced = present?.order === object.order ? present : undefined;
    // Updated incrementally: summing over all objects on every write would dominate its cost.
    const bytes = this.#bytes + object.size - (replaced?.size ?? 0);
    const length = this.objects.length + (replaced ? 0 : 1);
    if (owner !== undefined && owner === this.#owner && length <= maxObjects && bytes <= maxBytes) {
      // This segment has not been shared, so nothing is cached for it.
      (this.objects as StoredObject[]).splice(index, replaced ? 1 : 0, object);
      this.#bytes = bytes;
      this.start = this.objects[0]!.order;
      return [this];
    }
    this.#replace();
    const objects = replaced ? this.objects.with(index, object) : this.objects.toSpliced(index, 0, object);
    return Segment.#split({ objects, bytes, encoded, owner }, index);
  }

  /** Returns one segment, or several if the object at the index made it too large. */
  static #split(options: SegmentOptions, index: number): Segment[] {
    const { objects, bytes, encoded, owner } = options;
    const { length } = objects;
    if (length === 1 || (length <= maxObjects && bytes <= maxBytes)) return [new Segment(options)];
    const cut = length > maxObjects || index === length - 1 ? splitIndex(length, index) : middleOf(objects, bytes);
    const head = objects.slice(0, cut);
    const tail = objects.slice(cut);
    const headBytes = bytesOf(head);
    return [
      ...Segment.#split({ objects: head, bytes: headBytes, encoded, owner }, index),
      ...Segment.#split({ objects: tail, bytes: bytes - headBytes, encoded, owner }, index - cut),
    ];
  }

  without(order: string, owner?: NodeOwner): Segment | undefined {
    const index = this.rank(order);
    const removed = this.objects[index];
    if (removed?.order !== order) return this;
    const encoded = this.#encoded;
    this.#replace();
    if (this.objects.length === 1) return undefined;
    const bytes = this.#bytes - removed.size;
    return new Segment({ objects: this.objects.toSpliced(index, 1), bytes, encoded, owner });
  }

  #replace(): void {
    this.#isReplaced = true;
    this.#encoded.forget(this);
  }

  joinedWith(next: Segment, owner?: NodeOwner): Segment | undefined {
    const bytes = this.#bytes + next.#bytes;
    if (this.size + next.size > maxJoined.objects || bytes > maxJoined.bytes) return undefined;
    const encoded = this.#encoded;
    this.#replace();
    next.#replace();
    return new Segment({ objects: this.objects.concat(next.objects), bytes, encoded, owner });
  }
}

function bytesOf(objects: readonly StoredObject[]): number {
  let sum = 0;
  for (const { size } of objects) sum += size;
  return sum;
}

/** The index that splits the bytes about in half, with at least one object on either side. */
function middleOf(objects: readonly StoredObject[], bytes: number): number {
  let index = 0;
  let before = 0;
  while (index < objects.length - 1 && before + objects[index]!.size <= bytes / 2) {
    before += objects[index]!.size;
    index++;
  }
  return Math.max(1, index);
}
