import type { OrderedObjects } from './ordered-objects.ts';
import { RevisionQueue } from './revision-queue.ts';

export interface Snapshot {
  /** The first revision of this state. */
  readonly revision: number;
  /** The revision that replaced it. */
  readonly end: number;
  readonly objects: OrderedObjects;
}

/** Past states of a type that were listed and may be continued. They share all unchanged nodes. */
export class Snapshots {
  readonly #kept = new RevisionQueue<Snapshot & { readonly endTime: number }>();

  /** Must be called when the state is replaced. `now` is monotonic time in milliseconds. */
  add(snapshot: Snapshot, now: number): void {
    this.#kept.push({ ...snapshot, endTime: now });
  }

  /** The number of kept states. */
  get size(): number {
    return this.#kept.length;
  }

  /** The state as of a past revision; undefined when it is not kept. */
  at(revision: number): OrderedObjects | undefined {
    const snapshot = this.#kept.at(this.#kept.indexAfter(revision) - 1);
    return snapshot !== undefined && revision < snapshot.end ? snapshot.objects : undefined;
  }

  /** Drops the states that are not needed for reads at this revision or a later one. */
  dropBefore(revision: number): void {
    while (this.#kept.length > 0 && this.#kept.at(0)!.end <= revision) this.#kept.shift();
  }

  /** Drops the states that were replaced before this time. */
  dropOverBy(time: number): void {
    while (this.#kept.length > 0 && this.#kept.at(0)!.endTime <= time) this.#kept.shift();
  }
}
