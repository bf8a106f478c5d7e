import { keyOrder } from '../../storage/key-order.ts';
import type { ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';
import type { RecentBytes } from './recent-bytes.ts';
import { Segment } from './segment.ts';

/**
 * The objects of a type in the order of their keys, in segments that never change. A write replaces one segment; whoever has
 * taken a snapshot before keeps all the old ones, for the price of a copy of the references to them.
 */
export class OrderedObjects {
  readonly #encoded: RecentBytes;
  #segments: Segment[];
  #size: number;
  /** The array of segments belongs to a snapshot, too. */
  #shared = false;

  private constructor(parts: { segments: Segment[]; encoded: RecentBytes; size: number }) {
    this.#segments = parts.segments;
    this.#encoded = parts.encoded;
    this.#size = parts.size;
  }

  /** `encoded` keeps the bytes of segments that are read often. */
  static empty(encoded: RecentBytes): OrderedObjects {
    return new OrderedObjects({ segments: [], encoded, size: 0 });
  }

  get size(): number {
    return this.#size;
  }

  /** The present state, which later writes do not change. */
  snapshot(): OrderedObjects {
    this.#shared = true;
    const snapshot = new OrderedObjects({ segments: this.#segments, encoded: this.#encoded, size: this.#size });
    snapshot.#shared = true;
    return snapshot;
  }

  put(object: StoredObject): void {
    this.#own();
    const at = this.#segmentOf(object.order);
    const segment = this.#segments[at];
    if (segment === undefined) {
      this.#segments.push(Segment.of([object], this.#encoded));
      this.#size = 1;
      return;
    }
    if (segment.objects[segment.indexOf(object.order)]?.key !== object.key) this.#size++;
    const [first, second] = segment.with(object);
    this.#segments[at] = first!;
    if (second !== undefined) this.#segments.splice(at + 1, 0, second);
  }

  delete(key: string): void {
    const order = keyOrder(key);
    const at = this.#segmentOf(order);
    const segment = this.#segments[at];
    const index = segment?.indexOf(order) ?? -1;
    if (segment?.objects[index]?.key !== key) return;
    this.#own();
    this.#size--;
    const rest = segment.without(index);
    const next = this.#segments[at + 1];
    const joined = rest && next && rest.joinedWith(next);
    if (joined !== undefined) this.#segments.splice(at, 2, joined);
    else this.#segments.splice(at, 1, ...(rest === undefined ? [] : [rest]));
  }

  /** Before a write: what a snapshot holds is left to it. */
  #own(): void {
    if (this.#shared) this.#segments = this.#segments.slice();
    this.#shared = false;
  }

  /**
   * The objects from one key up to, but without, another: whole segments as they are, and what is cut off of others. To be
   * read at once: the next write may change what follows.
   */
  *runs(startKey: string, endKey: string): Generator<ObjectRun, undefined> {
    const start = keyOrder(startKey);
    const end = keyOrder(endKey);
    for (let at = this.#segmentOf(start); at < this.#segments.length; at++) {
      const segment = this.#segments[at]!;
      if (segment.start >= end) return;
      if (segment.start >= start && segment.end < end) {
        yield segment;
        continue;
      }
      const from = segment.indexOf(start);
      const to = segment.indexOf(end);
      if (from < to) yield segment.part(from, to);
    }
  }

  count(startKey: string, endKey: string): number {
    const start = keyOrder(startKey);
    const end = keyOrder(endKey);
    const first = this.#segmentOf(start);
    const last = this.#segmentOf(end);
    const segments = this.#segments;
    if (segments.length === 0 || end <= start) return 0;
    let count = segments[last]!.indexOf(end) - segments[first]!.indexOf(start);
    for (let at = first; at < last; at++) count += segments[at]!.objects.length;
    return count;
  }

  /** The index of the segment that holds the object of this order or would take it. */
  #segmentOf(order: string): number {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#segments[middle]!.start <= order) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
