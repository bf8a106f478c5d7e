import type { ObjectEvent } from '../object-store.ts';
import { RevisionQueue } from './revision-queue.ts';

export interface EventWindowLimits {
  /** The window grows and shrinks between these numbers of events. */
  readonly minCapacity: number;
  readonly maxCapacity: number;
  /** It should reach back so many milliseconds. */
  readonly span: number;
  /** What the objects of all kept events may weigh. The newest event is kept whatever it weighs. */
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

/** What an event needs beside the bytes of its objects, the snapshot behind it included. */
const eventOverhead = 2048;

/** The newest events of one type: watches that start a little in the past are served from here. */
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

  /** Watches from this revision on can be served. */
  get floor(): number {
    return this.#floor;
  }

  /** `now` in milliseconds that never go back. */
  push(event: ObjectEvent, now: number): void {
    this.#entries.push({ revision: event.object.revision, time: now, event });
    this.#bytes += weightOf(event);
    if (this.#entries.length > this.#capacity) this.#resize(now);
    while (this.#entries.length > this.#capacity) this.#drop();
    while (this.#bytes > this.#limits.bytes && this.#entries.length > 1) this.#drop();
  }

  /** A full window that does not reach back far enough doubles; one of which a quarter would do is halved. */
  #resize(now: number): void {
    const { minCapacity, maxCapacity, span } = this.#limits;
    const age = (index: number): number => now - this.#entries.at(index)!.time;
    if (age(0) < span) this.#capacity = Math.min(this.#capacity * 2, maxCapacity);
    else if (age(this.#entries.length - (this.#capacity >>> 2)) > span) {
      this.#capacity = Math.max(this.#capacity >>> 1, minCapacity);
    }
  }

  /** Forgets everything up to the revision of a change that cannot be kept here: only history can tell it. */
  reset(revision: number): void {
    while (this.#entries.length > 0) this.#drop();
    this.#floor = revision;
  }

  #drop(): void {
    const { revision, event } = this.#entries.shift()!;
    this.#floor = revision;
    this.#bytes -= weightOf(event);
  }

  after(revision: number): ObjectEvent[] {
    return this.#entries.from(this.#entries.indexAfter(revision)).map(({ event }) => event);
  }
}

/** An event also keeps the state before it alive, which nobody else may need any more. */
function weightOf({ object, previous }: ObjectEvent): number {
  return object.bytes.length + (previous?.bytes.length ?? 0) + eventOverhead;
}
