import type { StorageEvent } from '../storage.ts';

export interface RecentEventsOptions {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** The newest events within the limits, for watches that start slightly in the past. */
export class RecentEvents {
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #events: (StorageEvent | undefined)[] = [];
  /** The number of dropped events at the beginning. */
  #dropped = 0;
  #bytes = 0;
  /** All events after this revision are available. */
  #start: number;

  constructor(start: number, { maxEvents, maxBytes }: RecentEventsOptions) {
    this.#start = start;
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
  }

  get start(): number {
    return this.#start;
  }

  add(events: readonly StorageEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#bytes += sizeOf(event);
    }
    while (this.#events.length - this.#dropped > this.#maxEvents || this.#bytes > this.#maxBytes) this.#drop();
    if (this.#dropped * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#dropped);
      this.#dropped = 0;
    }
  }

  /** The events after the revision, which must not be before the start. */
  after(revision: number): StorageEvent[] {
    let low = this.#dropped;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low) as StorageEvent[];
  }

  clear(start: number): void {
    this.#events = [];
    this.#dropped = 0;
    this.#bytes = 0;
    this.#start = start;
  }

  #drop(): void {
    const event = this.#events[this.#dropped]!;
    this.#events[this.#dropped] = undefined;
    this.#dropped += 1;
    this.#bytes -= sizeOf(event);
    this.#start = event.revision;
  }
}

function sizeOf({ key, value, previous }: StorageEvent): number {
  return 300 + 2 * key.length + (value?.length ?? 0) + (previous?.value.length ?? 0);
}
