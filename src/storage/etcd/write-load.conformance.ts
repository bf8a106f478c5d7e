import { expect, vi } from 'vitest';
import { Recorder } from '../conformance/fixture.conformance.ts';
import type { Storage, StorageError } from '../storage.ts';

/** Writers that create keys while something fails, and a watcher. Afterwards everything must agree with the store. */
export class WriteLoad {
  readonly #storage: Storage;
  readonly #recorder: Recorder;
  readonly #written = new Map<string, number>();
  readonly #unknown = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #writers: Promise<void>[];
  #next = 0;
  #stopping = false;

  private constructor(storage: Storage, recorder: Recorder, writers: number) {
    this.#storage = storage;
    this.#recorder = recorder;
    this.#writers = Array.from({ length: writers }, () => this.#write());
  }

  static async start(storage: Storage, { writers = 8 } = {}): Promise<WriteLoad> {
    const recorder = await new Recorder().watch(storage, { prefix: '/k/', after: await storage.latestRevision() });
    return new WriteLoad(storage, recorder, writers);
  }

  /** Resolves when this many more writes have succeeded. */
  async succeed(count: number): Promise<void> {
    const wanted = this.#written.size + count;
    await vi.waitUntil(() => this.#written.size >= wanted);
  }

  /** Resolves when this many more writes have failed. */
  async fail(count: number): Promise<void> {
    const failed = (): number => this.#refused.size + this.#unknown.size;
    const wanted = failed() + count;
    await vi.waitUntil(() => failed() >= wanted);
  }

  /**
   * Stops the writers and compares: no acknowledged write is missing, no rejected write is stored, and the watcher has
   * received all events.
   */
  async verify(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#writers);
    const { entries } = await this.#storage.range({ start: '/k/', end: '/k0' });
    const stored = new Map(entries.map(({ key, modRevision }) => [key, modRevision]));
    for (const [key, revision] of this.#written) expect([key, stored.get(key)]).toEqual([key, revision]);
    expect([...this.#refused].filter((key) => stored.has(key))).toEqual([]);
    const unwritten = [...stored.keys()].filter((key) => !this.#written.has(key) && !this.#unknown.has(key));
    expect(unwritten).toEqual([]);
    await this.#recorder.until(entries.length);
    expect(this.#recorder.errors).toEqual([]);
    const inOrder = entries.toSorted((left, right) => left.modRevision - right.modRevision);
    expect(this.#recorder.events.map(({ key, revision }) => [key, revision])).toEqual(
      inOrder.map(({ key, modRevision }) => [key, modRevision]),
    );
    this.#recorder.abort();
  }

  async #write(): Promise<void> {
    while (!this.#stopping) {
      this.#next += 1;
      const key = `/k/${this.#next}`;
      try {
        const result = await this.#storage.commit({ key, expected: 0, value: Buffer.from(key) });
        if (!result.committed) throw new Error(`${key} exists`);
        this.#written.set(key, result.revision);
      } catch (error) {
        const { code } = error as StorageError;
        if (code === 'OutcomeUnknown') this.#unknown.add(key);
        else if (code === 'Unavailable') this.#refused.add(key);
        else throw error;
        // Rejections are immediate. The pause limits their number.
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }
}
