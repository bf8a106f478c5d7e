import { closedError } from '../preconditions.ts';
import { StorageError, type StorageEvent, type WatchOptions } from '../storage.ts';
import { notify, WatcherSet } from '../watcher-set.ts';
import { RecentEvents } from './recent-events.ts';
import type { RevisionStream, RevisionStreamOptions } from './revision-stream.ts';

/** The maximum number of past events that a watcher gets in one call. */
const maxReplayEvents = 512;
/** Events usually arrive within this time. Progress is requested only after it. */
const progressDelayMs = 4;
const recheckMs = 100;
/**
 * A stream is closed when nothing arrives for this long although events are pending. The timeout doubles for each
 * further stream until one delivers something, so that a slow member is not abandoned forever.
 */
const minSilenceMs = 1000;
const maxSilenceMs = 16_000;
const minBackoffMs = 50;
const maxBackoffMs = 2000;

export interface EventFeedOptions {
  /** The revision from which on the feed follows the store. */
  readonly after: number;
  readonly recent: { readonly maxEvents: number; readonly maxBytes: number };
  /** Opens a stream of all keys, on another member than before if that one failed. */
  readonly open: (stream: FeedStreamOptions) => Promise<RevisionStream>;
  /** The revision of the store, by a linearizable read. */
  readonly readRevision: () => Promise<number>;
  readonly onFailed: (stream: RevisionStream) => void;
  /** The known state of the history is no longer valid. */
  readonly onRestart: () => Promise<void>;
  readonly log: (message: string, fields?: object) => void;
}

export type FeedStreamOptions = Pick<RevisionStreamOptions, 'after' | 'onEvents' | 'onProgress' | 'onEnd'>;

/**
 * Follows all changes of the store with one watch and distributes them to any number of watchers, so that all of them
 * advance together. Reconnects automatically and continues at the last revision.
 */
export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #watchers = new WatcherSet();
  readonly #recent: RecentEvents;
  readonly #waiting = new Set<{ readonly revision: number; readonly resolve: () => void }>();
  #position: number;
  #stream: RevisionStream | undefined;
  #closed: Error | undefined;
  #stop = (): void => {};
  #progressScheduled = false;
  #target = 0;
  #timer: NodeJS.Timeout | undefined;
  #behindSince = 0;
  #silenceMs = minSilenceMs;
  #clusterId: number | undefined;

  constructor(options: EventFeedOptions) {
    this.#options = options;
    this.#position = options.after;
    this.#recent = new RecentEvents(options.after, options.recent);
  }

  /** Everything up to this revision has been delivered. */
  get position(): number {
    return this.#position;
  }

  /** The greatest revision that is known to exist. */
  get expected(): number {
    return this.#target;
  }

  /** Watches after this revision or a later one can join. */
  get start(): number {
    return this.#recent.start;
  }

  /** Follows the store until `close`. */
  async run(): Promise<void> {
    let backoff = minBackoffMs;
    let reason = '';
    while (this.#closed === undefined) {
      const before = this.#position;
      const error = await this.#follow();
      if (this.#closed !== undefined) return;
      if ((error as StorageError).code === 'RevisionCompacted') await this.#restart(error);
      else if (error.message !== reason) {
        this.#options.log('the watch of etcd has ended and is opened again', { reason: error.message });
      }
      reason = error.message;
      backoff = this.#position > before ? minBackoffMs : Math.min(backoff * 2, maxBackoffMs);
      await this.#pause(backoff);
    }
  }

  /** Delivers the events after `options.after`. The caller has checked that they are available. */
  join(options: WatchOptions): void {
    // Callbacks cannot change the position: it changes only when a message arrives.
    if (options.after < this.#position) {
      const missed = this.#recent.after(options.after).filter(({ key }) => key.startsWith(options.prefix));
      for (let index = 0; index < missed.length; index += maxReplayEvents) {
        notify(options, missed.slice(index, index + maxReplayEvents));
        options.signal.throwIfAborted();
        if (this.#closed) throw this.#closed;
      }
    }
    this.#watchers.add({ ...options, after: Math.max(options.after, this.#position) });
    this.#scheduleProgress();
  }

  /** Makes the feed reach a revision that exists. */
  expect(revision: number): void {
    if (revision <= this.#target) return;
    this.#target = revision;
    this.#catchUp();
  }

  /** Resolves when the feed has reached the revision, or after the time. */
  async reach(revision: number, timeoutMs: number): Promise<void> {
    if (this.#position >= revision) return;
    this.expect(revision);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => waiter.resolve(), timeoutMs);
      const waiter = {
        revision,
        resolve: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiter);
          resolve();
        },
      };
      this.#waiting.add(waiter);
    });
  }

  close(error: Error): void {
    if (this.#closed) return;
    this.#closed = error;
    clearTimeout(this.#timer);
    this.#stream?.close();
    this.#stop();
    this.#watchers.fail(error);
    for (const waiter of this.#waiting) waiter.resolve();
  }

  /** Opens a stream and follows it. Resolves with the reason when it has ended. */
  async #follow(): Promise<Error> {
    try {
      const known = Math.max(this.#position, this.#target);
      const revision = await this.#options.readRevision();
      if (revision < known) return revisionDecreased(known, revision);
      const ended = Promise.withResolvers<Error>();
      this.#stream = await this.#options.open({
        after: this.#position,
        onEvents: (events, position) => this.#onEvents(events, position),
        onProgress: (position) => this.#advance(position),
        onEnd: ended.resolve,
      });
      this.#stop = () => ended.resolve(closedError());
      if (this.#closed) this.#stream.close();
      else this.#catchUp();
      const error = this.#closed ?? (await ended.promise);
      this.#options.onFailed(this.#stream);
      return error;
    } catch (error) {
      return error as Error;
    } finally {
      this.#stream = undefined;
    }
  }

  #onEvents(events: readonly StorageEvent[], position: number): void {
    const stream = this.#stream;
    if (stream?.clusterId !== undefined) {
      if (this.#clusterId !== undefined && this.#clusterId !== stream.clusterId) {
        throw new StorageError('RevisionCompacted', 'etcd has become another cluster');
      }
      this.#clusterId = stream.clusterId;
    }
    this.#recent.add(events);
    this.#position = position;
    this.#watchers.deliver(events);
    this.#advance(position);
  }

  #advance(position: number): void {
    this.#position = position;
    this.#silenceMs = minSilenceMs;
    for (const waiter of this.#waiting) if (waiter.revision <= position) waiter.resolve();
    this.#scheduleProgress();
  }

  /** Watchers are notified once for all events that arrive together. */
  #scheduleProgress(): void {
    if (this.#progressScheduled) return;
    this.#progressScheduled = true;
    setImmediate(() => {
      this.#progressScheduled = false;
      this.#watchers.progress(this.#position);
    });
  }

  /** Restarts all watchers, because they have missed changes that no longer exist. */
  async #restart(error: Error): Promise<void> {
    this.#options.log('the watch of etcd has missed changes, so all watches start again', { reason: error.message });
    const lost = error instanceof StorageError ? error : new StorageError('RevisionCompacted', error.message);
    try {
      await this.#options.onRestart();
      this.#position = await this.#options.readRevision();
      this.#target = this.#position;
      this.#recent.clear(this.#position);
      this.#clusterId = undefined;
      this.#watchers.fail(lost);
    } catch {
      // The next attempt fails in the same way and is reported.
    }
  }

  #catchUp(): void {
    if (this.#target <= this.#position || this.#timer !== undefined) return;
    this.#behindSince = performance.now();
    this.#check(progressDelayMs);
  }

  /**
   * Checks after the timeout whether the feed has reached the latest known revision. Requests progress until it has, or
   * closes the stream.
   */
  #check(delayMs: number): void {
    const due = performance.now() + delayMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const stream = this.#stream;
      if (this.#position >= this.#target || stream === undefined) return;
      const now = performance.now();
      // If this process was busy, the response may still be in the socket.
      const wasBusy = now - due > minSilenceMs / 4;
      const isWaiting = !wasBusy && !stream.isChecking;
      if (isWaiting && now - Math.max(stream.receivedAt, this.#behindSince) > this.#silenceMs) {
        this.#silenceMs = Math.min(this.#silenceMs * 2, maxSilenceMs);
        stream.fail(new Error(`no messages from ${stream.member.target}`));
        return;
      }
      stream.requestProgress();
      this.#check(recheckMs);
    }, delayMs);
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delayMs);
      this.#stop = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function revisionDecreased(from: number, to: number): StorageError {
  return new StorageError('RevisionCompacted', `etcd went back from revision ${from} to ${to}: was it restored?`);
}
