import {
  type Change,
  type CommitResult,
  StorageError,
  type StorageEvent,
  type StoredEntry,
  type TwoCommitsResult,
} from '../storage.ts';
import { BatchSlab, packedSize } from './batch-slab.ts';
import { entryOf } from './entry-of.ts';
import { unpackVersions } from './packed-versions.ts';
import { type CommitReply, revisionOfPrevious } from './protocol.ts';
import type { RequestChannel } from './request-channel.ts';

const maxBatchCount = 512;
const maxBatchBytes = 4 * 1024 * 1024;
/** The maximum backlog for a slow disk. */
const maxWaitingCount = 20_000;
const maxWaitingBytes = 256 * 1024 * 1024;

export interface CommitQueueOptions {
  readonly connection: RequestChannel;
  /**
   * Called for each batch after it is durable and before any of its commits resolves. Absent if commits are reported in
   * another way.
   */
  readonly onBatch?: ((revision: number, events: readonly StorageEvent[]) => void) | undefined;
}

export interface CommitStatistics {
  /** Number of changes written. */
  readonly commits: number;
  /** Number of transactions that wrote them. */
  readonly batches: number;
  /** Number of changes that wait for their batch. */
  readonly waiting: number;
}

/**
 * Group commit. The worker handles one batch at a time, and changes that arrive in the meantime form the next batch.
 * Concurrent writers share the cost of making a batch durable.
 */
export class CommitQueue {
  readonly #connection: RequestChannel;
  readonly #onBatch: CommitQueueOptions['onBatch'];
  readonly #slab = new BatchSlab();
  #waiting: PendingCommit[] = [];
  #waitingBytes = 0;
  // True from the moment a batch is scheduled until its reply has been handled.
  #busy = false;
  #idle: (() => void)[] = [];
  #commits = 0;
  #batches = 0;

  constructor({ connection, onBatch }: CommitQueueOptions) {
    this.#connection = connection;
    this.#onBatch = onBatch;
  }

  get statistics(): CommitStatistics {
    return { commits: this.#commits, batches: this.#batches, waiting: this.#waiting.length };
  }

  add(change: Change): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maxWaitingCount || this.#waitingBytes >= maxWaitingBytes) {
        reject(new StorageError('Unavailable', 'too many changes are waiting to be written'));
        return;
      }
      this.#push({ change, resolve, reject });
      if (!this.#busy) this.#schedule();
    });
  }

  /** Adds a change and one of the same key that follows it, in the same batch. */
  async addBoth(change: Change, next: Buffer): Promise<TwoCommitsResult> {
    const first = this.add(change);
    const second = new Promise<CommitResult>((resolve, reject) => {
      if (this.#waiting.at(-1)?.change !== change) resolve({ committed: false, current: undefined });
      else this.#push({ change: { key: change.key, expected: revisionOfPrevious, value: next }, resolve, reject });
    });
    const [result, { committed }] = await Promise.all([first, second]);
    return { first: result, isReplaced: committed };
  }

  #push(pending: PendingCommit): void {
    this.#waiting.push(pending);
    this.#waitingBytes += packedSize(pending.change);
  }

  /** Resolves when all added changes have been answered. */
  drained(): Promise<void> {
    if (!this.#busy) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    this.#busy = true;
    // Deferred, so that writers woken by the same batch, or whose requests are ready in other sockets, join this batch.
    setImmediate(() => this.#send());
  }

  #send(): void {
    const batch = this.#take();
    const fail = (error: StorageError): void => {
      for (const pending of batch) pending.reject(error);
      this.#next();
    };
    let slab: SharedArrayBuffer | undefined;
    try {
      slab = this.#slab.pack(batch.map((pending) => pending.change));
    } catch (cause) {
      fail(new StorageError('Unavailable', 'there is no memory for the batch', { cause }));
      return;
    }
    this.#connection.post(
      'commit',
      { count: batch.length, slab },
      {
        onReply: (reply) => {
          this.#settle(batch, reply);
          // Changes that have arrived meanwhile, or that watchers made in reaction to this batch, are sent before the
          // writers of this batch are resumed. Those may take a whole turn of the event loop to respond.
          if (this.#waiting.length > 0) this.#send();
          else this.#next();
        },
        onError: fail,
      },
    );
  }

  #next(): void {
    if (this.#waiting.length > 0) {
      this.#schedule();
      return;
    }
    // Writers that have just been woken may add changes, which schedules the next batch.
    this.#busy = false;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  #take(): PendingCommit[] {
    let bytes = 0;
    let count = 0;
    for (const { change } of this.#waiting) {
      bytes += packedSize(change);
      const isBound = change.expected === revisionOfPrevious;
      if (count > 0 && !isBound && (count >= maxBatchCount || bytes > maxBatchBytes)) break;
      count += 1;
      this.#waitingBytes -= packedSize(change);
    }
    const batch = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return batch;
  }

  #settle(batch: readonly PendingCommit[], { revision, revisions, found }: CommitReply): void {
    const versions = found ? unpackVersions(found) : [];
    const events: StorageEvent[] = [];
    let written = 0;
    const results = batch.map(({ change }, index): CommitResult => {
      const committed = revisions[index] ?? 0;
      const version = versions[index];
      const current = version && entryOf(change.key, version);
      if (committed === 0) return { committed: false, current };
      written += 1;
      if (this.#onBatch !== undefined) events.push(toEvent(change, committed, current));
      return { committed: true, revision: committed };
    });
    this.#commits += written;
    if (written > 0) this.#batches += 1;
    this.#onBatch?.(revision, events);
    results.forEach((result, index) => {
      batch[index]?.resolve(result);
    });
  }
}

interface PendingCommit {
  readonly change: Change;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: StorageError) => void;
}

function toEvent({ key, value }: Change, revision: number, previous: StoredEntry | undefined): StorageEvent {
  const createRevision = value ? (previous?.createRevision ?? revision) : 0;
  return { revision, key, value, createRevision, previous };
}
