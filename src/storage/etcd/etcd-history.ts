import type { StorageError } from '../storage.ts';
import { type EtcdCalls, statusCall } from './etcd-calls.ts';
import { storageErrorOf } from './etcd-failure.ts';
import type { EtcdRange, KeySpace } from './key-space.ts';
import type { Members } from './members.ts';
import { reportsProgress } from './progress-support.ts';
import { HistoryCompactedError, RevisionStream, type RevisionStreamOptions } from './revision-stream.ts';

/** How long a member may take to report its version or the compacted revision. */
const callTimeoutMs = 5000;

export type StreamOptions = Pick<RevisionStreamOptions, 'after' | 'onEvents' | 'onProgress' | 'onEnd'>;

/** Tracks how much history etcd still has, and opens streams of its changes. */
export class EtcdHistory {
  readonly #members: Members;
  readonly #calls: EtcdCalls;
  readonly #keys: KeySpace;
  #compacted = 0;

  constructor({ members, calls, keys }: { members: Members; calls: EtcdCalls; keys: KeySpace }) {
    this.#members = members;
    this.#calls = calls;
    this.#keys = keys;
  }

  /** The revision up to which history is known to be removed. */
  get compacted(): number {
    return this.#compacted;
  }

  /** Records that the history before this revision has been removed, by this server or another one. */
  recordCompacted(compacted: number): void {
    this.#compacted = Math.max(this.#compacted, compacted);
  }

  /** Records the compaction if a read at the revision has failed because of it. Returns the error. */
  recordFrom(error: unknown, revision = 0): unknown {
    if ((error as StorageError).code === 'RevisionCompacted') this.recordCompacted(revision + 1);
    return error;
  }

  /** Rejects with `RevisionCompacted` when changes after the revision may be missing. */
  async check(after: number): Promise<void> {
    const revision = readable(after);
    try {
      await this.#calls.range({ key: this.#keys.absent, revision });
    } catch (error) {
      throw this.recordFrom(error, revision);
    }
  }

  /** Determines the compacted revision again. etcd reports it only to watches that start before it. */
  async find(): Promise<void> {
    try {
      await this.check(1);
      this.#compacted = 0;
      return;
    } catch (error) {
      if ((error as StorageError).code !== 'RevisionCompacted') throw error;
    }
    const found = Promise.withResolvers<number>();
    const stream = await this.openStream(
      {
        after: 0,
        onEvents: () => {},
        onProgress: () => {},
        onEnd: (error) => found.resolve(error instanceof HistoryCompactedError ? error.compactRevision : 0),
      },
      { key: this.#keys.absent, end: `${this.#keys.absent}\0` },
    );
    const timer = setTimeout(() => found.resolve(0), callTimeoutMs);
    this.#compacted = await found.promise;
    clearTimeout(timer);
    stream.close();
  }

  /** Opens a stream of the changes of a range of keys, on a member that responds. */
  async openStream(stream: StreamOptions, range: EtcdRange): Promise<RevisionStream> {
    const member = await this.#members.choose();
    try {
      const { version } = await member.call(statusCall(), callTimeoutMs);
      const checkHistory = (revision: number): Promise<void> => this.check(revision);
      const trustsProgress = reportsProgress(version);
      return new RevisionStream({ ...stream, member, keys: this.#keys, range, trustsProgress, checkHistory });
    } catch (error) {
      this.#members.avoid(member);
      throw storageErrorOf(error);
    }
  }
}

/** An empty etcd has revision 1. Revision 0 means the latest one in etcd's API. */
export function readable(revision: number): number;
export function readable(revision: number | undefined): number | undefined;
export function readable(revision: number | undefined): number | undefined {
  return revision === undefined ? undefined : Math.max(revision, 1);
}
