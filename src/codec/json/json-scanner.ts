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
/** Every integer of so many digits is exact as a number. */
export const safeDigits = 15;
/** More digits than the largest int64 has, with its sign. */
const maxInt64Digits = 20;
const int64Bound = 2n ** 63n;

/** Reads the parts of a JSON text that have no parts themselves, and complains in the words of Go. */
export class JsonScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The code of the next character that is no white space; NaN at the end. */
  peek(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at++;
      code = this.#text.charCodeAt(this.#at);
    }
    return code;
  }

  /** Steps over the character that `peek` returned. */
  skip(): void {
    this.#at++;
  }

  /** With the opening quote next. */
  string(): string {
    const start = this.#at;
    this.#at++;
    if (this.#plainText() === quote) {
      this.#at++;
      return this.#text.slice(start + 1, this.#at - 1);
    }
    this.#restOfString();
    // Now that every escape is known to be sound, this cannot fail. Half a surrogate pair is no character.
    return (JSON.parse(this.#text.slice(start, this.#at)) as string).toWellFormed();
  }

  /** Up to a character that means something in a string, whose code it returns. */
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

  /** The text of a number. */
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

  /** The complaint about the character that is next. */
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

/** Go looks at bytes: of a longer character it names the first one. */
function quoteCharacter(code: number): string {
  const byte = code < 0x80 ? code : Buffer.from(String.fromCodePoint(code))[0]!;
  const character = String.fromCharCode(byte);
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  return `'${goQuote(character).slice(1, -1)}'`;
}

/** A number, or a bigint for what only an int64 holds exactly. */
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
