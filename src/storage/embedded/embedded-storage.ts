import { checkNotCompacted, checkNotFuture, checkSize, closedError } from '../preconditions.ts';
import type {
  Change,
  CommitResult,
  RangeOptions,
  RangeResult,
  Storage,
  StoredEntry,
  WatchOptions,
} from '../storage.ts';
import type { WatcherSet } from '../watcher-set.ts';
import { CommitQueue, type CommitStatistics } from './commit-queue.ts';
import { Compaction } from './compaction.ts';
import { entryOf } from './entry-of.ts';
import { unpackVersions } from './packed-versions.ts';
import type { OpenReply, ProbeRequest } from './protocol.ts';
import { readRange } from './read-range.ts';
import { replay } from './replay.ts';
import { RevisionPins } from './revision-pins.ts';
import type { WorkerConnection } from './worker-connection.ts';

export interface EmbeddedStorageDependencies {
  readonly connection: WorkerConnection;
  readonly watchers: WatcherSet;
  readonly state: OpenReply;
  readonly valueLimit: number;
}

/** The main-thread side of the durable store. The worker owns the data. */
export class EmbeddedStorage implements Storage {
  readonly watchesLag = false;
  readonly #connection: WorkerConnection;
  readonly #watchers: WatcherSet;
  readonly #valueLimit: number;
  readonly #commits: CommitQueue;
  readonly #pins = new RevisionPins();
  readonly #compaction: Compaction;
  #latest: number;
  #closing: Promise<void> | undefined;

  constructor({ connection, watchers, state, valueLimit }: EmbeddedStorageDependencies) {
    this.#connection = connection;
    this.#watchers = watchers;
    this.#valueLimit = valueLimit;
    this.#latest = state.revision;
    this.#commits = new CommitQueue({
      connection,
      onBatch: (revision, events) => {
        this.#latest = revision;
        watchers.deliver(events);
      },
    });
    this.#compaction = new Compaction({ connection, pins: this.#pins, compacted: state.compacted });
    // Finishes a sweep that the previous process did not complete. If it fails again, the next compaction reports it.
    if (state.sweepPending) this.#compaction.run(state.compacted).catch(() => {});
  }

  get statistics(): CommitStatistics {
    return this.#commits.statistics;
  }

  latestRevision(): number {
    return this.#latest;
  }

  compactedRevision(): number {
    return this.#compaction.compacted;
  }

  async get(key: string, { revision }: { revision?: number } = {}): Promise<StoredEntry | undefined> {
    this.#checkReadable(revision);
    const { versions } = await this.#connection.call('get', { key, revision });
    const version = unpackVersions(versions)[0];
    return version && entryOf(key, version);
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    this.#checkReadable(options.revision);
    return this.#pins.hold(options.revision ?? this.#latest, readRange(this.#connection, options));
  }

  async commit(change: Change): Promise<CommitResult> {
    this.#checkOpen();
    checkSize(change, this.#valueLimit);
    return this.#commits.add(change);
  }

  async watch(options: WatchOptions): Promise<void> {
    this.#checkOpen();
    options.signal.throwIfAborted();
    checkNotCompacted(options.after, this.#compaction.compacted);
    const replayed = replay({
      connection: this.#connection,
      watch: options,
      delivered: () => this.#latest,
      join: (through) => {
        this.#checkOpen();
        this.#watchers.add({ ...options, after: through });
      },
    });
    await this.#pins.hold(options.after, replayed);
    // The signal may have been aborted after the watcher joined the live ones.
    options.signal.throwIfAborted();
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    checkNotFuture(revision, this.#latest);
    await this.#compaction.run(revision);
  }

  probe(signal: AbortSignal): Promise<void> {
    return this.#probe({ writes: false }, signal);
  }

  probeWrites(signal: AbortSignal): Promise<void> {
    return this.#probe({ writes: true }, signal);
  }

  async #probe(request: ProbeRequest, signal: AbortSignal): Promise<void> {
    this.#checkOpen();
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await Promise.race([this.#connection.call('probe', request), aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([
      this.#commits.drained(),
      this.#compaction.stop(),
      this.#pins.freeBelow(Number.POSITIVE_INFINITY),
    ]);
    this.#watchers.fail(closedError());
    await this.#connection.close();
  }

  #checkReadable(revision: number | undefined): void {
    this.#checkOpen();
    if (revision === undefined) return;
    checkNotCompacted(revision, this.#compaction.compacted);
    checkNotFuture(revision, this.#latest);
  }

  #checkOpen(): void {
    if (this.#closing) throw closedError();
  }
}
