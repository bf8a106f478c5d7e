import { DecodeError } from '../decode-error.ts';
import type { Filter, Slice, Step } from './step.ts';
import { unquote } from './unquote.ts';

const sliceSyntax = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/;
const comparisonSyntax = /^([^!<>=]+)([!<>=]+)([^\n]+)$/;

const anyCharacter = /[\s\S]/uy;
const fieldName = /[^\\ \t\r\n.,[\]$@{}]*(?:\\[\s\S]?[^\\ \t\r\n.,[\]$@{}]*)*/uy;
const wordRest = /[^ \t\r\n.,[\]$@{}]*/uy;
const digitsAndDots = /[.\p{Nd}]*/uy;
const untilQuote = { '"': /[^"\n]*/y, "'": /[^'\n]*/y };
const untilBracket = /[^\]\n]*/y;
const untilQuoteOrParenthesis = /[^"')\n]*/y;

/**
 * Parses a path. Throws a DecodeError. What follows a closing brace is ignored.
 *
 * Parts of a path are parsed recursively, but never deeply: a bracket ends at the first closing one, and a filter can
 * contain another one only inside quotes, of which there are two kinds.
 */
export function parseJsonPath(text: string): Step[] {
  return new Parser(text).parse();
}

class Parser {
  readonly #text: string;
  readonly #steps: Step[] = [];
  #at = 0;

  constructor(text: string) {
    // A path is the content of braces. The closing brace may become part of an unterminated or escaped token.
    this.#text = `${text}}`;
  }

  parse(): Step[] {
    while (this.#text[this.#at] !== '}') {
      if (this.#text.startsWith('[?(', this.#at)) this.#steps.push(this.#filter());
      else if (this.#text.startsWith('..', this.#at)) this.#descent();
      else this.#step();
    }
    return this.#steps;
  }

  #step(): void {
    const character = this.#match(anyCharacter);
    if (/[ @$]/.test(character)) return;
    if (character === '[') for (const step of this.#brackets()) this.#steps.push(step);
    else if (character === '.') this.#steps.push(this.#field());
    else if (character === '"' || character === "'") this.#steps.push(this.#quoted(character));
    else if (/[-+\p{Nd}]/u.test(character)) this.#steps.push(this.#number(character));
    else if (/[\p{L}_]/u.test(character)) this.#steps.push(this.#word(character));
    else if (/^[\r\n]?$/.test(character)) throw new DecodeError('unclosed action');
    else throw new DecodeError(`unrecognized character in action: ${unicodeText(character)}`);
  }

  /** Returns the match of the sticky pattern at the current position, and moves past it. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += text.length;
    return text;
  }

  /** Backslashes in names are removed; they make the next character a part of the name. */
  #field(): Step {
    const name = this.#match(fieldName);
    return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') };
  }

  #descent(): void {
    if (this.#steps.at(-1)?.kind === 'descent') throw new DecodeError('invalid multiple recursive descent');
    this.#at += 2;
    this.#steps.push({ kind: 'descent' });
    if (/[\p{L}\p{Nd}_]/u.test(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0))) {
      this.#steps.push(this.#field());
    }
  }

  #quoted(quote: keyof typeof untilQuote): Step {
    const start = this.#at - 1;
    do {
      this.#match(untilQuote[quote]);
      if (this.#text[this.#at] !== quote) throw new DecodeError('unterminated quoted string');
      this.#at++;
    } while (this.#text[this.#at - 2] === '\\');
    return { kind: 'constant', value: unquote(this.#text.slice(start, this.#at)), once: true };
  }

  #number(first: string): Step {
    const text = first + this.#match(digitsAndDots);
    return { kind: 'constant', value: numberOf(text), once: false };
  }

  #word(first: string): Step {
    const word = first + this.#match(wordRest);
    if (word !== 'true' && word !== 'false') return { kind: 'word' };
    return { kind: 'constant', value: word === 'true', once: false };
  }

  /** A union, a name in quotes, an index or a range. */
  #brackets(): Step[] {
    const text = this.#match(untilBracket);
    if (this.#text[this.#at] !== ']') throw new DecodeError('unterminated array');
    this.#at++;
    const segments = text.split(',');
    if (segments.length > 1) {
      const paths = segments.map((segment) => parseJsonPath(`[${withoutOuterSpaces(segment)}]`));
      return [{ kind: 'union', paths }];
    }
    const name = /^'([^']*)'$/.exec(text)?.[1];
    return name === undefined ? [slice(text === '*' ? ':' : text)] : parseJsonPath(`.${name}`);
  }

  #filter(): Filter {
    const text = this.#filterText();
    const [, left, operator, right] = comparisonSyntax.exec(text) ?? [];
    if (left === undefined) return { kind: 'filter', left: parseJsonPath(text), comparison: undefined };
    const comparison = { operator: operator!, right: parseJsonPath(right!) };
    return { kind: 'filter', left: parseJsonPath(left), comparison };
  }

  /** A parenthesis within the first quoted string does not close the filter. */
  #filterText(): string {
    this.#at += '[?('.length;
    const start = this.#at;
    let quote = '';
    let isClosed = true;
    for (;;) {
      this.#match(untilQuoteOrParenthesis);
      const character = this.#text[this.#at++];
      if (character === undefined || character === '\n') throw new DecodeError('unterminated filter');
      if (character === ')' && isClosed) break;
      if (character === ')') continue;
      if (quote === '') {
        quote = character;
        isClosed = false;
      } else if (character === quote && this.#text[this.#at - 2] !== '\\') isClosed = true;
    }
    if (this.#text[this.#at] !== ']') throw new DecodeError('unclosed array expect ]');
    this.#at++;
    return this.#text.slice(start, this.#at - 2);
  }
}

function withoutOuterSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end--;
  return text.slice(0, end).replace(/^ +/, '');
}

function slice(text: string): Slice {
  const [all, first = '', end, step] = sliceSyntax.exec(text) ?? [];
  if (all === undefined) throw new DecodeError(`invalid array index ${text}`);
  const from = first === '' ? 0 : indexOf(first);
  const isIndex = end === undefined;
  const to = isIndex ? from + 1 : end === '' ? undefined : indexOf(end);
  return { kind: 'slice', from, to, isIndex, step: step ? indexOf(step) : 1 };
}

function indexOf(text: string): number {
  const value = Number(text);
  if (text === '-' || Math.abs(value) >= 2 ** 63) throw new DecodeError(`array index ${text} is not a number`);
  return value;
}

function numberOf(text: string): number | bigint {
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text)) throw new DecodeError(`cannot parse number ${text}`);
  const value = Number(text);
  if (text.includes('.') || Number.isSafeInteger(value) || Math.abs(value) > 2 ** 63) return value;
  const exact = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, exact) === exact ? exact : value;
}

function unicodeText(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return /[\p{C}\p{Z}]/u.test(character) ? `U+${code}` : `U+${code} '${character}'`;
}
