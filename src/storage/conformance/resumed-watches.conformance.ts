import { describe, expect, test } from 'vitest';
import type { Storage } from '../storage.ts';
import { put, type StorageTraits, type SuiteStores } from './fixture.conformance.ts';

const batchSize = 400;
const total = 1200;
/** More than twice as many events as a backend reads from history at a time. */
const longHistory = 4500;

/** Tests a watcher whose consumer is full: it aborts inside its callback, and later watches again. */
export function describeResumedWatches({ large }: SuiteStores, traits: StorageTraits): void {
  describe('watch that aborts inside its callback and is resumed', () => {
    const cases = [
      { name: 'from the past', written: total, nested: false },
      { name: 'from the past, again inside the callback', written: total, nested: true },
      { name: 'while a writer goes on', written: total / 2, nested: false },
      { name: 'while a writer goes on, again inside the callback', written: total / 2, nested: true },
    ];
    test.each(cases)('$name: no gaps, no duplicates', async ({ name, written, nested }) => {
      const storage = await large();
      const prefix = `/${name}/`;
      const base = await storage.latestRevision();
      await write(storage, { prefix, from: 0, to: written });
      const consumer = new FullConsumer(storage, { prefix, nested });
      const writing = write(storage, { prefix, from: written, to: total });
      const taken = await consumer.take(base);
      await writing;
      expect(taken).toEqual(Array.from({ length: total }, (_, index) => base + 1 + index));
      expect(consumer.late).toBe(0);
    });

    test.runIf(traits.singleWriter)('the remaining history is not read', async () => {
      const storage = await large();
      const prefix = '/remaining/';
      const after = await storage.latestRevision();
      await write(storage, { prefix, from: 0, to: longHistory });
      const reason = new Error('enough');
      const controller = new AbortController();
      const received: number[] = [];
      const watching = storage.watch({
        prefix,
        after,
        onEvents: (events) => {
          received.push(events.length);
          controller.abort(reason);
        },
        onError: () => {},
        signal: controller.signal,
      });
      await expect(watching).rejects.toBe(reason);
      expect(received).toHaveLength(1);
      expect(received[0]).toBeLessThanOrEqual(longHistory / 2);
    });
  });
}

/** Takes some events of each watch, aborts the watch inside the callback and starts the next one. */
class FullConsumer {
  readonly #storage: Storage;
  readonly #prefix: string;
  readonly #nested: boolean;
  readonly #taken: number[] = [];
  readonly #done = Promise.withResolvers<number[]>();
  /** Number of calls after an abort. */
  late = 0;

  constructor(storage: Storage, { prefix, nested }: { prefix: string; nested: boolean }) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#nested = nested;
  }

  take(after: number): Promise<number[]> {
    this.#watch(after);
    return this.#done.promise;
  }

  #watch(after: number): void {
    const reason = new Error('full');
    const controller = new AbortController();
    let left = batchSize;
    const watching = this.#storage.watch({
      prefix: this.#prefix,
      after,
      onEvents: (events) => {
        if (controller.signal.aborted) this.late += 1;
        const taken = events.slice(0, left).map((event) => event.revision);
        left -= taken.length;
        this.#taken.push(...taken);
        if (left > 0) return;
        controller.abort(reason);
        if (this.#nested) this.#next();
        else setImmediate(() => this.#next());
      },
      onError: (error) => this.#done.reject(error),
      signal: controller.signal,
    });
    watching.catch((error: unknown) => {
      if (error !== reason) this.#done.reject(error);
    });
  }

  #next(): void {
    if (this.#taken.length < total) this.#watch(this.#taken.at(-1) ?? 0);
    else this.#done.resolve(this.#taken);
  }
}

/** Runs a few writers at a time, so that commits are both sequential and concurrent. */
async function write(storage: Storage, options: { prefix: string; from: number; to: number }): Promise<void> {
  const { prefix, from, to } = options;
  let next = from;
  const writer = async (): Promise<void> => {
    while (next < to) {
      next += 1;
      await put(storage, `${prefix}${next}`, { text: 'x' });
    }
  };
  await Promise.all(Array.from({ length: 250 }, writer));
}
