import type { ObjectEvent } from '../object-store.ts';

export interface EventWindowOptions {
  /** So many events are kept at least, unless they are too large, and less than twice as many. */
  readonly capacity: number;
  /** What the objects of all kept events may weigh. The newest event is kept whatever it weighs. */
  readonly bytes: number;
  readonly after: number;
}

/** The newest events of one type, oldest first, as many as fit: watches that start a little in the past are served from here. */
export class EventWindow {
  readonly #capacity: number;
  readonly #budget: number;
  #events: ObjectEvent[] = [];
  #bytes = 0;
  #floor: number;

  constructor({ capacity, bytes, after }: EventWindowOptions) {
    this.#capacity = capacity;
    this.#budget = bytes;
    this.#floor = after;
  }

  /** Watches from this revision on can be served. */
  get floor(): number {
    return this.#floor;
  }

  push(event: ObjectEvent): void {
    this.#events.push(event);
    this.#bytes += weightOf(event);
    // Dropped in blocks, so that pushing stays cheap.
    if (this.#events.length >= this.#capacity * 2) this.#drop(this.#capacity);
    while (this.#bytes > this.#budget && this.#events.length > 1) this.#drop(this.#events.length >>> 1);
  }

  #drop(count: number): void {
    this.#floor = this.#events[count - 1]!.object.revision;
    for (const event of this.#events.slice(0, count)) this.#bytes -= weightOf(event);
    this.#events = this.#events.slice(count);
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

/** An event also keeps the state before it alive, which nobody else may need any more. */
function weightOf({ object, previous }: ObjectEvent): number {
  return object.bytes.length + (previous?.bytes.length ?? 0);
}
