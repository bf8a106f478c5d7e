const quote = 0x22;
const backslash = 0x5c;
const smallU = 0x75;
const smallD = 0x64;
const seven = 0x37;
const lowerCase = 0x20;

/** After so many bytes without an event, searching is faster than looking at each byte. */
const uneventful = 32;

/** Finds the ends of the strings of a document, from the first to the last. */
export class StringSearch {
  readonly #bytes: Buffer;
  /** What was found further on, so that nothing is searched twice. */
  #quoteAt = -1;
  #backslashAt = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * The place behind the closing quote of a string, from a place in it. -1 when there is none, or when an escape may be
   * half of a surrogate pair, which is no character.
   */
  endFrom(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    let looked = uneventful;
    for (;;) {
      const limit = Math.min(at + looked, bytes.length);
      let byte = 0;
      while (at < limit && byte !== backslash) {
        byte = bytes[at++]!;
        if (byte === quote) return at;
      }
      if (byte !== backslash) {
        const event = this.#nextEvent(at);
        if (event === bytes.length) return -1;
        // Where one search has paid, as in lines of text, the next one will.
        looked = event - at > uneventful ? 0 : uneventful;
        at = event + 1;
        if (bytes[at - 1] === quote) return at;
      }
      if (this.#isHalfCharacter(at)) return -1;
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

  /** Behind a backslash. Whole pairs are refused too: they are rare. */
  #isHalfCharacter(at: number): boolean {
    const bytes = this.#bytes;
    return bytes[at] === smallU && (bytes[at + 1]! | lowerCase) === smallD && bytes[at + 2]! > seven;
  }
}
