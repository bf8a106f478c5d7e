import { closedError } from './preconditions.ts';
import type {
  Change,
  CommitResult,
  RangeOptions,
  RangeResult,
  Storage,
  StorageEvent,
  StoredEntry,
  WatchOptions,
} from './storage.ts';

export interface LaggingOptions {
  /** How long the next step of a watch is delayed, in milliseconds. Called once per step. */
  readonly delayMs: () => number;
}

/**
 * One server's view of a store that it shares with others: its watches are late, its reads and commits are not. Several
 * of them over one storage are several servers. Closing one leaves the storage open.
 */
export class LaggingStorage implements Storage {
  readonly watchesLag = true;
  readonly #storage: Storage;
  readonly #options: LaggingOptions;
  readonly #watches = new Set<LateWatch>();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #lastRevision = 0;

  /** The storage must have one writer, as the backends in this process have. */
  constructor(storage: Storage, options: LaggingOptions) {
    this.#storage = storage;
    this.#options = options;
  }

  async latestRevision(): Promise<number> {
    await aMoment();
    if (this.#closing.signal.aborted) return this.#lastRevision;
    const revision = await this.#storage.latestRevision();
    for (const watch of this.#watches) watch.progress(revision);
    return revision;
  }

  async get(key: string, options?: { revision?: number }): Promise<StoredEntry | undefined> {
    return this.#call(() => this.#storage.get(key, options));
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    return this.#call(() => this.#storage.range(options));
  }

  async commit(change: Change): Promise<CommitResult> {
    return this.#call(() => this.#storage.commit(change));
  }

  async #call<T>(call: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    const called = Promise.all([call(), aMoment()]);
    this.#calls.add(called);
    try {
      return (await called)[0];
    } finally {
      this.#calls.delete(called);
    }
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw closedError();
  }

  async watch(options: WatchOptions): Promise<void> {
    await aMoment();
    options.signal.throwIfAborted();
    this.#checkOpen();
    const watch = new LateWatch(options, this.#options);
    const stop = new AbortController();
    const end = (): void => {
      this.#watches.delete(watch);
      stop.abort(options.signal.reason);
    };
    options.signal.addEventListener('abort', end, { once: true });
    this.#closing.signal.addEventListener(
      'abort',
      () => {
        if (stop.signal.aborted) return;
        end();
        watch.end(closedError());
      },
      { once: true },
    );
    await this.#storage.watch({
      prefix: options.prefix,
      after: options.after,
      onEvents: (events) => watch.events(events),
      onError: (error) => {
        this.#watches.delete(watch);
        watch.end(error);
      },
      signal: stop.signal,
    });
    options.signal.throwIfAborted();
    watch.onFault = end;
    // The storage has now delivered all past events, so that progress can be reported.
    this.#watches.add(watch);
  }

  compact(revision: number): Promise<void> {
    return this.#call(() => this.#storage.compact(revision));
  }

  compactedRevision(): number {
    return this.#storage.compactedRevision();
  }

  probe(signal: AbortSignal): Promise<void> {
    return this.#call(() => this.#storage.probe(signal));
  }

  probeWrites(signal: AbortSignal): Promise<void> {
    return this.#call(() => this.#storage.probeWrites(signal));
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#lastRevision = await this.#storage.latestRevision();
    const called = Promise.allSettled(this.#calls);
    this.#closing.abort();
    await called;
  }
}

/** Every call of a shared store takes at least a turn of the event loop. */
function aMoment(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Delivers steps one after the other, each after its delay. */
class LateWatch {
  readonly #options: WatchOptions;
  readonly #lag: LaggingOptions;
  #steps: (() => void)[] = [];
  #isWaiting = false;
  #delivered: number;
  /** Called when a callback has thrown, which ends the watch. */
  onFault: () => void = () => {};

  constructor(options: WatchOptions, lag: LaggingOptions) {
    this.#options = options;
    this.#lag = lag;
    this.#delivered = options.after;
  }

  events(events: readonly StorageEvent[]): void {
    const last = events.at(-1)!.revision;
    this.#add(() => {
      this.#delivered = Math.max(this.#delivered, last);
      this.#options.onEvents(events);
    });
  }

  progress(revision: number): void {
    this.#add(() => {
      if (revision <= this.#delivered) return;
      this.#delivered = revision;
      this.#options.onProgress?.(revision);
    });
  }

  end(error: Error): void {
    const { signal } = this.#options;
    for (const step of this.#steps.splice(0)) if (!signal.aborted) step();
    if (!signal.aborted) this.#options.onError(error);
  }

  #add(step: () => void): void {
    this.#steps.push(step);
    if (!this.#isWaiting) this.#wait();
  }

  #wait(): void {
    this.#isWaiting = true;
    setTimeout(() => this.#deliver(), this.#lag.delayMs()).unref();
  }

  #deliver(): void {
    this.#isWaiting = false;
    const step = this.#steps.shift();
    if (step === undefined || this.#options.signal.aborted) return;
    try {
      step();
    } catch (error) {
      this.#steps = [];
      this.onFault();
      this.end(error as Error);
      return;
    }
    if (this.#steps.length > 0) this.#wait();
  }
}
