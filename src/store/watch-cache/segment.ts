import type { RecentBytes } from '../../codec/recent-bytes.ts';
import { type ItemsOptions, ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';
import { RunPart } from './run-part.ts';
import { cutOf, type TreeNode } from './tree-node.ts';

/**
 * A write copies the references to all objects of a segment, and as long as its snapshot is kept, the copy is. With 128
 * objects, at 100,000 in all, a write keeps 1.6 KB; with 64 it is 1.2 KB, with 32 still 1.1 KB, because of the
 * branches. Large segments make for few and long writes of lists: 64 objects of a kilobyte are what one takes at a time.
 */
const maxObjects = 64;
const maxBytes = 256 * 1024;
/** Less than the most, so that what has just been joined is not split again soon. */
const maxJoined = { objects: (maxObjects * 3) / 4, bytes: (maxBytes * 3) / 4 };
/** So much a segment gets when a tree is built at once: the next writes find room. */
const maxBuilt = { objects: (maxObjects * 7) / 8, bytes: (maxBytes * 7) / 8 };

interface SegmentParts {
  readonly objects: readonly StoredObject[];
  /** The bytes of all objects. */
  readonly bytes: number;
  readonly encoded: RecentBytes;
}

/** Some neighbours of the whole order, in their order: a leaf of the tree. */
export class Segment extends ObjectRun implements TreeNode {
  readonly start: string;
  readonly #bytes: number;
  readonly #encoded: RecentBytes;

  private constructor({ objects, bytes, encoded }: SegmentParts) {
    super(objects);
    this.start = objects[0]!.order;
    this.#bytes = bytes;
    this.#encoded = encoded;
  }

  /** Segments of these objects, which come in the order of their keys. */
  static allOf(objects: Iterable<StoredObject>, encoded: RecentBytes): Segment[] {
    const segments: Segment[] = [];
    let next: StoredObject[] = [];
    let bytes = 0;
    const finish = (): void => {
      // A copy, because an array that has grown keeps room for more.
      if (next.length > 0) segments.push(new Segment({ objects: next.slice(), bytes, encoded }));
      next = [];
      bytes = 0;
    };
    for (const object of objects) {
      if (next.length >= maxBuilt.objects || bytes + object.bytes.length > maxBuilt.bytes) finish();
      next.push(object);
      bytes += object.bytes.length;
    }
    finish();
    return segments;
  }

  get size(): number {
    return this.objects.length;
  }

  override first(count: number): ObjectRun {
    return new RunPart(this, 0, count);
  }

  /** Kept for the next reader: lists of a type that nobody writes to cost no copy. */
  override items(itemStart: number, options: ItemsOptions = {}): Buffer {
    if (options.keep === false) return this.#encoded.find(this) ?? super.items(itemStart, options);
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
    else if (from < to) yield new RunPart(this, from, to);
  }

  with(object: StoredObject): Segment[] {
    const encoded = this.#encoded;
    encoded.forget(this);
    const index = this.rank(object.order);
    const present = this.objects[index];
    const replaced = present?.order === object.order ? present : undefined;
    const objects = replaced ? this.objects.with(index, object) : this.objects.toSpliced(index, 0, object);
    // Kept up to date rather than summed up: to visit every object on every write would cost more than all the rest.
    const bytes = this.#bytes + object.bytes.length - (replaced?.bytes.length ?? 0);
    return Segment.#split({ objects, bytes, encoded }, index);
  }

  /** One segment, or several when it has become too large by the object at the index. */
  static #split(parts: SegmentParts, index: number): Segment[] {
    const { objects, bytes, encoded } = parts;
    const { length } = objects;
    if (length === 1 || (length <= maxObjects && bytes <= maxBytes)) return [new Segment(parts)];
    const cut = length > maxObjects || index === length - 1 ? cutOf(length, index) : middleOf(objects, bytes);
    const head = objects.slice(0, cut);
    const tail = objects.slice(cut);
    const headBytes = bytesOf(head);
    return [
      ...Segment.#split({ objects: head, bytes: headBytes, encoded }, index),
      ...Segment.#split({ objects: tail, bytes: bytes - headBytes, encoded }, index - cut),
    ];
  }

  without(order: string): Segment | undefined {
    const index = this.rank(order);
    const removed = this.objects[index];
    if (removed?.order !== order) return this;
    const encoded = this.#encoded;
    encoded.forget(this);
    if (this.objects.length === 1) return undefined;
    const bytes = this.#bytes - removed.bytes.length;
    return new Segment({ objects: this.objects.toSpliced(index, 1), bytes, encoded });
  }

  joinedWith(next: Segment): Segment | undefined {
    const bytes = this.#bytes + next.#bytes;
    if (this.size + next.size > maxJoined.objects || bytes > maxJoined.bytes) return undefined;
    const encoded = this.#encoded;
    encoded.forget(this);
    encoded.forget(next);
    return new Segment({ objects: this.objects.concat(next.objects), bytes, encoded });
  }
}

function bytesOf(objects: readonly StoredObject[]): number {
  let sum = 0;
  for (const { bytes } of objects) sum += bytes.length;
  return sum;
}

/** The index that leaves about half of the bytes before it, and at least one object on either side. */
function middleOf(objects: readonly StoredObject[], bytes: number): number {
  let index = 0;
  let before = 0;
  while (index < objects.length - 1 && before + objects[index]!.bytes.length <= bytes / 2) {
    before += objects[index]!.bytes.length;
    index++;
  }
  return Math.max(1, index);
}
