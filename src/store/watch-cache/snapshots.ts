import type { OrderedObjects } from './ordered-objects.ts';
import { RevisionQueue } from './revision-queue.ts';

interface Snapshot {
  /** The objects were these from this revision on, up to that of the next snapshot. */
  readonly revision: number;
  readonly time: number;
  readonly objects: OrderedObjects;
}

/** The states that a type has been in lately, one per change. They share all but what changed. */
export class Snapshots {
  readonly #kept = new RevisionQueue<Snapshot>();

  /** `now` in milliseconds that never go back. */
  add(snapshot: { revision: number; objects: OrderedObjects }, now: number): void {
    this.#kept.push({ ...snapshot, time: now });
  }

  /** How many states are kept; the newest is the present one. */
  get size(): number {
    return this.#kept.length;
  }

  /** The state as of a revision that has been reached; undefined when it is no longer kept. */
  at(revision: number): OrderedObjects | undefined {
    return this.#kept.at(this.#kept.indexAfter(revision) - 1)?.objects;
  }

  /** Drops the states that nobody can ask for who asks for this revision or a later one. */
  dropBefore(revision: number): void {
    while (this.#kept.length > 1 && this.#kept.at(1)!.revision <= revision) this.#kept.shift();
  }

  /** Drops the states that were over by this time. */
  dropOverBy(time: number): void {
    while (this.#kept.length > 1 && this.#kept.at(1)!.time <= time) this.#kept.shift();
  }
}
