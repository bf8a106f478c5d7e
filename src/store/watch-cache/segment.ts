import { itemSize, ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';
import type { RecentBytes } from './recent-bytes.ts';

const mostObjects = 128;
const mostBytes = 256 * 1024;
/** Two neighbours that are smaller than this together become one. */
const fewObjects = 32;

/** Some neighbours of the whole order. Never changes: a write makes a new one, and readers of the old one go on. */
export class Segment extends ObjectRun {
  /** The orders of its first and last object. */
  readonly start: string;
  readonly end: string;
  readonly #bytes: number;
  readonly #encoded: RecentBytes;

  private constructor(objects: readonly StoredObject[], { bytes, encoded }: { bytes: number; encoded: RecentBytes }) {
    super(objects);
    this.start = objects[0]!.order;
    this.end = objects[objects.length - 1]!.order;
    this.#bytes = bytes;
    this.#encoded = encoded;
  }

  static of(objects: readonly StoredObject[], encoded: RecentBytes): Segment {
    return new Segment(objects, { bytes: objects.reduce((sum, { bytes }) => sum + bytes.length, 0), encoded });
  }

  override first(count: number): ObjectRun {
    return this.part(0, count);
  }

  /** Kept for the next reader: lists of a type that nobody writes to cost no copy. */
  override items(itemStart: number): Buffer {
    return this.#encoded.of(this, () => super.items(itemStart));
  }

  /** The objects from one index up to another. */
  part(from: number, to: number): ObjectRun {
    return new SegmentPart(this, from, to);
  }

  /** The first index whose order is not smaller. */
  indexOf(order: string): number {
    let low = 0;
    let high = this.objects.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.objects[middle]!.order < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** What takes the place of this segment when the object is put in: two of them when it has grown too large. */
  with(object: StoredObject): Segment[] {
    const encoded = this.#encoded;
    encoded.forget(this);
    const index = this.indexOf(object.order);
    const replaced = this.objects[index]?.key === object.key ? this.objects[index] : undefined;
    const objects = this.objects.slice();
    objects.splice(index, replaced === undefined ? 0 : 1, object);
    // Kept up to date rather than summed up: to visit every object on every write would cost more than all the rest.
    const bytes = this.#bytes + object.bytes.length - (replaced?.bytes.length ?? 0);
    if (objects.length <= mostObjects && (bytes <= mostBytes || objects.length === 1)) {
      return [new Segment(objects, { bytes, encoded })];
    }
    const middle = objects.length >>> 1;
    return [objects.slice(0, middle), objects.slice(middle)].map((half) => Segment.of(half, encoded));
  }

  /** Without the object at the index; undefined when nothing is left. */
  without(index: number): Segment | undefined {
    const encoded = this.#encoded;
    encoded.forget(this);
    if (this.objects.length === 1) return undefined;
    const bytes = this.#bytes - this.objects[index]!.bytes.length;
    return new Segment(this.objects.toSpliced(index, 1), { bytes, encoded });
  }

  /** Both in one, if that is worth it. */
  joinedWith(next: Segment): Segment | undefined {
    const bytes = this.#bytes + next.#bytes;
    if (this.objects.length + next.objects.length > fewObjects || bytes > mostBytes) return undefined;
    return new Segment([...this.objects, ...next.objects], { bytes, encoded: this.#encoded });
  }
}

/** A part of a segment, whose bytes are a part of the segment's. */
class SegmentPart extends ObjectRun {
  readonly #segment: Segment;
  readonly #from: number;

  constructor(segment: Segment, from: number, to: number) {
    super(segment.objects.slice(from, to));
    this.#segment = segment;
    this.#from = from;
  }

  override items(itemStart: number): Buffer {
    const size = (total: number, { bytes }: StoredObject): number => total + itemSize(bytes, itemStart);
    const start = this.#segment.objects.slice(0, this.#from).reduce(size, 0);
    return this.#segment.items(itemStart).subarray(start, this.objects.reduce(size, start));
  }

  override first(count: number): ObjectRun {
    return this.#segment.part(this.#from, this.#from + count);
  }
}
