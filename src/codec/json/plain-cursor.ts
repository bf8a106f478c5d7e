import { type Buffer, isAscii } from 'node:buffer';

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const backslash = 0x5c;
const lowerE = 0x65;
const lowerF = 0x66;
const lowerN = 0x6e;
const lowerT = 0x74;
const lowerU = 0x75;
const toLowerCase = 0x20;

/** The bytes of the structure of a document. */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** Integers with fewer digits are exact as numbers. */
const maxDigits = 15;
const onlyBlanks = /^[ \t\r\n]*$/;
/** V8 copies shorter substrings. A longer one would keep the whole text in memory. */
const copiedBelow = 13;

/** Thrown for documents that need the general decoder, which reports the reason. This is therefore not an `Error`. */
export const notPlain = Symbol('not plain');

/** Reads the values of a document in ASCII one after the other. Throws `notPlain` for everything that is unusual. */
export class PlainCursor {
  readonly bytes: Buffer;
  /** The offset of the next byte. */
  at = 0;
  readonly #text: string;
  readonly #end: number;

  constructor(bytes: Buffer) {
    if (!isAscii(bytes)) throw notPlain;
    this.bytes = bytes;
    this.#text = bytes.toString('latin1');
    this.#end = bytes.length;
  }

  /** The next byte that is not white space, which is not consumed. */
  peek(): number {
    const { bytes, at } = this;
    if (at < this.#end) {
      const byte = bytes[at]!;
      if (byte > blank) return byte;
    }
    return this.#peekBehindBlanks();
  }

  #peekBehindBlanks(): number {
    const { bytes } = this;
    while (this.at < this.#end) {
      const byte = bytes[this.at]!;
      if (byte > blank) return byte;
      if (byte !== blank && byte !== lineFeed && byte !== carriageReturn && byte !== tab) break;
      this.at++;
    }
    throw notPlain;
  }

  expect(byte: number): void {
    if (this.peek() !== byte) throw notPlain;
    this.at++;
  }

  /** Whether only white space follows. */
  get isAtEnd(): boolean {
    return onlyBlanks.test(this.#text.slice(this.at));
  }

  /** Consumes a separator and returns whether another element follows. Otherwise it was the closing byte. */
  hasMore(close: number): boolean {
    const byte = this.peek();
    this.at++;
    if (byte === comma) return true;
    if (byte === close) return false;
    throw notPlain;
  }

  /** Consumes an opening byte and returns whether there is any element. */
  opens(open: number, close: number): boolean {
    this.expect(open);
    if (this.peek() !== close) return true;
    this.at++;
    return false;
  }

  /** Consumes the text, which includes its quotes, if it is next. */
  skips(quoted: Uint8Array): boolean {
    const { bytes, at } = this;
    const { length } = quoted;
    if (at + length > this.#end) return false;
    for (let index = 1; index < length; index++) if (bytes[at + index] !== quoted[index]) return false;
    this.at = at + length;
    return true;
  }

  string(): string {
    if (this.peek() !== quote) throw notPlain;
    const { bytes } = this;
    const end = this.#end;
    const start = this.at + 1;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === quote) {
        this.at = at + 1;
        return at - start < copiedBelow ? this.#text.slice(start, at) : bytes.toString('latin1', start, at);
      }
      if (byte === backslash) return this.#escaped(at);
      if (byte < blank) throw notPlain;
    }
    throw notPlain;
  }

  /** A string whose first escape is at the offset. */
  #escaped(from: number): string {
    const { bytes } = this;
    for (let at = from; at < this.#end; at++) {
      const byte = bytes[at]!;
      if (byte === backslash) {
        at++;
        // The escape may be half of a surrogate pair.
        if (bytes[at] === lowerU) throw notPlain;
      } else if (byte === quote) {
        const quoted = this.#text.slice(this.at, at + 1);
        this.at = at + 1;
        return parsedText(quoted);
      }
    }
    throw notPlain;
  }

  /** An integer in its shortest form. */
  integer(): number {
    const first = this.peek();
    const { bytes } = this;
    const isNegative = first === minus;
    const start = isNegative ? this.at + 1 : this.at;
    let at = start;
    let value = 0;
    for (; at < this.#end; at++) {
      const byte = bytes[at]!;
      if (byte < zero || byte > nine) break;
      value = value * 10 + (byte - zero);
    }
    const digits = at - start;
    if (digits === 0 || digits > maxDigits) throw notPlain;
    if (bytes[start] === zero && (digits > 1 || isNegative)) throw notPlain;
    const next = bytes[at];
    if (next === point || (next !== undefined && (next | toLowerCase) === lowerE)) throw notPlain;
    this.at = at;
    return isNegative ? -value : value;
  }

  boolean(): boolean {
    const isTrue = this.peek() === lowerT;
    if (!this.#takes(isTrue ? 'true' : 'false')) throw notPlain;
    return isTrue;
  }

  /** Consumes a null if it is next. */
  takesNull(): boolean {
    if (this.peek() !== lowerN) return false;
    if (!this.#takes('null')) throw notPlain;
    return true;
  }

  /** A value that is neither null nor a list or an object. */
  scalar(): string | number | boolean {
    const byte = this.peek();
    if (byte === quote) return this.string();
    return byte === lowerT || byte === lowerF ? this.boolean() : this.integer();
  }

  #takes(word: string): boolean {
    if (!this.#text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }
}

function parsedText(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw notPlain;
  }
}
