import { BoundsError } from '../../meta/bounds-error.ts';
import { DecodeError } from '../../meta/decode-error.ts';

/** Bounds the time to scan a multi-line scalar, which does not yield to the event loop. */
const maxLines = 200_000;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
export const tab = 0x09;
export const blank = 0x20;
const hyphen = 0x2d;
const dot = 0x2e;

/** The terminator after the last character. Validated text does not contain this character. */
export const end = 0;

const nextLine = 0x85;
const lineSeparator = 0x2028;
const paragraphSeparator = 0x2029;

/** YAML 1.1 has more line break characters than YAML 1.2. */
export function isBreak(code: number): boolean {
  if (code < nextLine) return code <= carriageReturn && (code === lineFeed || code === carriageReturn);
  return code === nextLine || code === lineSeparator || code === paragraphSeparator;
}

export const isBlank = (code: number): boolean => code === blank || code === tab;

export function isBlankBreakOrEnd(code: number): boolean {
  // Fast path for most characters.
  if (code > blank && code < nextLine) return false;
  return isBlank(code) || isBreak(code) || code === end;
}

/** A position in a text, with its line. */
export class YamlCursor {
  readonly text: string;
  at = 0;
  /** Counts from zero. */
  line = 0;
  lineStart = 0;
  /** The range of the last anchor name, or of the last scalar whose value the text contains verbatim. */
  from = 0;
  to = 0;

  /** The text must end with a NUL character and contain no other one. */
  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  code(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  /** Skips a line break of one or two characters. Returns the normalized line break, which is usually a line feed. */
  breakLine(): string {
    const code = this.code();
    this.at += code === carriageReturn && this.code(1) === lineFeed ? 2 : 1;
    if (++this.line > maxLines) throw new BoundsError(`the document has more than ${maxLines} lines`);
    this.lineStart = this.at;
    return code === lineSeparator || code === paragraphSeparator ? String.fromCharCode(code) : '\n';
  }

  /** Counts a last line without a line break as a line. */
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

  /** Returns whether the cursor is at a `---` or `...` marker at the start of a line. */
  isAtDocumentMarker(): boolean {
    const code = this.code();
    if (this.column !== 0 || (code !== hyphen && code !== dot)) return false;
    return this.code(1) === code && this.code(2) === code && isBlankBreakOrEnd(this.code(3));
  }

  /** Returns an error at the current position. Go omits the line number on the first line. */
  problem(problem: string): DecodeError {
    return new DecodeError(`yaml: ${this.line === 0 ? '' : `line ${this.line + 1}: `}${problem}`);
  }
}

/** Folds the breaks between two lines: a single line feed becomes a space, the first of several is dropped. */
export function foldBreaks(first: string, others: string): string {
  return first === '\n' ? others || ' ' : first + others;
}
