import { DecodeError } from '../../meta/decode-error.ts';
import { goQuote } from '../../meta/go-quote.ts';

const literals: Readonly<Record<string, { readonly text: string; readonly value: boolean | null }>> = {
  t: { text: 'true', value: true },
  f: { text: 'false', value: false },
  n: { text: 'null', value: null },
};
const quote = 0x22;
const backslash = 0x5c;
const shortEscapes = 'bfnrt\\/"';
/** Every integer with at most this many digits is exact as a number. */
export const safeDigits = 15;
/** The maximum length of an int64 in decimal digits, including the sign. */
const maxInt64Digits = 20;
const int64Bound = 2n ** 63n;

/** Scans strings, numbers, literals and punctuation of a JSON text. Throws errors with Go's messages. */
export class JsonScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Skips white space and returns the code of the next character, or NaN at the end. */
  peek(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at++;
      code = this.#text.charCodeAt(this.#at);
    }
    return code;
  }

  /** Skips the character that `peek` returned. */
  skip(): void {
    this.#at++;
  }

  /** Scans a string. The cursor must be at its opening quote. */
  string(): string {
    const start = this.#at;
    this.#at++;
    if (this.#plainText() === quote) {
      this.#at++;
      return this.#text.slice(start + 1, this.#at - 1);
    }
    this.#restOfString();
    // This cannot fail, because all escapes have been validated. As in Go, U+FFFD replaces lone surrogates.
    return (JSON.parse(this.#text.slice(start, this.#at)) as string).toWellFormed();
  }

  /** Skips to the next quote, backslash or control character, or to the end. Returns its code. */
  #plainText(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code !== quote && code !== backslash && code >= 0x20) {
      at++;
      code = text.charCodeAt(at);
    }
    this.#at = at;
    return code;
  }

  #restOfString(): void {
    for (let code = this.#plainText(); code !== quote; code = this.#plainText()) {
      if (code !== backslash) throw this.unexpected('in string literal');
      this.#at++;
      this.#escape();
    }
    this.#at++;
  }

  #escape(): void {
    const character = this.#text.charAt(this.#at);
    if (character === 'u') {
      for (let digit = 0; digit < 4; digit++) {
        this.#at++;
        if (!isHexDigit(this.#text.charCodeAt(this.#at))) throw this.unexpected('in \\u hexadecimal character escape');
      }
    } else if (character === '' || !shortEscapes.includes(character)) {
      throw this.unexpected('in string escape code');
    }
    this.#at++;
  }

  literal(): boolean | null {
    const literal = literals[this.#text.charAt(this.#at)];
    if (literal === undefined) throw this.unexpected('looking for beginning of value');
    for (const expected of literal.text) {
      if (this.#text.charAt(this.#at) !== expected) {
        throw this.unexpected(`in literal ${literal.text} (expecting '${expected}')`);
      }
      this.#at++;
    }
    return literal.value;
  }

  /** Scans a number and returns its text. */
  number(): string {
    const start = this.#at;
    if (this.#text.charAt(this.#at) === '-') this.#at++;
    if (this.#text.charAt(this.#at) === '0') this.#at++;
    else this.#digits('in numeric literal');
    if (this.#text.charAt(this.#at) === '.') {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (/[eE]/.test(this.#text.charAt(this.#at))) {
      this.#at++;
      if (/[-+]/.test(this.#text.charAt(this.#at))) this.#at++;
      this.#digits('in exponent of numeric literal');
    }
    return this.#text.slice(start, this.#at);
  }

  #digits(context: string): void {
    const start = this.#at;
    while (isDigit(this.#text.charCodeAt(this.#at))) this.#at++;
    if (this.#at === start) throw this.unexpected(context);
  }

  /** The error for the next character. */
  unexpected(context: string): DecodeError {
    const character = this.#text.codePointAt(this.#at);
    if (character === undefined) return new DecodeError('unexpected end of JSON input');
    return new DecodeError(`invalid character ${quoteCharacter(character)} ${context}`);
  }
}

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

function isHexDigit(code: number): boolean {
  return isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

/** Go's scanner works on bytes, so that its messages name the first byte of a multi-byte character. */
function quoteCharacter(code: number): string {
  const byte = code < 0x80 ? code : Buffer.from(String.fromCodePoint(code))[0]!;
  const character = String.fromCharCode(byte);
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  return `'${goQuote(character).slice(1, -1)}'`;
}

/** Returns a number, or a bigint for an integer that is exact as an int64 but not as a number. */
export function numberOf(text: string): number | bigint {
  if (text.length > safeDigits && text.length <= maxInt64Digits && !/[.eE]/.test(text)) {
    const exact = BigInt(text);
    if (exact < -int64Bound || exact >= int64Bound) return Number(text);
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) {
    throw new DecodeError(`json: cannot unmarshal number ${text} into Go value of type float64`);
  }
  return value;
}
