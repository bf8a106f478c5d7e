import type { ObjectEvent } from '../object-store.ts';
import type { StoredObject } from '../stored-object.ts';
import { RevisionQueue } from './revision-queue.ts';

export interface EventWindowLimits {
  /** The window grows and shrinks between these numbers of events. */
  readonly minCapacity: number;
  readonly maxCapacity: number;
  /** The time span in milliseconds that the window should cover. */
  readonly span: number;
  /** Maximum bytes of the objects in all kept events. The newest event is kept regardless of its size. */
  readonly bytes: number;
}

export interface EventWindowOptions extends EventWindowLimits {
  readonly after: number;
}

interface Entry {
  readonly revision: number;
  readonly time: number;
  readonly event: ObjectEvent;
}

/** Memory per event in addition to the bytes of its objects, including the snapshot after it, if it was listed. */
const eventOverhead = 2048;

/** The most recent events of one type. Watches that start slightly in the past are served from here. */
export class EventWindow {
  readonly #limits: EventWindowLimits;
  readonly #entries = new RevisionQueue<Entry>();
  #capacity: number;
  #bytes = 0;
  #floor: number;

  constructor({ after, ...limits }: EventWindowOptions) {
    this.#limits = limits;
    this.#capacity = limits.minCapacity;
    this.#floor = after;
  }

  /** The maximum number of kept events. */
  get capacity(): number {
    return this.#capacity;
  }

  /** The lowest revision from which watches can be served. */
  get floor(): number {
    return this.#floor;
  }

  /** `now` is monotonic time in milliseconds. */
  push(event: ObjectEvent, now: number): void {
    this.#entries.push({ revision: event.object.revision, time: now, event });
    this.#bytes += weightOf(event);
    if (this.#entries.length > this.#capacity) this.#resize(now);
    while (this.#entries.length > this.#capacity) this.#drop();
    while (this.#bytes > this.#limits.bytes && this.#entries.length > 1) this.#drop();
  }

  /** Doubles a full window that covers too short a time; halves it if a quarter would suffice. */
  #resize(now: number): void {
    const { minCapacity, maxCapacity, span } = this.#limits;
    const age = (index: number): number => now - this.#entries.at(index)!.time;
    if (age(0) < span) this.#capacity = Math.min(this.#capacity * 2, maxCapacity);
    else if (age(this.#entries.length - (this.#capacity >>> 2)) > span) {
      this.#capacity = Math.max(this.#capacity >>> 1, minCapacity);
    }
  }

  /**
   * Drops all events up to the revision of a change that cannot be kept here. Watches from before it must read history.
   */
  reset(revision: number): void {
    while (this.#entries.length > 0) this.#drop();
    this.#floor = revision;
  }

  #drop(): void {
    const { revision, event } = this.#entries.shift()!;
    this.#floor = revision;
    this.#bytes -= weightOf(event);
  }

  /** The object states in the kept events. Some of them are current. */
  *objects(): Generator<StoredObject, undefined> {
    for (const { event } of this.#entries.from(0)) {
      yield event.object;
      if (event.previous !== undefined) yield event.previous;
    }
  }

  after(revision: number): ObjectEvent[] {
    return this.#entries.from(this.#entries.indexAfter(revision)).map(({ event }) => event);
  }
}

/** An event also keeps the previous state of the object alive, which may have no other reference. */
function weightOf({ object, previous }: ObjectEvent): number {
  return object.size + (previous?.size ?? 0) + eventOverhead;
}
