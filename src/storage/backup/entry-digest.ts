import { createHash } from 'node:crypto';
import type { StoredEntry } from '../storage.ts';

/** Counts entries and computes a digest of their keys, revisions and values. */
export class EntryDigest {
  readonly #hash = createHash('sha256');
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add({ key, createRevision, modRevision, value }: StoredEntry): void {
    this.#count += 1;
    this.#hash.update(`${key}\n${createRevision} ${modRevision} ${value.length}\n`).update(value);
  }

  finish(): string {
    return this.#hash.digest('hex');
  }
}
