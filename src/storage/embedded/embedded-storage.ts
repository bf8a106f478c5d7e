import { checkNotCompacted, checkNotFuture, checkSize, closedError } from '../preconditions.ts';
import type {
  Change,
  CommitResult,
  RangeOptions,
  RangeResult,
  Storage,
  StorageEvent,
  StoredEntry,
  TwoCommitsResult,
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
import type { RequestChannel } from './request-channel.ts';
import { RevisionPins } from './revision-pins.ts';
import type { ThreadFeed } from './thread-feed.ts';

export interface EmbeddedStorageDependencies {
  readonly connection: RequestChannel;
  readonly watchers: WatcherSet;
  readonly state: OpenReply;
  readonly valueLimit: number;
  /** Set if other threads also use the store: reports the commits of all threads. */
  readonly feed?: ThreadFeed | undefined;
}

/** The main-thread side of the durable store. The worker owns the data. */
export class EmbeddedStorage implements Storage {
  readonly watchesLag = false;
  readonly #connection: RequestChannel;
  readonly #watchers: WatcherSet;
  readonly #valueLimit: number;
  readonly #commits: CommitQueue;
  readonly #feed: ThreadFeed | undefined;
  readonly #pins: RevisionPins;
  readonly #compaction: Compaction;
  /** The latest revision of a store that only this thread uses. */
  #latest: number;
  #closing: Promise<void> | undefined;

  constructor({ connection, watchers, state, valueLimit, feed }: EmbeddedStorageDependencies) {
    this.#connection = connection;
    this.#watchers = watchers;
    this.#valueLimit = valueLimit;
    this.#latest = state.revision;
    this.#feed = feed;
    this.#pins = new RevisionPins(feed && ((lowest) => feed.pin(lowest)));
    const onBatch = (revision: number, events: readonly StorageEvent[]): void => {
      this.#latest = revision;
      watchers.deliver(events);
    };
    this.#commits = new CommitQueue({ connection, onBatch: feed === undefined ? onBatch : undefined });
    this.#compaction = new Compaction({ connection, pins: this.#pins, compacted: state.compacted, historyPins: feed });
    // Finishes a sweep that the previous process did not complete. If it fails again, the next compaction reports it.
    if (state.sweepPending) this.#compaction.run(state.compacted).catch(() => {});
  }

  get statistics(): CommitStatistics {
    return this.#commits.statistics;
  }

  latestRevision(): number {
    if (this.#feed === undefined) return this.#latest;
    this.#feed.catchUp();
    return this.#feed.delivered;
  }

  /** All events up to this revision have been delivered to the watchers of this thread. */
  get #delivered(): number {
    return this.#feed?.delivered ?? this.#latest;
  }

  compactedRevision(): number {
    return this.#compaction.compacted;
  }

  async get(key: string, { revision }: { revision?: number } = {}): Promise<StoredEntry | undefined> {
    const { versions } = await this.#pins.hold(revision ?? this.#delivered, async () => {
      this.#checkReadable(revision);
      return this.#connection.call('get', { key, revision });
    });
    const version = unpackVersions(versions)[0];
    return version && entryOf(key, version);
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    return this.#pins.hold(options.revision ?? this.#delivered, async () => {
      this.#checkReadable(options.revision);
      return readRange(this.#connection, options, this.#feed?.kept);
    });
  }

  async commit(change: Change): Promise<CommitResult> {
    this.#checkOpen();
    checkSize(change, this.#valueLimit);
    return this.#commits.add(change);
  }

  async commitTwice(change: Change, next: Buffer): Promise<TwoCommitsResult> {
    this.#checkOpen();
    checkSize(change, this.#valueLimit);
    if (next.length > this.#valueLimit) return { first: await this.#commits.add(change), isReplaced: false };
    return this.#commits.addBoth(change, next);
  }

  async watch(options: WatchOptions): Promise<void> {
    this.#checkOpen();
    options.signal.throwIfAborted();
    if (!options.withoutPrevious) this.#feed?.wantPrevious(options.signal);
    await this.#pins.hold(options.after, async () => {
      checkNotCompacted(options.after, this.#compaction.compacted);
      await replay({
        connection: this.#connection,
        watch: options,
        delivered: () => this.#delivered,
        join: (through) => {
          this.#checkOpen();
          this.#watchers.add({ ...options, after: through });
        },
      });
    });
    // The signal may have been aborted after the watcher joined the live ones.
    options.signal.throwIfAborted();
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    checkNotFuture(revision, this.latestRevision());
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
    checkNotFuture(revision, this.latestRevision());
  }

  #checkOpen(): void {
    if (this.#closing) throw closedError();
  }
}
