import { blank, end, foldBreaks, isBlank, isBreak, tab, type YamlCursor } from './yaml-cursor.ts';

const bar = 0x7c;
const plus = 0x2b;
const minus = 0x2d;
const hash = 0x23;
const zero = 0x30;
const nine = 0x39;

interface Header {
  readonly isLiteral: boolean;
  /** Which of the final line breaks are kept: all (1), one (0) or none (-1). */
  readonly keep: number;
  /** Zero if the indentation is that of the first line. */
  readonly indent: number;
}

/** Scans a block scalar. The cursor must be at `|` or `>`. `parentIndent` is that of the enclosing block. */
export function scanBlockScalar(cursor: YamlCursor, parentIndent: number): string {
  const header = scanHeader(cursor, parentIndent);
  const gap = { indent: header.indent, breaks: '' };
  scanGap(cursor, gap, parentIndent);
  // Parts are joined at the end. Appending to one string would create two strings per line, which is much garbage for
  // many lines.
  const pieces: string[] = [];
  let lineBreak = '';
  let wasBlank = false;
  while (cursor.column === gap.indent && cursor.code() !== end) {
    const nowBlank = isBlank(cursor.code());
    const folds = !header.isLiteral && lineBreak === '\n' && !wasBlank && !nowBlank;
    const breaks = folds ? foldBreaks(lineBreak, gap.breaks) : lineBreak + gap.breaks;
    const start = cursor.at;
    cursor.skipToBreak();
    pieces.push(breaks, cursor.text.slice(start, cursor.at));
    wasBlank = nowBlank;
    lineBreak = cursor.code() === end ? '' : cursor.breakLine();
    gap.breaks = '';
    scanGap(cursor, gap, parentIndent);
  }
  if (header.keep !== -1) pieces.push(lineBreak);
  if (header.keep === 1) pieces.push(gap.breaks);
  return pieces.join('');
}

function scanHeader(cursor: YamlCursor, parentIndent: number): Header {
  const isLiteral = cursor.code() === bar;
  cursor.at++;
  let keep = 0;
  let indent = 0;
  for (let indicators = 0; indicators < 2; indicators++) {
    const code = cursor.code();
    if (keep === 0 && (code === plus || code === minus)) {
      keep = code === plus ? 1 : -1;
    } else if (indent === 0 && code >= zero && code <= nine) {
      if (code === zero) throw cursor.problem('found an indentation indicator equal to 0');
      indent = Math.max(parentIndent, 0) + code - zero;
    } else {
      break;
    }
    cursor.at++;
  }
  while (isBlank(cursor.code())) cursor.at++;
  if (cursor.code() === hash) cursor.skipToBreak();
  if (isBreak(cursor.code())) cursor.breakLine();
  else if (cursor.code() !== end) throw cursor.problem('did not find expected comment or line break');
  return { isLiteral, keep, indent };
}

/** Skips empty lines and the indentation of the next line. Detects the indentation if it is not known yet. */
function scanGap(cursor: YamlCursor, gap: { indent: number; breaks: string }, parentIndent: number): void {
  let maxColumn = 0;
  const widest = gap.indent === 0 ? Infinity : gap.indent;
  for (;;) {
    while (cursor.code() === blank && cursor.column < widest) cursor.at++;
    maxColumn = Math.max(maxColumn, cursor.column);
    if (cursor.code() === tab && cursor.column < widest) {
      throw cursor.problem('found a tab character where an indentation space is expected');
    }
    if (!isBreak(cursor.code())) break;
    gap.breaks += cursor.breakLine();
  }
  if (gap.indent === 0) gap.indent = Math.max(maxColumn, parentIndent + 1, 1);
}
