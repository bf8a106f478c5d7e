import { beforeAll, onTestFinished } from 'vitest';
import type { Server, ServerOptions } from '../../src/index.ts';
import type { SharingTimings } from '../../src/server/sharing-timings.ts';
import { startServerOn } from '../../src/server/start-server.ts';
import {
  type Change,
  type CommitResult,
  createMemoryStorage,
  type RangeOptions,
  type RangeResult,
  type Storage,
  StorageError,
  type StoredEntry,
  type WatchOptions,
} from '../../src/storage/index.ts';
import { LaggingStorage } from '../../src/storage/lagging-storage.conformance.ts';
import { createRandom } from '../faults/random.ts';
import { TestApi } from '../wire/api.ts';

/** The maximum delay of the watches of a server, in milliseconds. */
const maxLagMs = 10;

/**
 * Most intervals are short, so that tests do not wait long. Leases last as long as usual, because a server whose lease
 * expires on a slow machine would be considered dead.
 */
export const shortTimings: SharingTimings = {
  election: { retryMs: 100 },
  presence: { durationSeconds: 60, renewMs: 200 },
  repair: { everyMs: 100, graceMs: 600_000 },
  settleMs: 300,
};

/** Timings for tests that wait for the end of a lease. */
export const shortLeases: SharingTimings = {
  ...shortTimings,
  election: { durationSeconds: 1, renewDeadlineMs: 700, retryMs: 100 },
  presence: { durationSeconds: 1, renewMs: 200 },
};

export interface SharedServerOptions extends ServerOptions {
  readonly timings?: SharingTimings;
}

/** A server on the shared store, with a client. */
export interface SharedServer {
  readonly api: TestApi;
  readonly client: Server['client'];
  /** Disconnects the server from the store: its calls fail, and its watches receive nothing. */
  cutOff(): void;
  /** Makes the store stop responding to the server until the returned function is called. */
  stall(): () => void;
  stop(): Promise<void>;
}

/** Registers a function that is called at the end. */
export type AtEnd = (end: () => Promise<void>) => void;

/** Creates an empty store. By default it is closed at the end of the test. */
export type NewStore = (atEnd?: AtEnd) => SharedStore | Promise<SharedStore>;

/** A store that several servers share. */
export class SharedStore {
  /** The test's own connection. */
  readonly storage: Storage;
  readonly #connect: () => Promise<Storage>;
  readonly #atEnd: AtEnd;

  private constructor(storage: Storage, { connect, atEnd }: { connect: () => Promise<Storage>; atEnd: AtEnd }) {
    this.storage = storage;
    this.#connect = connect;
    this.#atEnd = atEnd;
    atEnd(() => this.storage.close());
  }

  /** Creates a store in the memory of this process. The watches of the servers lag. */
  static inMemory({ seed = 1, atEnd = onTestFinished }: { seed?: number; atEnd?: AtEnd } = {}): SharedStore {
    const random = createRandom(seed);
    const storage = createMemoryStorage();
    const connect = async () => new LaggingView(storage, { delayMs: () => random(maxLagMs) });
    return new SharedStore(storage, { connect, atEnd });
  }

  static async onEtcd(atEnd: AtEnd = onTestFinished): Promise<SharedStore> {
    const { newEtcdStore } = await import('./etcd-server.ts');
    const connect = await newEtcdStore();
    return new SharedStore(await connect(), { connect, atEnd });
  }

  /** Starts a server, which is stopped before the store is closed. */
  async start({ timings = shortTimings, ...options }: SharedServerOptions = {}): Promise<SharedServer> {
    const connection = new Connection(await this.#connect());
    let server: Server | undefined;
    const api = await TestApi.start(options, async (resolved) => {
      server = await startServerOn(async () => connection, resolved, timings);
      return server;
    });
    let stopped: Promise<void> | undefined;
    const stop = (): Promise<void> => {
      stopped ??= api.stop();
      return stopped;
    };
    this.#atEnd(stop);
    return { api, client: server!.client, cutOff: () => connection.cut(), stall: () => connection.stall(), stop };
  }

  /** Starts servers at the same time. */
  startAll(count: number, options?: (index: number) => SharedServerOptions): Promise<SharedServer[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => this.start(options?.(index))));
  }
}

export interface StoreWithServers {
  readonly store: SharedStore;
  readonly servers: readonly SharedServer[];
}

/** Starts servers that all tests of a suite use. */
export function startForSuite(
  newStore: NewStore,
  count: number,
  options?: (index: number) => SharedServerOptions,
): () => StoreWithServers {
  let started: StoreWithServers;
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = [];
    const store = await newStore((end) => ends.unshift(end));
    started = { store, servers: await store.startAll(count, options) };
    return async () => {
      for (const end of ends) await end();
    };
  });
  return () => started;
}

/** A view that does not close the store, which outlives the servers. */
class LaggingView extends LaggingStorage {
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The connection of one server to the store. */
class Connection implements Storage {
  readonly watchesLag = true;
  readonly #storage: Storage;
  #fault: StorageError | undefined;
  #stalled: Promise<void> | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  cut(): void {
    this.#fault = new StorageError('Unavailable', 'the store cannot be reached');
  }

  stall(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stalled = promise;
    return () => {
      this.#stalled = undefined;
      resolve();
    };
  }

  async #through<T>(call: () => T | Promise<T>): Promise<T> {
    if (this.#fault !== undefined) throw this.#fault;
    const result = await call();
    await this.#stalled;
    if (this.#fault !== undefined) throw this.#fault;
    return result;
  }

  latestRevision(): Promise<number> {
    return this.#through(() => this.#storage.latestRevision());
  }

  get(key: string, options?: { revision?: number }): Promise<StoredEntry | undefined> {
    return this.#through(() => this.#storage.get(key, options));
  }

  range(options: RangeOptions): Promise<RangeResult> {
    return this.#through(() => this.#storage.range(options));
  }

  commit(change: Change): Promise<CommitResult> {
    return this.#through(() => this.#storage.commit(change));
  }

  watch(options: WatchOptions): Promise<void> {
    const isConnected = (): boolean => this.#fault === undefined;
    return this.#through(() =>
      this.#storage.watch({
        ...options,
        onEvents: (events) => {
          if (isConnected()) options.onEvents(events);
        },
        onProgress: (revision) => {
          if (isConnected()) options.onProgress?.(revision);
        },
      }),
    );
  }

  compact(revision: number): Promise<void> {
    return this.#through(() => this.#storage.compact(revision));
  }

  compactedRevision(): number {
    return this.#storage.compactedRevision();
  }

  probe(signal: AbortSignal): Promise<void> {
    return this.#through(() => this.#storage.probe(signal));
  }

  probeWrites(signal: AbortSignal): Promise<void> {
    return this.#through(() => this.#storage.probeWrites(signal));
  }

  close(): Promise<void> {
    this.#fault = new StorageError('Closed', 'the connection is closed');
    return this.#storage.close();
  }
}
