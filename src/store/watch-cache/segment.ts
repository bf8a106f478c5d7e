import { itemSize, ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';
import type { RecentBytes } from './recent-bytes.ts';

const mostObjects = 128;
const mostBytes = 256 * 1024;
/** Two neighbours that are smaller than this together become one. */
const fewObjects = 32;

/** Some neighbours of the whole order. Never changes: a write makes a new one, and readers of the old one go on. */
export class Segment extends ObjectRun {
  readonly bytes: number;
  readonly #encoded: RecentBytes;

  constructor(objects: readonly StoredObject[], encoded: RecentBytes) {
    super(objects);
    this.#encoded = encoded;
    let bytes = 0;
    for (const object of objects) bytes += object.bytes.length;
    this.bytes = bytes;
  }

  /** The order of its first object. */
  get start(): string {
    return this.objects[0]!.order;
  }

  /** The order of its last object. */
  get end(): string {
    return this.objects[this.objects.length - 1]!.order;
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
    const index = this.indexOf(object.order);
    const objects = this.objects.slice();
    objects.splice(index, objects[index]?.key === object.key ? 1 : 0, object);
    this.#encoded.forget(this);
    const whole = new Segment(objects, this.#encoded);
    if (objects.length <= mostObjects && (whole.bytes <= mostBytes || objects.length === 1)) return [whole];
    const middle = objects.length >>> 1;
    return [objects.slice(0, middle), objects.slice(middle)].map((half) => new Segment(half, this.#encoded));
  }

  /** Without the object at the index; undefined when nothing is left. */
  without(index: number): Segment | undefined {
    this.#encoded.forget(this);
    if (this.objects.length === 1) return undefined;
    return new Segment(this.objects.toSpliced(index, 1), this.#encoded);
  }

  /** Both in one, if that is worth it. */
  joinedWith(next: Segment): Segment | undefined {
    if (this.objects.length + next.objects.length > fewObjects || this.bytes + next.bytes > mostBytes) return undefined;
    return new Segment([...this.objects, ...next.objects], this.#encoded);
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
