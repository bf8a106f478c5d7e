import { decodeJson } from '../codec/json/index.ts';

/** In characters of their texts; what is made of them takes some times as much. */
const budget = 1 << 19;
const maxKeptSize = budget >> 5;

/**
 * Reads sets of fields, and keeps what it has read last. A set says which fields there are and not what they hold, so all
 * objects that were written in the same way have equal ones.
 */
export class RecentFieldSets {
  /** Those that were in use lately; when they are too many they become the old ones, and the old ones are forgotten. */
  #recent = new Map<string, unknown>();
  #old = new Map<string, unknown>();
  #size = 0;

  /** The value is shared with everybody who reads an equal text: it must not be changed. */
  read(document: Buffer, start: number, end: number): unknown {
    const text = document.toString('latin1', start, end);
    let value = this.#recent.get(text);
    if (value !== undefined) return value;
    value = this.#old.get(text) ?? decodeJson(document.subarray(start, end)).value;
    if (text.length <= maxKeptSize) this.#keep(text, value);
    return value;
  }

  #keep(text: string, value: unknown): void {
    if (this.#size + text.length > budget) {
      this.#old = this.#recent;
      this.#recent = new Map();
      this.#size = 0;
    }
    this.#recent.set(text, value);
    this.#size += text.length;
  }
}
