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
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  problem(): string | undefined {
    try {
      this.#value();
      this.#space();
      return this.#at < this.#text.length ? this.#complaint('after top-level value') : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return error.message;
      throw error;
    }
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #complaint(context: string): string {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return 'unexpected end of JSON input';
    return `invalid character ${quotedCharacter(code)} ${context}`;
  }

  #fail(context: string): never {
    throw new SyntaxError(this.#complaint(context));
  }

  #space(): void {
    while (whiteSpace.has(this.#peek())) this.#at++;
  }

  #value(): void {
    this.#space();
    const next = this.#peek();
    if (next === '{') this.#members('}', () => this.#member());
    else if (next === '[') this.#members(']', () => this.#value());
    else if (next === '"') this.#string();
    else if (next === '-' || digit.test(next)) this.#number();
    else this.#literal();
  }

  #members(end: '}' | ']', member: () => void): void {
    this.#at++;
    this.#space();
    if (this.#peek() === end) {
      this.#at++;
      return;
    }
    for (;;) {
      member();
      this.#space();
      const next = this.#peek();
      if (next !== ',' && next !== end) this.#fail(end === '}' ? 'after object key:value pair' : 'after array element');
      this.#at++;
      if (next === end) return;
    }
  }

  #member(): void {
    this.#space();
    if (this.#peek() !== '"') this.#fail('looking for beginning of object key string');
    this.#string();
    this.#space();
    if (this.#peek() !== ':') this.#fail('after object key');
    this.#at++;
    this.#value();
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const next = this.#peek();
      if (next === '' || next < ' ') this.#fail('in string literal');
      this.#at++;
      if (next === '"') return;
      if (next === '\\') this.#escape();
    }
  }

  #escape(): void {
    const next = this.#peek();
    if (next === '' || !'bfnrt\\/"u'.includes(next)) this.#fail('in string escape code');
    this.#at++;
    for (let count = 0; next === 'u' && count < 4; count++) {
      if (!hexDigit.test(this.#peek())) this.#fail('in \\u hexadecimal character escape');
      this.#at++;
    }
  }

  #number(): void {
    if (this.#peek() === '-') this.#at++;
    if (this.#peek() === '0') this.#at++;
    else this.#digits('in numeric literal');
    if (this.#peek() === '.') {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#peek() === 'e' || this.#peek() === 'E') {
      this.#at++;
      if (this.#peek() === '+' || this.#peek() === '-') this.#at++;
      this.#digits('in exponent of numeric literal');
    }
  }

  #digits(context: string): void {
    if (!digit.test(this.#peek())) this.#fail(context);
    while (digit.test(this.#peek())) this.#at++;
  }

  #literal(): void {
    const word = ['true', 'false', 'null'].find((text) => text.charAt(0) === this.#peek());
    if (word === undefined) this.#fail('looking for beginning of value');
    for (const expected of word) {
      if (this.#peek() !== expected) this.#fail(`in literal ${word} (expecting '${expected}')`);
      this.#at++;
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
