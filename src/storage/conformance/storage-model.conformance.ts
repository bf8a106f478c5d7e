import { expect } from 'vitest';
import {
  type Change,
  type CommitResult,
  type RangeOptions,
  type RangeResult,
  StorageError,
  type StorageEvent,
  type StoredEntry,
} from '../storage.ts';

/** The simplest implementation of the contract: a list of all changes, searched from the beginning each time. */
export class Model {
  readonly base: number;
  readonly #changes: StorageEvent[] = [];
  compacted: number;

  constructor(base: number, compacted: number) {
    this.base = base;
    this.compacted = compacted;
  }

  get latest(): number {
    return this.#changes.at(-1)?.revision ?? this.base;
  }

  current(key: string, revision = this.latest): StoredEntry | undefined {
    let found: StoredEntry | undefined;
    for (const change of this.#changes) {
      if (change.key !== key || change.revision > revision) continue;
      const { value, createRevision } = change;
      found = value && { key, value, modRevision: change.revision, createRevision };
    }
    return found;
  }

  async get(key: string, { revision }: { revision?: number }): Promise<StoredEntry | undefined> {
    this.#check(revision);
    return this.current(key, revision);
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    const { start, end, limit = Number.POSITIVE_INFINITY, revision } = options;
    this.#check(revision);
    const keys = [...new Set(this.#changes.map((change) => change.key))]
      .filter((key) => compareBytes(start, key) <= 0 && compareBytes(key, end) < 0)
      .sort(compareBytes);
    const entries = keys.flatMap((key) => this.current(key, revision) ?? []);
    return {
      revision: revision ?? this.latest,
      entries: entries.slice(0, limit),
      more: entries.length > limit,
      count: options.count ? entries.length : undefined,
    };
  }

  async compact(revision: number): Promise<void> {
    if (revision > this.latest) throw new StorageError('RevisionInFuture', 'in the model');
    this.compacted = Math.max(this.compacted, revision);
  }

  events(prefix: string, after: number): StorageEvent[] {
    return this.#changes.filter((change) => change.revision > after && change.key.startsWith(prefix));
  }

  /** Applies changes that were made concurrently, in the order of their revisions. */
  apply(changes: readonly Change[], results: readonly CommitResult[]): void {
    const before = new Map(changes.map(({ key }) => [key, [this.current(key)]]));
    const committed = changes
      .flatMap((change, index) => {
        const result = results[index];
        return result?.committed ? [{ change, revision: result.revision }] : [];
      })
      .sort((left, right) => left.revision - right.revision);
    for (const { change, revision } of committed) {
      const previous = this.current(change.key);
      expect(revision).toBeGreaterThan(this.latest);
      expect(previous?.modRevision ?? 0).toBe(change.expected);
      expect(previous ?? change.value).toBeDefined();
      const createRevision = change.value ? (previous?.createRevision ?? revision) : 0;
      this.#changes.push({ revision, key: change.key, value: change.value, createRevision, previous });
      before.get(change.key)?.push(this.current(change.key));
    }
    for (const [index, { key, expected, value }] of changes.entries()) {
      const result = results[index];
      if (!result || result.committed) continue;
      // The refusal is correct: the key had this state at some time, and the state is not the expected one.
      expect(before.get(key)).toContainEqual(result.current);
      const holds = (result.current?.modRevision ?? 0) === expected;
      expect(holds && !(value === undefined && !result.current)).toBe(false);
    }
  }

  #check(revision: number | undefined): void {
    if (revision === undefined) return;
    if (revision < this.compacted) throw new StorageError('RevisionCompacted', 'in the model');
    if (revision > this.latest) throw new StorageError('RevisionInFuture', 'in the model');
  }
}

function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
