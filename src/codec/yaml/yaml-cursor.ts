import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';

/** A text of many lines is read without a pause. */
const maxLines = 200_000;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
export const tab = 0x09;
export const blank = 0x20;
const hyphen = 0x2d;
const dot = 0x2e;

/** Behind the last character: text that has been checked holds no such character. */
export const end = 0;

const nextLine = 0x85;
const lineSeparator = 0x2028;
const paragraphSeparator = 0x2029;

/** YAML 1.1 knows more line breaks than others do. */
export function isBreak(code: number): boolean {
  if (code < nextLine) return code <= carriageReturn && (code === lineFeed || code === carriageReturn);
  return code === nextLine || code === lineSeparator || code === paragraphSeparator;
}

export const isBlank = (code: number): boolean => code === blank || code === tab;

export function isBlankBreakOrEnd(code: number): boolean {
  // Most characters are none of them.
  if (code > blank && code < nextLine) return false;
  return isBlank(code) || isBreak(code) || code === end;
}

/** A place in a text, which knows its line. */
export class YamlCursor {
  readonly text: string;
  at = 0;
  /** From zero. */
  line = 0;
  lineStart = 0;
  /** Where the last scalar begins and ends that stands in the text as it is. */
  from = 0;
  to = 0;

  /** The text must end with the character NUL, and not contain another one. */
  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  code(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  /** Steps over a line break of one or two characters and returns what it is in a text: mostly a line feed. */
  breakLine(): string {
    const code = this.code();
    this.at += code === carriageReturn && this.code(1) === lineFeed ? 2 : 1;
    if (++this.line > maxLines) throw new BoundsError(`the document has more than ${maxLines} lines`);
    this.lineStart = this.at;
    return code === lineSeparator || code === paragraphSeparator ? String.fromCharCode(code) : '\n';
  }

  /** Counts what is left of a line without a break as a line of its own. */
  endLine(): void {
    if (this.column === 0) return;
    this.line++;
    this.lineStart = this.at;
  }

  skipToBreak(): void {
    let { at } = this;
    for (let code = this.code(); !isBreak(code) && code !== end; code = this.text.charCodeAt(at)) at++;
    this.at = at;
  }

  /** Whether a line of three hyphens or dots begins here. */
  isAtDocumentMarker(): boolean {
    const code = this.code();
    if (this.column !== 0 || (code !== hyphen && code !== dot)) return false;
    return this.code(1) === code && this.code(2) === code && isBlankBreakOrEnd(this.code(3));
  }

  /** A complaint about the present place. Go leaves out the first line. */
  problem(problem: string): DecodeError {
    return new DecodeError(`yaml: ${this.line === 0 ? '' : `line ${this.line + 1}: `}${problem}`);
  }
}

/** The breaks between two lines of a text: a single line feed becomes a space, the first of several is left out. */
export function foldBreaks(first: string, others: string): string {
  return first === '\n' ? others || ' ' : first + others;
}
