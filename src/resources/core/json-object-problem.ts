import { goQuote } from '../../meta/go-quote.ts';

/** Returns Go's error message for a text that is not a JSON object or null, or undefined for one that is. */
export function jsonObjectProblem(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new SyntaxCheck(text).problem() ?? 'unexpected end of JSON input';
  }
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}

const whiteSpace = new Set([' ', '\t', '\n', '\r']);
const digit = /^[0-9]$/;
const hexDigit = /^[0-9a-fA-F]$/;

/** Finds the first invalid character in a text that is known to be invalid JSON. */
class SyntaxCheck {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  problem(): string | undefined {
    try {
      this.#value();
      this.#skipSpace();
      return this.#offset < this.#text.length ? this.#errorMessage('after top-level value') : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return error.message;
      throw error;
    }
  }

  #peek(): string {
    return this.#text.charAt(this.#offset);
  }

  #errorMessage(context: string): string {
    const code = this.#text.codePointAt(this.#offset);
    if (code === undefined) return 'unexpected end of JSON input';
    return `invalid character ${quotedCharacter(code)} ${context}`;
  }

  #fail(context: string): never {
    throw new SyntaxError(this.#errorMessage(context));
  }

  #skipSpace(): void {
    while (whiteSpace.has(this.#peek())) this.#offset++;
  }

  #value(): void {
    this.#skipSpace();
    const next = this.#peek();
    if (next === '{') this.#members('}', () => this.#member());
    else if (next === '[') this.#members(']', () => this.#value());
    else if (next === '"') this.#string();
    else if (next === '-' || digit.test(next)) this.#number();
    else this.#literal();
  }

  #members(end: '}' | ']', member: () => void): void {
    this.#offset++;
    this.#skipSpace();
    if (this.#peek() === end) {
      this.#offset++;
      return;
    }
    for (;;) {
      member();
      this.#skipSpace();
      const next = this.#peek();
      if (next !== ',' && next !== end) this.#fail(end === '}' ? 'after object key:value pair' : 'after array element');
      this.#offset++;
      if (next === end) return;
    }
  }

  #member(): void {
    this.#skipSpace();
    if (this.#peek() !== '"') this.#fail('looking for beginning of object key string');
    this.#string();
    this.#skipSpace();
    if (this.#peek() !== ':') this.#fail('after object key');
    this.#offset++;
    this.#value();
  }

  #string(): void {
    this.#offset++;
    for (;;) {
      const next = this.#peek();
      if (next === '' || next < ' ') this.#fail('in string literal');
      this.#offset++;
      if (next === '"') return;
      if (next === '\\') this.#escape();
    }
  }

  #escape(): void {
    const next = this.#peek();
    if (next === '' || !'bfnrt\\/"u'.includes(next)) this.#fail('in string escape code');
    this.#offset++;
    for (let count = 0; next === 'u' && count < 4; count++) {
      if (!hexDigit.test(this.#peek())) this.#fail('in \\u hexadecimal character escape');
      this.#offset++;
    }
  }

  #number(): void {
    if (this.#peek() === '-') this.#offset++;
    if (this.#peek() === '0') this.#offset++;
    else this.#digits('in numeric literal');
    if (this.#peek() === '.') {
      this.#offset++;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#peek() === 'e' || this.#peek() === 'E') {
      this.#offset++;
      if (this.#peek() === '+' || this.#peek() === '-') this.#offset++;
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(context: string): void {
    if (!digit.test(this.#peek())) this.#fail(context);
    while (digit.test(this.#peek())) this.#offset++;
  }

  #literal(): void {
    const word = ['true', 'false', 'null'].find((text) => text.charAt(0) === this.#peek());
    if (word === undefined) this.#fail('looking for beginning of value');
    for (const expected of word) {
      if (this.#peek() !== expected) this.#fail(`in literal ${word} (expecting '${expected}')`);
      this.#offset++;
    }
  }
}

/** Go reports bytes, so a multi-byte character is reported by its first byte. */
function quotedCharacter(code: number): string {
  const byte = code < 0x80 ? code : Buffer.from(String.fromCodePoint(code))[0]!;
  const character = String.fromCharCode(byte);
  if (character === "'") return "'\\''";
  return character === '"' ? `'"'` : `'${goQuote(character).slice(1, -1)}'`;
}
