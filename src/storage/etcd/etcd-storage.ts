import { checkNotCompacted, closedError } from '../preconditions.ts';
import {
  type Change,
  type CommitResult,
  type RangeOptions,
  type RangeResult,
  type Storage,
  StorageError,
  type StorageObserver,
  type StoredEntry,
  type WatchOptions,
} from '../storage.ts';
import { CallSlots } from './call-slots.ts';
import { catchUp } from './catch-up.ts';
import { EtcdCalls } from './etcd-calls.ts';
import { EtcdCompactor } from './etcd-compactor.ts';
import { isLeaseNotFound } from './etcd-failure.ts';
import { EtcdHistory } from './etcd-history.ts';
import { EtcdReads } from './etcd-reads.ts';
import { EventFeed } from './event-feed.ts';
import type { KeySpace } from './key-space.ts';
import { LatestRevision } from './latest-revision.ts';
import { Leases, type TimeToLive } from './leases.ts';
import type { Members } from './members.ts';
import type { TxnRequest, TxnResponse } from './messages.ts';
import { entryOf } from './revision-stream.ts';

const recent = { maxEvents: 10_000, maxBytes: 32 * 1024 * 1024 };
/**
 * How long a compaction waits until watchers have received all changes, and how long a watch from the past waits for
 * its turn.
 */
const catchUpTimeoutMs = 5000;
/** How long `close` waits for watchers. */
const closeMs = 1000;
/** The maximum number of watches from the past that have a separate stream at the same time. */
const maxCatchUps = 64;

export interface EtcdStorageDependencies {
  readonly members: Members;
  readonly keys: KeySpace;
  readonly ttl: readonly TimeToLive[];
  readonly compactionIntervalMs: number;
  readonly log: (message: string, fields?: object) => void;
  readonly onClosed: () => void;
}

/** A store in an etcd cluster, which other servers may use at the same time. */
export class EtcdStorage implements Storage {
  readonly watchesLag = true;
  readonly #dependencies: EtcdStorageDependencies;
  readonly #calls: EtcdCalls;
  readonly #history: EtcdHistory;
  readonly #reads: EtcdReads;
  readonly #latest: LatestRevision;
  readonly #leases: Leases;
  readonly #feed: EventFeed;
  readonly #catchUps = new CallSlots({ slots: maxCatchUps, waiting: 1000 });
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;
  #observer: StorageObserver | undefined;

  /** Resolves when the store responds and is followed. */
  static async open(dependencies: EtcdStorageDependencies): Promise<EtcdStorage> {
    const { members, keys, compactionIntervalMs } = dependencies;
    const { revision } = await new EtcdCalls(members).range({ key: keys.absent, keysOnly: true });
    const storage = new EtcdStorage(dependencies, revision);
    await storage.#history.find();
    storage.#start(compactionIntervalMs);
    return storage;
  }

  private constructor(dependencies: EtcdStorageDependencies, revision: number) {
    const { members, keys, ttl, log } = dependencies;
    const calls = new EtcdCalls(members);
    const history = new EtcdHistory({ members, calls, keys });
    const reads = new EtcdReads({ calls, keys, history });
    this.#dependencies = dependencies;
    this.#calls = calls;
    this.#history = history;
    this.#reads = reads;
    this.#leases = new Leases({
      ttl,
      grant: (lease) => calls.grantLease(lease),
      onFilled: (count) => this.#observer?.leaseFilled(count),
    });
    this.#latest = new LatestRevision(revision, async () => {
      const latest = await reads.latestRevision();
      this.#feed.expect(latest);
      return latest;
    });
    this.#feed = new EventFeed({
      after: revision,
      recent,
      open: (stream) => history.openStream({ ...stream, onProgress: this.#observed(stream.onProgress) }, keys.all),
      readRevision: () => this.#latest.get(),
      onFailed: ({ member }) => members.avoid(member),
      onRestart: () => history.find(),
      log,
    });
  }

  #start(compactionIntervalMs: number): void {
    this.#running = this.#feed.run();
    const compactor = new EtcdCompactor({
      txn: (request) => this.#calls.txn(request),
      compact: (revision) => this.compact(revision),
      onCompacted: (revision) => this.#history.recordCompacted(revision),
    });
    const onError = (err: unknown): void => this.#dependencies.log('compaction failed', { err });
    compactor.start({ intervalMs: compactionIntervalMs, onError, signal: this.#closing.signal });
  }

  latestRevision(): Promise<number> {
    return this.#closed ? Promise.resolve(this.#latest.last) : this.#latest.get();
  }

  compactedRevision(): number {
    return this.#history.compacted;
  }

  get(key: string, { revision }: { revision?: number } = {}): Promise<StoredEntry | undefined> {
    return this.#closed ? Promise.reject(closedError()) : this.#reads.get(key, revision);
  }

  range(options: RangeOptions): Promise<RangeResult> {
    return this.#closed ? Promise.reject(closedError()) : this.#reads.range(options);
  }

  async commit(change: Change): Promise<CommitResult> {
    this.#checkOpen();
    const { key, expected, value } = change;
    // An object that is expected to be absent cannot be deleted.
    if (value === undefined && expected === 0) return { committed: false, current: await this.get(key) };
    const lease = value && this.#leases.for(key);
    const request = { key: this.#dependencies.keys.toEtcd(key), expected: { modRevision: expected }, value };
    const { succeeded, revision, current } = lease
      ? await this.#txnWithLease(request, await lease)
      : await this.#calls.txn(request);
    if (!succeeded) return { committed: false, current: current && entryOf(current, key) };
    this.#feed.expect(revision);
    return { committed: true, revision };
  }

  async #txnWithLease(request: TxnRequest, lease: number): Promise<TxnResponse> {
    try {
      return await this.#calls.txn({ ...request, lease });
    } catch (error) {
      if (!isLeaseNotFound((error as Error).cause)) throw error;
    }
    // The lease has expired or was revoked. The write was rejected as a whole.
    this.#leases.discard();
    return this.#calls.txn({
      ...request,
      lease: await this.#leases.for(this.#dependencies.keys.fromEtcd(request.key))!,
    });
  }

  async watch(options: WatchOptions): Promise<void> {
    this.#checkOpen();
    options.signal.throwIfAborted();
    checkNotCompacted(options.after, this.#history.compacted);
    if (options.after >= this.#feed.start) this.#feed.join(options);
    else await this.#catchUps.run(() => this.#watchFromPast(options), catchUpTimeoutMs);
  }

  async #watchFromPast(options: WatchOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    let { after } = options;
    while (after < this.#feed.start) {
      signal.throwIfAborted();
      await this.#history.check(after);
      signal.throwIfAborted();
      const result = await catchUp({
        watch: { ...options, after },
        open: (stream) => this.#history.openStream(stream, this.#dependencies.keys.withPrefix(options.prefix)),
        join: (position) => {
          if (position < this.#feed.start) return false;
          this.#feed.join({ ...options, after: position });
          return true;
        },
        signal,
      });
      if (result.joined) return;
      if ((result.error as StorageError).code === 'RevisionCompacted') throw result.error;
      after = result.position;
    }
    this.#feed.join({ ...options, after });
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    if (revision <= this.#history.compacted) return;
    // etcd can no longer return previous values once they are compacted.
    const latest = await this.latestRevision();
    if (revision <= latest) await this.#feed.reach(latest, catchUpTimeoutMs);
    try {
      await this.#calls.compact(revision);
    } catch (error) {
      // Another server has compacted to this revision or a later one.
      if ((error as StorageError).code !== 'RevisionCompacted') throw error;
    }
    this.#history.recordCompacted(revision);
  }

  async probe(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#checkOpen();
    await this.#calls.range({ key: this.#dependencies.keys.absent }, signal);
  }

  async probeWrites(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#checkOpen();
    const alarms = await this.#calls.alarms(signal);
    if (alarms.includes(1)) throw new StorageError('Unavailable', 'the database of etcd is full');
    if (alarms.includes(2)) throw new StorageError('Unavailable', 'the database of etcd is corrupt');
  }

  async databaseBytes(): Promise<number> {
    this.#checkOpen();
    return (await this.#calls.status()).databaseBytes;
  }

  observe(observer: StorageObserver): void {
    this.#observer = observer;
  }

  #observed(onProgress: (position: number) => void): (position: number) => void {
    return (position) => {
      this.#observer?.progressed();
      onProgress(position);
    };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { members, onClosed } = this.#dependencies;
    const error = closedError();
    await members.idle();
    await this.#feed.reach(this.#feed.expected, closeMs);
    this.#closing.abort(error);
    this.#feed.close(error);
    await this.#running;
    members.close();
    onClosed();
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}
