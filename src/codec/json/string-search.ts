const quote = 0x22;
const backslash = 0x5c;
const lowerU = 0x75;
const lowerD = 0x64;
const seven = 0x37;
const lowerCase = 0x20;

/** After this many bytes without a quote or backslash, `indexOf` is faster than a loop over the bytes. */
const maxLoopBytes = 32;

/** Finds the ends of the strings of a document. Calls must be in document order. */
export class StringSearch {
  readonly #bytes: Buffer;
  /** The next quote and backslash that were found, so that no byte is searched twice. */
  #quoteAt = -1;
  #backslashAt = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * Returns the offset after the closing quote of the string that contains `start`. Returns -1 if there is no closing
   * quote, or if an escape may be a lone surrogate.
   */
  endFrom(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    let loopBytes = maxLoopBytes;
    for (;;) {
      const limit = Math.min(at + loopBytes, bytes.length);
      let byte = 0;
      while (at < limit && byte !== backslash) {
        byte = bytes[at++]!;
        if (byte === quote) return at;
      }
      if (byte !== backslash) {
        const event = this.#nextEvent(at);
        if (event === bytes.length) return -1;
        // If this search skipped many bytes, as in multi-line text, the next one probably does, too: search at once.
        loopBytes = event - at > maxLoopBytes ? 0 : maxLoopBytes;
        at = event + 1;
        if (bytes[at - 1] === quote) return at;
      }
      if (this.#isSurrogate(at)) return -1;
      at++;
    }
  }

  #nextEvent(from: number): number {
    if (this.#quoteAt < from) this.#quoteAt = this.#find(quote, from);
    if (this.#backslashAt < from) this.#backslashAt = this.#find(backslash, from);
    return Math.min(this.#quoteAt, this.#backslashAt);
  }

  #find(byte: number, from: number): number {
    const at = this.#bytes.indexOf(byte, from);
    return at < 0 ? this.#bytes.length : at;
  }

  /** `at` is the offset after a backslash. Complete surrogate pairs, which are rare, are rejected, too. */
  #isSurrogate(at: number): boolean {
    const bytes = this.#bytes;
    return bytes[at] === lowerU && (bytes[at + 1]! | lowerCase) === lowerD && bytes[at + 2]! > seven;
  }
}
