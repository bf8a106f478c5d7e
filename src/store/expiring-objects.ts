import { type Clock, systemClock } from '../meta/clock.ts';
import { prefixEnd, type Storage, type StorageEvent } from '../storage/storage.ts';

export interface ExpiringObjectsOptions {
  readonly storage: Pick<Storage, 'commit' | 'range' | 'watch'>;
  /** The prefix of the keys that expire. */
  readonly prefix: string;
  /** Milliseconds between the last write of an object and its deletion; greater than 0. */
  readonly ttlMs: number;
  /** The write time recorded in a value, if any. Used for objects that existed before the start. */
  readonly writtenAt: (value: Buffer) => number | undefined;
  readonly clock?: Clock;
  /** Called on a failure. The failed work is retried in a later turn. */
  readonly onError: (error: unknown) => void;
}

interface LastWrite {
  readonly key: string;
  readonly revision: number;
  readonly time: number;
}

/** Storage commits concurrent deletions as a batch. The limit lets other writers commit in between. */
const maxDeletionsAtOnce = 64;
const maxReadAtOnce = 500;
/** Turns are at least the TTL divided by this number apart, so that deletions are batched. */
const turnsPerTtl = 60;
const maxDelayMs = 60_000;

/**
 * Deletes the objects under a prefix that have not been written for the TTL. It watches the writes to track the time of
 * the last write of each object. For objects that existed before the start, it uses the time recorded in the value.
 * Several servers may do this in one store: an object is deleted only if it has not been written since.
 */
export class ExpiringObjects {
  readonly #options: ExpiringObjectsOptions;
  readonly #clock: Clock;
  /** Keyed by object key, in order of expiry, earliest first. */
  #writes = new Map<string, LastWrite>();
  #isFollowing = false;

  constructor(options: ExpiringObjectsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Runs until the signal aborts. Does not keep the process alive. */
  start(signal: AbortSignal): void {
    let cancel = (): void => {};
    const turn = async (): Promise<void> => {
      try {
        await this.#turn(signal);
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error);
      }
      // Scheduled after the turn has finished, so that turns do not overlap.
      if (!signal.aborted) cancel = this.#clock.schedule(() => void turn(), this.#delay());
    };
    signal.addEventListener('abort', () => cancel(), { once: true });
    void turn();
  }

  async #turn(signal: AbortSignal): Promise<void> {
    if (!this.#isFollowing) await this.#follow(signal);
    while (!signal.aborted) {
      const due = this.#due();
      if (due.length === 0) return;
      await Promise.all(due.map((write) => this.#delete(write)));
    }
  }

  #delay(): number {
    const { ttlMs } = this.#options;
    const [first] = this.#writes.values();
    const untilDue = first === undefined ? ttlMs : first.time + ttlMs - this.#clock.now();
    return Math.min(Math.max(untilDue, ttlMs / turnsPerTtl, 1), maxDelayMs);
  }

  #due(): LastWrite[] {
    const latest = this.#clock.now() - this.#options.ttlMs;
    const due: LastWrite[] = [];
    for (const write of this.#writes.values()) {
      if (write.time > latest || due.length === maxDeletionsAtOnce) break;
      due.push(write);
    }
    return due;
  }

  async #delete(write: LastWrite): Promise<void> {
    const { key, revision } = write;
    // The commit has no effect if the object has been written or deleted in the meantime.
    await this.#options.storage.commit({ key, expected: revision, value: undefined });
    if (this.#writes.get(key) === write) this.#writes.delete(key);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { writes, revision } = await this.#read(signal);
    writes.sort((left, right) => left.time - right.time);
    this.#writes = new Map(writes.map((write) => [write.key, write]));
    this.#isFollowing = true;
    const failed = (error: unknown): void => {
      // The next turn reads all objects again.
      this.#isFollowing = false;
      if (!signal.aborted) this.#options.onError(error);
    };
    const { storage, prefix } = this.#options;
    try {
      const onEvents = (events: readonly StorageEvent[]): void => {
        for (const event of events) this.#record(event);
      };
      await storage.watch({ prefix, after: revision, onEvents, onError: failed, signal });
    } catch (error) {
      failed(error);
    }
  }

  #record({ key, value, revision }: StorageEvent): void {
    // Deleted first, so that the key moves to the end of the map.
    this.#writes.delete(key);
    if (value !== undefined) this.#writes.set(key, { key, revision, time: this.#clock.now() });
  }

  async #read(signal: AbortSignal): Promise<{ writes: LastWrite[]; revision: number }> {
    const { storage, prefix, writtenAt } = this.#options;
    const end = prefixEnd(prefix);
    const now = this.#clock.now();
    const writes: LastWrite[] = [];
    let page = await storage.range({ start: prefix, end, limit: maxReadAtOnce });
    const { revision } = page;
    for (;;) {
      for (const { key, value, modRevision } of page.entries) {
        // A recorded time in the future must not extend the lifetime.
        writes.push({ key, revision: modRevision, time: Math.min(writtenAt(value) ?? now, now) });
      }
      if (!page.more || signal.aborted) return { writes, revision };
      page = await storage.range({ start: `${page.entries.at(-1)!.key}\0`, end, limit: maxReadAtOnce, revision });
    }
  }
}
