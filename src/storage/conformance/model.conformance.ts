import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, Storage } from '../storage.ts';
import { type OpenFixture, Recorder, type StorageFixture, type StorageTraits } from './fixture.conformance.ts';
import { Model } from './storage-model.conformance.ts';

/** Revisions are given as fractions: 0 is the beginning, 1 the latest, greater values are in the future. */
type Step =
  | { readonly kind: 'burst'; readonly writes: readonly Write[] }
  | {
      readonly kind: 'range';
      readonly start: string;
      readonly end: string;
      readonly limit?: number;
      readonly at?: number;
      readonly count?: boolean;
    }
  | { readonly kind: 'get'; readonly key: string; readonly at?: number }
  | { readonly kind: 'watch'; readonly prefix: string; readonly after: number }
  | { readonly kind: 'abort' }
  | { readonly kind: 'compact'; readonly at: number }
  | { readonly kind: 'reopen' };

interface Write {
  readonly key: string;
  readonly value: string | undefined;
  /** Whether the writer knows the revision of the key. */
  readonly informed: boolean;
}

const key = fc.constantFrom('/a', '/a/1', '/a/2', '/b/1', '/b/é', '/b/\u{1f600}');
const bound = fc.constantFrom('/', '/a', '/a/', '/a/2', '/b/', '/b/\u{ffff}', '0');
const fraction = fc.double({ min: 0, max: 1.1, noNaN: true });
const write: fc.Arbitrary<Write> = fc.record({
  key,
  value: fc.option(fc.string({ maxLength: 8 }), { nil: undefined, freq: 3 }),
  informed: fc.integer({ min: 0, max: 9 }).map((luck) => luck > 1),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('burst'), writes: fc.array(write, { minLength: 1, maxLength: 6 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        kind: fc.constant('range'),
        start: bound,
        end: bound,
        limit: fc.nat({ max: 4 }),
        at: fraction,
        count: fc.boolean(),
      },
      { requiredKeys: ['kind', 'start', 'end'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('get'), key, at: fraction }, { requiredKeys: ['kind', 'key'] }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('watch'),
      prefix: fc.constantFrom('/', '/a', '/b/', ''),
      after: fraction,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('abort') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact'), at: fraction }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen') }) },
) as fc.Arbitrary<Step>;

export function describeModel(open: OpenFixture, { randomRuns, singleWriter }: StorageTraits): void {
  test('random operations have the same results as a simple model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        const fixture = await open();
        try {
          const run = new Run(fixture, await fixture.storage.latestRevision());
          for (const next of steps) await run.step(next);
          await run.finish();
        } finally {
          await fixture.dispose();
        }
      }),
      // A failure in a store of another process is rarely reproducible, so searching for a shorter one only takes time.
      { numRuns: randomRuns, endOnFailure: !singleWriter },
    );
  });
}

/** Runs one sequence of operations on the store and on the model. */
class Run {
  readonly #fixture: StorageFixture;
  readonly #model: Model;
  #storage: Storage;
  #watches: { readonly recorder: Recorder; readonly prefix: string; readonly after: number }[] = [];

  constructor(fixture: StorageFixture, base: number) {
    this.#fixture = fixture;
    this.#storage = fixture.storage;
    this.#model = new Model(base, fixture.storage.compactedRevision());
  }

  async step(step: Step): Promise<void> {
    switch (step.kind) {
      case 'burst':
        return this.#burst(step.writes);
      case 'range': {
        const revision = this.#revision(step.at);
        const options = { start: step.start, end: step.end, limit: step.limit, revision, count: step.count };
        expect(await outcome(this.#storage.range(options))).toEqual(await outcome(this.#model.range(options)));
        return;
      }
      case 'get': {
        const options = { revision: this.#revision(step.at) };
        const expected = await outcome(this.#model.get(step.key, options));
        expect(await outcome(this.#storage.get(step.key, options))).toEqual(expected);
        return;
      }
      case 'watch':
        return this.#watch(step.prefix, this.#revision(step.after) ?? 0);
      case 'abort':
        return this.#abort();
      case 'compact': {
        const revision = this.#revision(step.at) ?? 0;
        expect(await outcome(this.#storage.compact(revision))).toEqual(await outcome(this.#model.compact(revision)));
        expect(this.#storage.compactedRevision()).toBe(this.#model.compacted);
        return;
      }
      case 'reopen':
        return this.#reopen();
    }
  }

  async finish(): Promise<void> {
    expect(await this.#storage.latestRevision()).toBe(this.#model.latest);
    for (const { recorder, prefix, after } of this.#watches) {
      const expected = this.#model.events(prefix, after);
      await recorder.until(expected.length);
      expect(recorder.events).toEqual(expected);
    }
  }

  #revision(at: number | undefined): number | undefined {
    if (at === undefined) return undefined;
    return this.#model.base + Math.round(at * (this.#model.latest - this.#model.base + 1));
  }

  async #burst(writes: readonly Write[]): Promise<void> {
    const changes = writes.map(({ key, value, informed }): Change => {
      const expected = informed ? this.#model.current(key)?.modRevision : this.#model.latest;
      return { key, expected: expected ?? 0, value: value === undefined ? undefined : Buffer.from(value) };
    });
    const results = await Promise.all(changes.map((change) => this.#storage.commit(change)));
    this.#model.apply(changes, results);
  }

  async #watch(prefix: string, after: number): Promise<void> {
    const recorder = new Recorder();
    const started = await outcome(recorder.watch(this.#storage, { prefix, after }));
    if (after < this.#model.compacted) expect(started).toEqual({ failed: 'RevisionCompacted' });
    else this.#watches.push({ recorder, prefix, after });
  }

  /** The events that an aborted watcher received must be a prefix of those it would have received. */
  #abort(): void {
    const watch = this.#watches.shift();
    if (!watch) return;
    watch.recorder.abort();
    const all = this.#model.events(watch.prefix, watch.after);
    expect(watch.recorder.events).toEqual(all.slice(0, watch.recorder.events.length));
  }

  async #reopen(): Promise<void> {
    if (!this.#fixture.reopen) return;
    await this.finish();
    await this.#storage.close();
    for (const { recorder } of this.#watches) expect(recorder.errors).toMatchObject([{ code: 'Closed' }]);
    this.#watches = [];
    this.#storage = await this.#fixture.reopen();
    expect(await this.#storage.latestRevision()).toBe(this.#model.latest);
    expect(this.#storage.compactedRevision()).toBe(this.#model.compacted);
  }
}

/** Returns a result or an error code, so that both can be compared. */
async function outcome<T>(promise: Promise<T>): Promise<{ result: T } | { failed: unknown }> {
  return promise.then(
    (result) => ({ result }),
    (error: { code?: unknown }) => ({ failed: error.code ?? error }),
  );
}
