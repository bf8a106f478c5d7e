import { decodeJson } from '../codec/json/index.ts';

/** Maximum characters of the cached texts. The parsed values take several times as much memory. */
const maxCachedLength = 1 << 19;
const maxEntryLength = maxCachedLength >> 5;
/** The number of sets that are recognized without searching for their end. */
const maxLatest = 8;

/** A field set and its text. */
interface KnownFieldSet {
  readonly text: Buffer;
  readonly value: unknown;
}

/**
 * Parses field sets and caches the most recently used ones. A field set contains the names of fields but not their
 * values, so all objects written in the same way have equal field sets.
 */
export class RecentFieldSets {
  /**
   * Recently used sets. When there are too many, they become the old generation and the previous old generation is
   * dropped.
   */
  #recent = new Map<string, unknown>();
  #old = new Map<string, unknown>();
  #size = 0;
  /** The latest sets come first. */
  readonly #latest: KnownFieldSet[] = [];

  /** Returns the set that begins at an offset, if it is one of the latest. Its text ends where the set does. */
  startingAt(document: Buffer, start: number): KnownFieldSet | undefined {
    const latest = this.#latest;
    for (let index = 0; index < latest.length; index++) {
      const known = latest[index]!;
      const end = start + known.text.length;
      if (end > document.length || known.text.compare(document, start, end) !== 0) continue;
      for (let at = index; at > 0; at--) latest[at] = latest[at - 1]!;
      latest[0] = known;
      return known;
    }
    return undefined;
  }

  /** The value is shared by all readers of an equal text and must not be modified. */
  read(document: Buffer, start: number, end: number): unknown {
    const text = document.toString('latin1', start, end);
    let value = this.#recent.get(text);
    if (value === undefined) {
      value = this.#old.get(text) ?? decodeJson(document.subarray(start, end)).value;
      if (text.length <= maxEntryLength) this.#cache(text, value);
    }
    if (text.length <= maxEntryLength) {
      if (this.#latest.length === maxLatest) this.#latest.pop();
      // A copy, because a view would keep the whole document in memory.
      this.#latest.unshift({ text: Buffer.from(text, 'latin1'), value });
    }
    return value;
  }

  #cache(text: string, value: unknown): void {
    if (this.#size + text.length > maxCachedLength) {
      this.#old = this.#recent;
      this.#recent = new Map();
      this.#size = 0;
    }
    this.#recent.set(text, value);
    this.#size += text.length;
  }
}
