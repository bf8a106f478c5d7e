import { keyOrder } from '../../storage/key-order.ts';
import type { ObjectRun } from '../object-run.ts';
import type { StoredObject } from '../stored-object.ts';
import type { RecentBytes } from './recent-bytes.ts';
import { Segment } from './segment.ts';

/**
 * The objects of a type in the order of their keys, in segments. Immutable: a write gives a new order that shares all
 * segments but one with the old, so that every version of the state can be kept for the price of its changes.
 */
export class OrderedObjects {
  readonly #segments: readonly Segment[];
  readonly #encoded: RecentBytes;
  readonly size: number;

  private constructor(parts: { segments: readonly Segment[]; encoded: RecentBytes; size: number }) {
    this.#segments = parts.segments;
    this.#encoded = parts.encoded;
    this.size = parts.size;
  }

  /** `encoded` keeps the bytes of segments that are read often. */
  static empty(encoded: RecentBytes): OrderedObjects {
    return new OrderedObjects({ segments: [], encoded, size: 0 });
  }

  with(object: StoredObject): OrderedObjects {
    const encoded = this.#encoded;
    if (this.#segments.length === 0)
      return new OrderedObjects({ segments: [new Segment([object], encoded)], encoded, size: 1 });
    const at = this.#segmentOf(object.order);
    const segment = this.#segments[at]!;
    const isNew = segment.objects[segment.indexOf(object.order)]?.key !== object.key;
    const segments = this.#segments.toSpliced(at, 1, ...segment.with(object));
    return new OrderedObjects({ segments, encoded, size: this.size + (isNew ? 1 : 0) });
  }

  without(key: string): OrderedObjects {
    const order = keyOrder(key);
    const at = this.#segmentOf(order);
    const segment = this.#segments[at];
    const index = segment?.indexOf(order) ?? -1;
    if (segment?.objects[index]?.key !== key) return this;
    const rest = segment.without(index);
    const next = this.#segments[at + 1];
    const joined = rest && next && rest.joinedWith(next);
    const segments = joined
      ? this.#segments.toSpliced(at, 2, joined)
      : this.#segments.toSpliced(at, 1, ...(rest === undefined ? [] : [rest]));
    return new OrderedObjects({ segments, encoded: this.#encoded, size: this.size - 1 });
  }

  /** The objects from one key up to, but without, another: whole segments as they are, and what is cut off of others. */
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

  count(start: string, end: string): number {
    let count = 0;
    for (const { objects } of this.runs(start, end)) count += objects.length;
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
