import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { closedError } from '../preconditions.ts';
import { StorageError } from '../storage.ts';
import type { WatcherSet } from '../watcher-set.ts';
import type { HistoryPins } from './compaction.ts';
import { KeptSlabs } from './kept-slabs.ts';
import type { KeptMessage, PublishedMessage, ReplyMessage, RequestMessage } from './protocol.ts';
import { PublishedEvents } from './published-events.ts';
import { RequestChannel } from './request-channel.ts';
import type { SharedNumbers } from './shared-numbers.ts';

/**
 * How often a compaction checks whether other threads still read the history that it is going to remove, in
 * milliseconds.
 */
const pollInterval = 5;

type FeedMessage = PublishedMessage | KeptMessage | ReplyMessage;

export interface ThreadFeedOptions {
  readonly port: MessagePort;
  readonly numbers: SharedNumbers;
  /** The slot of this thread in the shared numbers. */
  readonly slot: number;
  /** The revision at which the thread was connected. */
  readonly revision: number;
  readonly watchers: WatcherSet;
  /** Called when the storage thread has ended unexpectedly. */
  readonly onEnd: (error: StorageError) => void;
}

/**
 * The connection of one of several threads to the storage thread. It receives the events of all commits, in order, also
 * those of other threads.
 *
 * A thread need not wait for events that it has not received yet: once a revision is the latest one, its events are in
 * the message port, and `catchUp` reads them from there. The watches of a thread therefore never lag.
 */
export class ThreadFeed extends RequestChannel implements HistoryPins {
  readonly #port: MessagePort;
  readonly #numbers: SharedNumbers;
  readonly #slot: number;
  readonly #watchers: WatcherSet;
  /** The memory of the values that all threads keep. */
  readonly kept = new KeptSlabs();
  readonly #events = new PublishedEvents(this.kept);
  readonly #closed: Promise<void>;
  #delivered: number;
  #isReceiving = false;

  constructor({ port, numbers, slot, revision, watchers, onEnd }: ThreadFeedOptions) {
    super();
    this.#port = port;
    this.#numbers = numbers;
    this.#slot = slot;
    this.#watchers = watchers;
    this.#delivered = revision;
    this.#closed = new Promise((resolve) => port.once('close', () => resolve()));
    port.on('message', (message: FeedMessage) => this.#receive(message));
    port.once('close', () => {
      const error = new StorageError('Unavailable', 'the storage thread has ended unexpectedly');
      this.rejectPending(error);
      if (this.isEnded) return;
      this.refuse(error);
      onEnd(error);
    });
  }

  /** All events up to this revision have been delivered to the watchers of this thread. */
  get delivered(): number {
    return this.#delivered;
  }

  get compacted(): number {
    return this.#numbers.compacted;
  }

  /** Delivers the events of all commits that any thread has acknowledged. Does nothing when called by a watcher. */
  catchUp(): void {
    if (this.#isReceiving) return;
    while (this.#numbers.revision > this.#delivered) {
      const next = receiveMessageOnPort(this.#port);
      // The storage thread has ended.
      if (next === undefined) return;
      this.#receive(next.message);
    }
  }

  /** Pins the history that reads of this thread need, from this revision on. */
  pin(revision: number | undefined): void {
    this.#numbers.pin(this.#slot, revision);
  }

  async freeBelow(revision: number): Promise<void> {
    while (!this.isEnded && this.#numbers.isPinnedBelow(revision)) {
      await new Promise((resolve) => setTimeout(resolve, pollInterval));
    }
  }

  /** Until the signal aborts, events have their previous entry. */
  wantPrevious(signal: AbortSignal): void {
    this.#numbers.wantPrevious(this.#slot, 1);
    signal.addEventListener('abort', () => this.#numbers.wantPrevious(this.#slot, -1), { once: true });
  }

  async close(): Promise<void> {
    if (!this.isEnded) {
      // The probe is answered last. Events may arrive until then.
      const probed = this.call('probe', { writes: false });
      this.refuse(closedError());
      await probed.catch(() => {});
      this.#port.close();
    }
    await this.#closed;
  }

  protected send(message: RequestMessage): void {
    this.#port.postMessage(message);
  }

  #receive(message: FeedMessage): void {
    const wasReceiving = this.#isReceiving;
    this.#isReceiving = true;
    try {
      if ('published' in message) this.#deliver(message);
      else if ('kept' in message) this.#move(message);
      else this.dispatch(message);
    } finally {
      this.#isReceiving = wasReceiving;
    }
  }

  #move(message: KeptMessage): void {
    const moved = this.kept.receive(message);
    if (moved !== undefined) this.#watchers.move(moved);
  }

  #deliver(message: PublishedMessage): void {
    const events = this.#events.unpack(message);
    this.#delivered = events.at(-1)!.revision;
    this.#watchers.deliver(events);
    this.#numbers.deliver(this.#slot, this.#delivered);
  }
}
