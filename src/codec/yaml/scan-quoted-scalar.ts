import { end, foldBreaks, isBlank, isBlankBreakOrEnd, isBreak, type YamlCursor } from './yaml-cursor.ts';

const singleQuote = 0x27;
const backslash = 0x5c;
/** The largest number of escapes that are joined at a time. */
const maxJoined = 1_000;
const escapes: Readonly<Record<string, string>> = {
  0: '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '/': '/',
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
/** By the character code of the name: the codes of simple escapes, and the number of digits of the others. */
const simpleEscapes: (number | undefined)[] = new Array(128).fill(undefined);
for (const [name, value] of Object.entries(escapes)) simpleEscapes[name.charCodeAt(0)] = value.charCodeAt(0);
const codeLengths: (number | undefined)[] = new Array(128).fill(undefined);
for (const [name, length] of Object.entries({ x: 2, u: 4, U: 8 })) codeLengths[name.charCodeAt(0)] = length;

/**
 * Scans a quoted scalar. The cursor must be at the opening quote. Lines are folded, and their indentation is ignored.
 * Returns undefined if the document contains the value verbatim; `from` and `to` of the cursor are then its range.
 */
export function scanQuotedScalar(cursor: YamlCursor): string | undefined {
  const quote = cursor.code();
  cursor.at++;
  const close = simpleEnd(cursor, quote);
  if (close === undefined) return scanContent(cursor, quote);
  cursor.from = cursor.at;
  cursor.to = close;
  cursor.at = close + 1;
  return undefined;
}

/** Returns the offset of the closing quote, or undefined if the scalar has escapes or line breaks. */
function simpleEnd({ text, at: start }: YamlCursor, quote: number): number | undefined {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return quote === singleQuote && text.charCodeAt(at + 1) === singleQuote ? undefined : at;
    if (code === backslash && quote !== singleQuote) return undefined;
    if (isBreak(code) || code === end) return undefined;
  }
}

function scanContent(cursor: YamlCursor, quote: number): string {
  const pieces: string[] = [];
  for (;;) {
    if (cursor.isAtDocumentMarker()) throw cursor.problem('found unexpected document indicator');
    if (cursor.code() === end) throw cursor.problem('found unexpected end of stream');
    const isJoined = scanWords(cursor, quote, pieces);
    if (cursor.code() === quote) break;
    if (isJoined) foldGap(cursor, '', pieces);
    else scanGap(cursor, pieces);
  }
  cursor.at++;
  return pieces.join('');
}

/** Scans up to the next blank, line break or closing quote. Returns whether it ended at an escaped line break. */
function scanWords(cursor: YamlCursor, quote: number, pieces: string[]): boolean {
  let start = cursor.at;
  for (;;) {
    const code = cursor.code();
    const isSpecial = code === quote || (code === backslash && quote !== singleQuote);
    if (!isSpecial && !isBlankBreakOrEnd(code)) {
      cursor.at++;
      continue;
    }
    if (cursor.at > start) pieces.push(cursor.text.slice(start, cursor.at));
    if (!isSpecial) return false;
    if (code === quote) {
      if (quote !== singleQuote || cursor.code(1) !== singleQuote) return false;
      pieces.push("'");
      cursor.at += 2;
    } else if (isBreak(cursor.code(1))) {
      cursor.at++;
      cursor.breakLine();
      return true;
    } else {
      pieces.push(scanEscapes(cursor));
    }
    start = cursor.at;
  }
}

/** Scans consecutive escapes together. Creating a string for each character would cost more than scanning it. */
function scanEscapes(cursor: YamlCursor): string {
  const codes = [scanEscape(cursor)];
  while (cursor.code() === backslash && codes.length < maxJoined && !isBreak(cursor.code(1))) {
    codes.push(scanEscape(cursor));
  }
  return String.fromCodePoint(...codes);
}

/** Returns the code point of the escape. */
function scanEscape(cursor: YamlCursor): number {
  const name = cursor.code(1);
  const simple = simpleEscapes[name];
  if (simple !== undefined) {
    cursor.at += 2;
    return simple;
  }
  const length = codeLengths[name];
  if (length === undefined) throw cursor.problem('found unknown escape character');
  cursor.at += 2;
  let code = 0;
  for (let digit = 0; digit < length; digit++) {
    const value = hexValue(cursor.code(digit));
    // Go's library has this spelling error.
    if (value === undefined) throw cursor.problem('did not find expected hexdecimal number');
    code = code * 16 + value;
  }
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
    throw cursor.problem('found invalid Unicode character escape code');
  }
  cursor.at += length;
  return code;
}

function hexValue(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : undefined;
}

/** Scans blanks and line breaks inside the scalar. */
function scanGap(cursor: YamlCursor, pieces: string[]): void {
  const start = cursor.at;
  while (isBlank(cursor.code())) cursor.at++;
  if (isBreak(cursor.code())) foldGap(cursor, cursor.breakLine(), pieces);
  else pieces.push(cursor.text.slice(start, cursor.at));
}

/**
 * Scans the blanks and line breaks after the first line break. `first` is empty if the first line break was escaped;
 * then only further line breaks count.
 */
function foldGap(cursor: YamlCursor, first: string, pieces: string[]): void {
  let others = '';
  while (isBlank(cursor.code()) || isBreak(cursor.code())) {
    if (isBlank(cursor.code())) cursor.at++;
    else others += cursor.breakLine();
  }
  pieces.push(foldBreaks(first, others));
}
