import { decodeJson } from '../codec/json/index.ts';

/** Maximum characters of the cached texts. The parsed values take several times as much memory. */
const maxCachedLength = 1 << 19;
const maxEntryLength = maxCachedLength >> 5;

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

  /** The value is shared by all readers of an equal text and must not be modified. */
  read(document: Buffer, start: number, end: number): unknown {
    const text = document.toString('latin1', start, end);
    let value = this.#recent.get(text);
    if (value !== undefined) return value;
    value = this.#old.get(text) ?? decodeJson(document.subarray(start, end)).value;
    if (text.length <= maxEntryLength) this.#cache(text, value);
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
