import { prefixEnd, type Storage, type StorageEvent } from '../storage/storage.ts';

export interface ExpiringObjectsOptions {
  readonly storage: Pick<Storage, 'commit' | 'range' | 'watch'>;
  /** Of the keys that expire. */
  readonly prefix: string;
  /** Milliseconds between the last write of an object and its deletion; more than 0. */
  readonly ttlMs: number;
  /** When a value was written, as far as it tells: for what was there before the start. */
  readonly writtenAt: (value: Buffer) => number | undefined;
  readonly clock?: ExpiryClock;
  /** Told of a failure. What could not be done is done at a later turn. */
  readonly onError: (error: unknown) => void;
}

export interface ExpiryClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once; the result cancels that. */
  schedule(callback: () => void, delayMs: number): () => void;
}

interface LastWrite {
  readonly key: string;
  readonly revision: number;
  readonly time: number;
}

/** Storage commits together what comes together, and others get their turn in between. */
const maxDeletionsAtOnce = 64;
const maxReadAtOnce = 500;
/** Turns are at least this part of the time to live apart, so that deletions come in batches. */
const turnsPerTtl = 60;
const maxDelayMs = 60_000;

/**
 * Deletes the objects under a prefix that have not been written for a while. It follows the writes, so it knows when each
 * object was written last; what was there before the start has to tell itself. Several servers may do this in one store: an
 * object is deleted only if it is still the one whose time has run out.
 */
export class ExpiringObjects {
  readonly #options: ExpiringObjectsOptions;
  readonly #clock: ExpiryClock;
  /** By key, those that expire first in front. */
  #writes = new Map<string, LastWrite>();
  #isFollowing = false;

  constructor(options: ExpiringObjectsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Goes on until the abort. Does not keep the process alive. */
  start(signal: AbortSignal): void {
    let cancel = (): void => {};
    const turn = async (): Promise<void> => {
      try {
        await this.#turn(signal);
      } catch (error) {
        if (!signal.aborted) this.#options.onError(error);
      }
      // Only now, so that a slow turn is not overtaken by the next.
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
    // Where it has been written again, or deleted, nothing happens.
    await this.#options.storage.commit({ key, expected: revision, value: undefined });
    if (this.#writes.get(key) === write) this.#writes.delete(key);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { writes, revision } = await this.#read(signal);
    writes.sort((left, right) => left.time - right.time);
    this.#writes = new Map(writes.map((write) => [write.key, write]));
    this.#isFollowing = true;
    const failed = (error: unknown): void => {
      // Everything is read again at the next turn.
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
    // Removed first, so that it comes to the end.
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
        // A time in the future, whoever has set it, must not keep anything for longer.
        writes.push({ key, revision: modRevision, time: Math.min(writtenAt(value) ?? now, now) });
      }
      if (!page.more || signal.aborted) return { writes, revision };
      page = await storage.range({ start: `${page.entries.at(-1)!.key}\0`, end, limit: maxReadAtOnce, revision });
    }
  }
}

const systemClock: ExpiryClock = {
  now: () => Date.now(),
  schedule(callback, delayMs) {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
