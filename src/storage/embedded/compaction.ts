import type { RequestChannel } from './request-channel.ts';
import type { RevisionPins } from './revision-pins.ts';

export interface CompactionOptions {
  readonly connection: RequestChannel;
  readonly pins: RevisionPins;
  readonly compacted: number;
  /** Set if other threads use the store. */
  readonly historyPins?: HistoryPins | undefined;
}

/** What other threads of the store still read: their pins of the history. */
export interface HistoryPins {
  /** The revision of the last compaction. */
  readonly compacted: number;
  /** Resolves when no other thread needs a revision below the given one. */
  freeBelow(revision: number): Promise<void>;
}

/** Main-thread side of compaction: runs the worker's small steps one by one, so that commits run in between. */
export class Compaction {
  readonly #connection: RequestChannel;
  readonly #pins: RevisionPins;
  readonly #historyPins: HistoryPins | undefined;
  #compacted: number;
  #stopped = false;
  #last: Promise<void> = Promise.resolve();

  constructor({ connection, pins, compacted, historyPins }: CompactionOptions) {
    this.#connection = connection;
    this.#pins = pins;
    this.#historyPins = historyPins;
    this.#compacted = compacted;
  }

  get compacted(): number {
    return this.#historyPins?.compacted ?? this.#compacted;
  }

  /** Runs compactions one at a time. Resolves when the history is deleted and its disk space released. */
  run(revision: number): Promise<void> {
    const run = this.#last.then(() => this.#compact(revision));
    this.#last = run.catch(() => {});
    return run;
  }

  /** Stops after the current step. The remaining work is done after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#last;
  }

  async #compact(revision: number): Promise<void> {
    if (this.#stopped) return;
    if (revision > this.compacted) {
      await this.#connection.call('compact', { revision });
      this.#compacted = revision;
    }
    // New reads below this revision are refused from here on. Reads that have already begun finish first.
    await this.#pins.freeBelow(this.compacted);
    await this.#historyPins?.freeBelow(this.compacted);
    await this.#repeat(() => this.#connection.call('sweep', undefined));
    let begun = false;
    await this.#repeat(async () => {
      const reply = await this.#connection.call('vacuum', { begun });
      begun = true;
      return reply;
    });
  }

  async #repeat(step: () => Promise<{ readonly done: boolean }>): Promise<void> {
    let done = false;
    while (!done && !this.#stopped) ({ done } = await step());
  }
}
