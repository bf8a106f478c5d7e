import type { OrderedObjects } from './ordered-objects.ts';
import { RevisionQueue } from './revision-queue.ts';

interface Snapshot {
  /** The objects had this state from this revision on, until the revision of the next snapshot. */
  readonly revision: number;
  readonly time: number;
  readonly objects: OrderedObjects;
}

/** The recent states of a type, one per change. They share all unchanged nodes. */
export class Snapshots {
  readonly #kept = new RevisionQueue<Snapshot>();

  /** `now` is monotonic time in milliseconds. */
  add(snapshot: { revision: number; objects: OrderedObjects }, now: number): void {
    this.#kept.push({ ...snapshot, time: now });
  }

  /** The number of kept states. The last one is the current state. */
  get size(): number {
    return this.#kept.length;
  }

  /** The state as of a revision that has been reached; undefined when it is no longer kept. */
  at(revision: number): OrderedObjects | undefined {
    return this.#kept.at(this.#kept.indexAfter(revision) - 1)?.objects;
  }

  /** Drops the states that are not needed for reads at this revision or a later one. */
  dropBefore(revision: number): void {
    while (this.#kept.length > 1 && this.#kept.at(1)!.revision <= revision) this.#kept.shift();
  }

  /** Drops the states that had been replaced by this time. */
  dropOverBy(time: number): void {
    while (this.#kept.length > 1 && this.#kept.at(1)!.time <= time) this.#kept.shift();
  }
}
