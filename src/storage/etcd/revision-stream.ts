import { StorageError, type StorageEvent, type StoredEntry } from '../storage.ts';
import type { ChannelStream } from './channel.ts';
import type { EtcdRange, KeySpace } from './key-space.ts';
import type { Member } from './member.ts';
import {
  decodeWatch,
  encodeProgressRequest,
  encodeWatch,
  firstKey,
  type KeyValue,
  type WatchedEvent,
  type WatchResponse,
} from './messages.ts';

export interface RevisionStreamOptions {
  readonly member: Member;
  readonly keys: KeySpace;
  /**
   * The keys to follow, if progress reports are reliable. Otherwise all keys of etcd are followed, because each
   * revision changes one of them.
   */
  readonly range: EtcdRange;
  readonly trustsProgress: boolean;
  readonly after: number;
  /** Rejects with `RevisionCompacted` when the history after the revision is no longer complete. */
  readonly checkHistory: (revision: number) => Promise<void>;
  /** Called with whole revisions, in order: the events of the store, and the revision that is reached with them. */
  readonly onEvents: (events: readonly StorageEvent[], position: number) => void;
  readonly onProgress: (position: number) => void;
  /** Called once, unless the stream is closed. */
  readonly onEnd: (error: Error) => void;
}

/** One etcd watch on its own stream. Delivers each revision as a whole. */
export class RevisionStream {
  readonly #options: RevisionStreamOptions;
  readonly #stream: ChannelStream;
  /** Everything up to this revision has been delivered. */
  #position: number;
  /** The revision of the member when the watch was created. Events up to there are read from its history. */
  #liveFrom = Number.POSITIVE_INFINITY;
  /** Events of a revision that may continue in the next fragment. */
  #held: WatchedEvent[] = [];
  #ended = false;
  #isChecking = false;
  #clusterId: number | undefined;
  /** The time of the last message. */
  receivedAt = performance.now();

  constructor(options: RevisionStreamOptions) {
    this.#options = options;
    this.#position = options.after;
    this.#stream = options.member.watch({
      onMessage: (message) => this.#onMessage(message),
      onEnd: (error) => this.fail(error),
    });
    const range = options.trustsProgress ? options.range : { key: firstKey, end: firstKey };
    this.#stream.write(encodeWatch({ ...range, startRevision: options.after + 1 }));
  }

  get member(): Member {
    return this.#options.member;
  }

  /** Whether the stream is paused until it is certain that the history is complete. */
  get isChecking(): boolean {
    return this.#isChecking;
  }

  get clusterId(): number | undefined {
    return this.#clusterId;
  }

  /**
   * Requests the progress of the watch. There is no response while the member still reads history. Without progress,
   * the watch can only check whether the history that it waits for has been compacted.
   */
  requestProgress(): void {
    if (this.#ended) return;
    if (this.#options.trustsProgress) this.#stream.write(encodeProgressRequest());
    else this.#options.checkHistory(this.#position).catch((error: StorageError) => this.#onMissing(error));
  }

  #onMissing(error: StorageError): void {
    if (error.code === 'RevisionCompacted') this.fail(error);
  }

  close(): void {
    this.#ended = true;
    this.#stream.cancel();
  }

  /** Ends the stream as if it had failed. */
  fail(error: Error): void {
    if (this.#ended) return;
    this.close();
    this.#options.onEnd(error);
  }

  #onMessage(message: Buffer): void {
    this.receivedAt = performance.now();
    try {
      this.#onResponse(decodeWatch(message));
    } catch (error) {
      this.fail(error as Error);
    }
  }

  #onResponse(response: WatchResponse): void {
    if (response.canceled) throw cancellation(response);
    if (response.created) {
      this.#liveFrom = response.revision;
      this.#clusterId = response.clusterId;
      return;
    }
    if (response.events.length === 0 && !this.#options.trustsProgress) return;
    if (this.#position >= this.#liveFrom) {
      this.#accept(response);
      return;
    }
    // A concurrent compaction silently removes deletions and previous values. The history must therefore still exist
    // after it was read.
    this.#stream.pause();
    this.#isChecking = true;
    this.#options.checkHistory(this.#position).then(
      () => {
        if (this.#ended) return;
        this.#isChecking = false;
        this.receivedAt = performance.now();
        try {
          this.#accept(response);
          this.#stream.resume();
        } catch (error) {
          this.fail(error as Error);
        }
      },
      (error: Error) => this.fail(error),
    );
  }

  #accept(response: WatchResponse): void {
    if (response.events.length === 0) this.#onProgress(response.revision);
    else this.#deliver(response);
  }

  #onProgress(revision: number): void {
    if (revision <= this.#position || this.#held.length > 0) return;
    this.#position = revision;
    this.#options.onProgress(revision);
  }

  #deliver({ events, fragment }: WatchResponse): void {
    let whole: readonly WatchedEvent[] = this.#held.length === 0 ? events : [...this.#held, ...events];
    this.#held = [];
    if (fragment) {
      const last = whole.at(-1)?.kv.modRevision;
      this.#held = whole.filter(({ kv }) => kv.modRevision === last);
      whole = whole.slice(0, whole.length - this.#held.length);
    }
    const position = whole.at(-1)?.kv.modRevision;
    // After a reconnection, events that were already delivered are not repeated.
    if (position === undefined || position <= this.#position) return;
    const { keys } = this.#options;
    const own = whole.filter(({ kv }) => kv.modRevision > this.#position && keys.has(kv.key));
    const delivered = own.map((event) => eventOf(event, keys));
    this.#position = position;
    this.#options.onEvents(delivered, position);
  }
}

export class HistoryCompactedError extends StorageError {
  readonly compactRevision: number;

  constructor(compactRevision: number) {
    super('RevisionCompacted', `the history before revision ${compactRevision} has been compacted`);
    this.compactRevision = compactRevision;
  }
}

function cancellation({ compactRevision, cancelReason }: WatchResponse): Error {
  if (compactRevision > 0) {
    return new HistoryCompactedError(compactRevision);
  }
  return new StorageError('Unavailable', cancelReason || 'etcd has cancelled the watch');
}

function eventOf({ deleted, kv, previous }: WatchedEvent, keys: KeySpace): StorageEvent {
  const replaces = deleted || kv.createRevision !== kv.modRevision;
  if (replaces && previous === undefined) {
    throw new StorageError('RevisionCompacted', `what revision ${kv.modRevision} replaced has been compacted`);
  }
  const key = keys.fromEtcd(kv.key);
  return {
    revision: kv.modRevision,
    key,
    value: deleted ? undefined : kv.value,
    createRevision: deleted ? 0 : kv.createRevision,
    previous: replaces && previous ? entryOf(previous, key) : undefined,
  };
}

export function entryOf({ value, modRevision, createRevision }: KeyValue, key: string): StoredEntry {
  return { key, value, modRevision, createRevision };
}
