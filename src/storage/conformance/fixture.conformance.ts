import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type CommitResult, prefixEnd, type Storage, type StorageEvent, type WatchOptions } from '../storage.ts';

export interface StorageFixture {
  readonly storage: Storage;
  /** Durable backends: reopens the same data after the store was closed. */
  readonly reopen?: () => Promise<Storage>;
  /** Durable backends: modifies the newest value of the key in the closed store's files, and reopens the store. */
  readonly damage?: (key: string) => Promise<Storage>;
  /** Waits until the store can be used independently of others. Absent if it always can. */
  readonly ready?: () => Promise<void>;
  /** Closes the open store and removes the data. */
  readonly dispose: () => Promise<void>;
}

export type OpenFixture = () => Promise<StorageFixture>;

export interface StorageTraits {
  /** Whether events are delivered before the commit resolves and the latest revision is returned synchronously. */
  readonly singleWriter: boolean;
  /** Whether the backend has `commitTwice`. */
  readonly commitsTwice?: boolean;
  /** Number of random sequences of operations to run; as many as a few seconds allow. */
  readonly randomRuns: number;
}

/** Opens a store for the running test. */
export async function openForTest(open: OpenFixture): Promise<StorageFixture> {
  const fixture = await open();
  onTestFinished(fixture.dispose);
  return fixture;
}

/** The stores that the tests of a suite share, because opening some backends takes longer than most tests. */
export interface SuiteStores {
  /** Returns a store for a test with few keys. The keys of earlier tests are deleted first. */
  readonly emptied: () => Promise<Storage>;
  /** Returns a store for a test with many keys, which uses a separate prefix. */
  readonly large: () => Promise<Storage>;
  /** Opens a store for a test that closes it. */
  readonly open: OpenFixture;
}

export function openForSuite(open: OpenFixture): SuiteStores {
  let fixtures: StorageFixture[] = [];
  beforeAll(async () => {
    fixtures = [await open(), await open()];
  });
  afterAll(() => Promise.all(fixtures.map((fixture) => fixture.dispose())));
  return {
    async emptied() {
      const { storage } = fixtures[0]!;
      const { entries } = await storage.range({ start: '/', end: prefixEnd('/') });
      await Promise.all(entries.map(({ key, modRevision }) => remove(storage, key, modRevision)));
      return storage;
    },
    async large() {
      const { storage, ready } = fixtures[1]!;
      await ready?.();
      return storage;
    },
    open,
  };
}

/** Writes a value, expects success and returns the revision. */
export async function put(
  storage: Storage,
  key: string,
  options: { text: string; expected?: number },
): Promise<number> {
  return revisionOf(await storage.commit({ key, expected: options.expected ?? 0, value: Buffer.from(options.text) }));
}

/** Deletes a key that must exist at the revision. */
export async function remove(storage: Storage, key: string, expected: number): Promise<number> {
  return revisionOf(await storage.commit({ key, expected, value: undefined }));
}

function revisionOf(result: CommitResult): number {
  if (!result.committed) throw new Error(`not committed, current is ${result.current?.modRevision}`);
  return result.revision;
}

/** A watcher that records its events. */
export class Recorder {
  readonly events: StorageEvent[] = [];
  readonly errors: Error[] = [];
  readonly #controller = new AbortController();
  #changed: () => void = () => {};

  async watch(storage: Storage, options: Pick<WatchOptions, 'prefix' | 'after'>): Promise<this> {
    await storage.watch({
      ...options,
      onEvents: (events) => {
        this.events.push(...events);
        this.#changed();
      },
      onError: (error) => {
        this.errors.push(error);
        this.#changed();
      },
      signal: this.#controller.signal,
    });
    return this;
  }

  abort(): void {
    this.#controller.abort();
  }

  /** Resolves when at least this many events have been received. */
  async until(count: number): Promise<void> {
    while (this.events.length < count && this.errors.length === 0) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  /** Formats events as `revision key=value<previous`, for short comparisons. */
  eventTexts(base: number): string[] {
    return this.events.map(
      ({ revision, key, value, previous }) =>
        `${revision - base} ${key}${value ? `=${value}` : ' gone'}${previous ? ` was ${previous.value}` : ''}`,
    );
  }
}
