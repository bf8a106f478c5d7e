import type { ObjectEvent } from '../object-store.ts';

/** The newest events of one type, oldest first, as many as fit: watches that start a little in the past are served from here. */
export class EventWindow {
  readonly #capacity: number;
  #events: ObjectEvent[] = [];
  #floor: number;

  constructor({ capacity, after }: { capacity: number; after: number }) {
    this.#capacity = capacity;
    this.#floor = after;
  }

  /** Watches from this revision on can be served. */
  get floor(): number {
    return this.#floor;
  }

  push(event: ObjectEvent): void {
    this.#events.push(event);
    // Dropped in blocks, so that pushing stays cheap.
    if (this.#events.length >= this.#capacity * 2) {
      this.#floor = this.#events[this.#capacity - 1]!.object.revision;
      this.#events = this.#events.slice(this.#capacity);
    }
  }

  after(revision: number): readonly ObjectEvent[] {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.object.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }
}
