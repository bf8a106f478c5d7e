import { setTimeout } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { StorageError } from '../storage.ts';
import { WatcherSet } from '../watcher-set.ts';
import { EmbeddedStorage } from './embedded-storage.ts';
import { defaultValueLimit } from './open-embedded-storage.ts';
import type { OpenReply, OpenRequest } from './protocol.ts';
import { maxClients, SharedNumbers } from './shared-numbers.ts';
import { storeThread } from './store-thread.ts';
import { ThreadFeed } from './thread-feed.ts';
import { WorkerConnection } from './worker-connection.ts';

/** How often to check whether the storage thread has handled the end of a connection, in milliseconds. */
const pollInterval = 5;

/** The handle of a shared store for one thread, sent to it with the port transferred. */
export interface ThreadConnection {
  readonly port: MessagePort;
  readonly numbers: SharedArrayBuffer;
  readonly slot: number;
  readonly state: OpenReply;
  readonly valueLimit: number;
}

export interface SharedStoreOptions {
  /** The directory, as for an embedded storage. Undefined if the store is in memory. */
  readonly directory: string | undefined;
  readonly valueLimit?: number;
  readonly sizeLimit?: number;
  readonly overwriteDeleted?: boolean;
  /** Called when the storage thread has ended unexpectedly. */
  readonly onEnd?: (error: StorageError) => void;
}

/**
 * A store that several threads of this process share. Its worker is the only writer: it orders all commits and notifies
 * all threads.
 */
export class SharedStore {
  readonly #connection: WorkerConnection;
  readonly #numbers: SharedNumbers;
  readonly #valueLimit: number;
  readonly #slots = new Set<number>();
  #sweepPending: boolean;

  private constructor(
    connection: WorkerConnection,
    { numbers, valueLimit, state }: { numbers: SharedNumbers; valueLimit: number; state: OpenReply },
  ) {
    this.#connection = connection;
    this.#numbers = numbers;
    this.#valueLimit = valueLimit;
    this.#sweepPending = state.sweepPending;
  }

  /** Rejects like `openEmbeddedStorage`. */
  static async open(options: SharedStoreOptions): Promise<SharedStore> {
    const { directory, sizeLimit, overwriteDeleted = false, onEnd } = options;
    const valueLimit = options.valueLimit ?? (directory === undefined ? Number.POSITIVE_INFINITY : defaultValueLimit);
    const numbers = SharedNumbers.create();
    const connection = new WorkerConnection(storeThread(), (error) => onEnd?.(error));
    try {
      const request: OpenRequest = { directory, sizeLimit, overwriteDeleted, shared: numbers.memory };
      const state = await connection.call('open', request);
      return new SharedStore(connection, { numbers, valueLimit, state });
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Connects one more thread. Its slot is available again when the thread has closed its storage or ended. */
  async connect(): Promise<ThreadConnection> {
    const { port1, port2 } = new MessageChannel();
    const slot = this.#takeSlot();
    const connected = await this.#connection.call('connect', { port: port2, slot });
    // The first thread completes the sweep that the previous process has not completed.
    const state = { ...connected, sweepPending: this.#sweepPending };
    this.#sweepPending = false;
    return { port: port1, numbers: this.#numbers.memory, slot, state, valueLimit: this.#valueLimit };
  }

  /**
   * Frees the slot of a connection whose thread has closed its storage or ended. Resolves when all commits of that
   * thread have been decided.
   */
  async release({ slot }: Pick<ThreadConnection, 'slot'>): Promise<void> {
    // The port is closed only after all earlier messages have been handled.
    while (!this.#connection.isEnded && !this.#numbers.isVacant(slot)) await setTimeout(pollInterval);
    this.#slots.delete(slot);
  }

  /** Must be called after the threads have closed their storages. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  #takeSlot(): number {
    for (let slot = 0; slot < maxClients; slot += 1) {
      if (this.#slots.has(slot)) continue;
      this.#slots.add(slot);
      return slot;
    }
    throw new StorageError('Unavailable', `more than ${maxClients} threads use the store`);
  }
}

/** The storage of a thread. `onEnd` is called when the storage thread has ended unexpectedly. */
export function connectStorage(
  { port, numbers, slot, state, valueLimit }: ThreadConnection,
  onEnd: (error: StorageError) => void = () => {},
): EmbeddedStorage {
  const watchers = new WatcherSet();
  const feed = new ThreadFeed({
    port,
    numbers: new SharedNumbers(numbers),
    slot,
    revision: state.revision,
    watchers,
    onEnd: (error) => {
      watchers.fail(error);
      onEnd(error);
    },
  });
  return new EmbeddedStorage({ connection: feed, watchers, state, valueLimit, feed });
}
