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
import { EtcdCompactor } from './etcd-compactor.ts';
import { isLeaseExisting, isLeaseNotFound, isResponseTooLarge, storageErrorOf } from './etcd-failure.ts';
import { EventFeed } from './event-feed.ts';
import type { EtcdRange, KeySpace } from './key-space.ts';
import { LatestRevision } from './latest-revision.ts';
import { Leases, type TimeToLive } from './leases.ts';
import type { MemberCall } from './member.ts';
import type { Members } from './members.ts';
import {
  decodeAlarms,
  decodeRange,
  decodeStatus,
  decodeTxn,
  encodeCompaction,
  encodeLeaseGrant,
  encodeNothing,
  encodeRange,
  encodeTxn,
  ignoreResponse,
  type RangeRequest,
  type RangeResponse,
  type StatusResponse,
  type TxnRequest,
  type TxnResponse,
} from './messages.ts';
import { PageSize } from './page-size.ts';
import { reportsProgress } from './progress-support.ts';
import { entryOf, HistoryCompactedError, RevisionStream, type RevisionStreamOptions } from './revision-stream.ts';

const recent = { maxEvents: 10_000, maxBytes: 32 * 1024 * 1024 };
/** How long a compaction waits for watchers to get what has happened. */
const patienceMs = 5000;
/** How long `close` waits for that. */
const closeMs = 1000;
/** How many watches from the past have a stream of their own at a time. */
const maxCatchUps = 64;

export interface EtcdStorageParts {
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
  readonly #members: Members;
  readonly #keys: KeySpace;
  readonly #log: EtcdStorageParts['log'];
  readonly #onClosed: () => void;
  readonly #leases: Leases;
  readonly #feed: EventFeed;
  readonly #latest: LatestRevision;
  readonly #catchUps = new CallSlots({ slots: maxCatchUps, waiting: 1000 });
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;
  #compacted = 0;
  #observer: StorageObserver | undefined;

  /** Resolves when the store responds and is followed. */
  static async open(parts: EtcdStorageParts): Promise<EtcdStorage> {
    const { revision } = await parts.members.call(rangeCall({ key: parts.keys.absent, keysOnly: true }));
    const storage = new EtcdStorage(parts, revision);
    await storage.#findCompacted();
    storage.#start(parts.compactionIntervalMs);
    return storage;
  }

  private constructor({ members, keys, ttl, log, onClosed }: EtcdStorageParts, revision: number) {
    this.#members = members;
    this.#keys = keys;
    this.#log = log;
    this.#onClosed = onClosed;
    this.#leases = new Leases({
      ttl,
      grant: (lease) => this.#grant(lease),
      onFilled: (count) => this.#observer?.leaseFilled(count),
    });
    this.#latest = new LatestRevision(revision, async () => (await this.#range({ key: keys.absent })).revision);
    this.#feed = new EventFeed({
      after: revision,
      recent,
      open: (stream) => this.#openStream({ ...stream, onProgress: this.#observed(stream.onProgress) }, keys.all),
      readRevision: () => this.#latest.get(),
      onFailed: ({ member }) => members.avoid(member),
      onStartAnew: () => this.#findCompacted(),
      log,
    });
  }

  #start(compactionIntervalMs: number): void {
    this.#running = this.#feed.run();
    const compactor = new EtcdCompactor({
      txn: (request) => this.#txn(request),
      compact: (revision) => this.compact(revision),
      onCompacted: (revision) => this.#learnCompacted(revision),
    });
    const onError = (err: unknown): void => this.#log('compaction failed', { err });
    compactor.start({ intervalMs: compactionIntervalMs, onError, signal: this.#closing.signal });
  }

  async latestRevision(): Promise<number> {
    if (this.#closed) return this.#latest.last;
    const revision = await this.#latest.get();
    this.#feed.expect(revision);
    return revision;
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  async get(key: string, { revision }: { revision?: number } = {}): Promise<StoredEntry | undefined> {
    this.#checkOpen();
    const { kvs } = await this.#range({ key: this.#keys.toEtcd(key), revision: readable(revision) });
    return kvs[0] && entryOf(kvs[0], key);
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    this.#checkOpen();
    const { start, end, limit = Number.POSITIVE_INFINITY, count = false } = options;
    const { key, end: last } = this.#keys.range(start, end);
    const entries: StoredEntry[] = [];
    const size = new PageSize();
    let from = key;
    let revision = readable(options.revision);
    let total: number | undefined;
    for (;;) {
      const wanted = Math.min(limit - entries.length, size.next);
      const page = await this.#page({ key: from, end: last, limit: wanted, revision, countOnly: wanted === 0 }, size);
      revision ??= page.revision;
      total ??= page.count;
      for (const kv of page.kvs) entries.push(entryOf(kv, this.#keys.fromEtcd(kv.key)));
      const isDone = wanted === 0 || !page.more || entries.length >= limit;
      if (isDone) {
        return {
          revision: options.revision ?? revision,
          entries,
          more: wanted === 0 ? page.count > 0 : page.more,
          ...(count && { count: total }),
        };
      }
      from = `${page.kvs.at(-1)!.key}\0`;
    }
  }

  async commit(change: Change): Promise<CommitResult> {
    this.#checkOpen();
    const { key, expected, value } = change;
    // Nothing can be deleted that is expected to be absent.
    if (value === undefined && expected === 0) return { committed: false, current: await this.get(key) };
    const lease = value && this.#leases.for(key);
    const request = { key: this.#keys.toEtcd(key), expected: { modRevision: expected }, value };
    const { succeeded, revision, current } = lease
      ? await this.#txnWithLease(request, await lease)
      : await this.#txn(request);
    if (!succeeded) return { committed: false, current: current && entryOf(current, key) };
    this.#feed.expect(revision);
    return { committed: true, revision };
  }

  async watch(options: WatchOptions): Promise<void> {
    this.#checkOpen();
    options.signal.throwIfAborted();
    checkNotCompacted(options.after, this.#compacted);
    if (options.after >= this.#feed.start) this.#feed.join(options);
    else await this.#catchUps.run(() => this.#watchFromPast(options), patienceMs);
  }

  async #watchFromPast(options: WatchOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    let { after } = options;
    while (after < this.#feed.start) {
      signal.throwIfAborted();
      await this.#checkHistory(after);
      signal.throwIfAborted();
      const result = await catchUp({
        watch: { ...options, after },
        open: (stream) => this.#openStream(stream, this.#keys.withPrefix(options.prefix)),
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
    if (revision <= this.#compacted) return;
    // etcd cannot tell previous values any more once they are compacted.
    const latest = await this.latestRevision();
    if (revision <= latest) await this.#feed.reach(latest, patienceMs);
    const request = encodeCompaction(revision);
    try {
      await this.#members.call({ method: '/etcdserverpb.KV/Compact', request, decode: ignoreResponse });
    } catch (error) {
      // Another server has compacted to this revision or a later one.
      if ((error as StorageError).code !== 'RevisionCompacted') throw error;
    }
    this.#learnCompacted(revision);
  }

  async probe(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#checkOpen();
    await this.#members.call({ ...rangeCall({ key: this.#keys.absent }), signal });
  }

  /** Asks for alarms, which goes through the log of the cluster like a write. */
  async probeWrites(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#checkOpen();
    const alarms = await this.#members.call({
      method: '/etcdserverpb.Maintenance/Alarm',
      request: encodeNothing(),
      decode: decodeAlarms,
      signal,
    });
    if (alarms.includes(1)) throw new StorageError('Unavailable', 'the database of etcd is full');
    if (alarms.includes(2)) throw new StorageError('Unavailable', 'the database of etcd is corrupt');
  }

  async databaseBytes(): Promise<number> {
    this.#checkOpen();
    return (await this.#members.call(statusCall())).databaseBytes;
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
    const error = closedError();
    await this.#members.idle();
    await this.#feed.reach(this.#feed.expected, closeMs);
    this.#closing.abort(error);
    this.#feed.close(error);
    await this.#running;
    this.#members.close();
    this.#onClosed();
  }

  async #page(request: RangeRequest, size: PageSize): Promise<RangeResponse> {
    for (let limit = request.limit ?? 0; ; limit = Math.ceil(limit / 4)) {
      try {
        let bytes = 0;
        const decode = (response: Buffer): RangeResponse => {
          bytes = response.length;
          return decodeRange(response);
        };
        const call = { ...rangeCall({ ...request, limit: Number.isFinite(limit) ? limit : 0 }), decode };
        const response = await this.#members.call(call);
        size.learn(response.kvs.length, bytes);
        return response;
      } catch (error) {
        if (!isResponseTooLarge((error as Error).cause) || limit <= 1) throw this.#learnFrom(error, request.revision);
        size.shrink(Math.ceil(limit / 4));
      }
    }
  }

  async #range(request: RangeRequest): Promise<RangeResponse> {
    try {
      return await this.#members.call(rangeCall(request));
    } catch (error) {
      throw this.#learnFrom(error, request.revision);
    }
  }

  #txn(request: TxnRequest): Promise<TxnResponse> {
    return this.#members.call({
      method: '/etcdserverpb.KV/Txn',
      request: encodeTxn(request),
      decode: decodeTxn,
      write: true,
    });
  }

  async #txnWithLease(request: TxnRequest, lease: number): Promise<TxnResponse> {
    try {
      return await this.#txn({ ...request, lease });
    } catch (error) {
      if (!isLeaseNotFound((error as Error).cause)) throw error;
    }
    // The lease has expired, or somebody has revoked it. The write was refused as a whole.
    this.#leases.discard();
    return this.#txn({ ...request, lease: await this.#leases.for(this.#keys.fromEtcd(request.key))! });
  }

  async #grant(lease: { readonly id: number; readonly seconds: number }): Promise<void> {
    const request = encodeLeaseGrant(lease);
    try {
      await this.#members.call({ method: '/etcdserverpb.Lease/LeaseGrant', request, decode: ignoreResponse });
    } catch (error) {
      // The call was repeated after its first answer had been lost.
      if (!isLeaseExisting((error as Error).cause)) throw error;
    }
  }

  async #openStream(
    stream: Pick<RevisionStreamOptions, 'after' | 'onEvents' | 'onProgress' | 'onEnd'>,
    range: EtcdRange,
  ): Promise<RevisionStream> {
    const member = await this.#members.choose();
    try {
      const { version } = await member.call(statusCall(), patienceMs);
      const checkHistory = (revision: number): Promise<void> => this.#checkHistory(revision);
      const trustsProgress = reportsProgress(version);
      return new RevisionStream({ ...stream, member, keys: this.#keys, range, trustsProgress, checkHistory });
    } catch (error) {
      this.#members.avoid(member);
      throw storageErrorOf(error);
    }
  }

  /** Rejects with `RevisionCompacted` when changes after the revision may be missing. */
  async #checkHistory(revision: number): Promise<void> {
    await this.#range({ key: this.#keys.absent, revision: readable(revision) });
  }

  /** etcd tells the compacted revision only to watches from before it. */
  async #findCompacted(): Promise<void> {
    try {
      await this.#checkHistory(1);
      this.#compacted = 0;
      return;
    } catch (error) {
      if ((error as StorageError).code !== 'RevisionCompacted') throw error;
    }
    const found = Promise.withResolvers<number>();
    const stream = await this.#openStream(
      {
        after: 0,
        onEvents: () => {},
        onProgress: () => {},
        onEnd: (error) => found.resolve(error instanceof HistoryCompactedError ? error.compactRevision : 0),
      },
      { key: this.#keys.absent, end: `${this.#keys.absent}\0` },
    );
    const timer = setTimeout(() => found.resolve(0), patienceMs);
    this.#compacted = await found.promise;
    clearTimeout(timer);
    stream.close();
  }

  #learnCompacted(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
  }

  #learnFrom(error: unknown, revision = 0): unknown {
    if ((error as StorageError).code === 'RevisionCompacted') this.#learnCompacted(revision + 1);
    return error;
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}

function rangeCall(request: RangeRequest): {
  readonly method: string;
  readonly request: Buffer;
  readonly decode: (response: Buffer) => RangeResponse;
} {
  return { method: '/etcdserverpb.KV/Range', request: encodeRange(request), decode: decodeRange };
}

/** An empty etcd has revision 1, and 0 means the latest to it. */
function readable(revision: number | undefined): number | undefined {
  return revision === undefined ? undefined : Math.max(revision, 1);
}

function statusCall(): MemberCall<StatusResponse> {
  return { method: '/etcdserverpb.Maintenance/Status', request: encodeNothing(), decode: decodeStatus };
}
