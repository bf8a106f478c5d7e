import { foldBreaks, isBlank, isBlankBreakOrEnd, isBreak, tab, type YamlCursor } from './yaml-cursor.ts';

const colon = 0x3a;
const hash = 0x23;
/** `,` `?` `[` `]` `{` `}` */
const flowIndicators = new Set([0x2c, 0x3f, 0x5b, 0x5d, 0x7b, 0x7d]);

export interface PlainScalar {
  readonly text: string;
  /** Set when the cursor has gone on to another line. */
  readonly hasLeftLine: boolean;
}

/** Text without quotes. A line that is less indented than `indent` ends it, unless it stands between brackets. */
export function scanPlainScalar(cursor: YamlCursor, indent: number, isInFlow: boolean): PlainScalar {
  let text = '';
  let gap = '';
  let hasLeftLine = false;
  while (!cursor.isAtDocumentMarker() && cursor.code() !== hash) {
    const start = cursor.at;
    skipWord(cursor, isInFlow);
    if (cursor.at > start) {
      text += gap + cursor.text.slice(start, cursor.at);
      hasLeftLine = false;
    }
    if (!isBlank(cursor.code()) && !isBreak(cursor.code())) break;
    const { line } = cursor;
    gap = scanGap(cursor, indent);
    hasLeftLine = cursor.line > line;
    if (!isInFlow && cursor.column < indent) break;
  }
  return { text, hasLeftLine };
}

function skipWord(cursor: YamlCursor, isInFlow: boolean): void {
  for (;;) {
    const code = cursor.code();
    if (isBlankBreakOrEnd(code)) return;
    if (code === colon && isBlankBreakOrEnd(cursor.code(1))) return;
    if (isInFlow && flowIndicators.has(code)) return;
    cursor.at++;
  }
}

/** Blanks and breaks between two words. */
function scanGap(cursor: YamlCursor, indent: number): string {
  const start = cursor.at;
  while (isBlank(cursor.code())) cursor.at++;
  if (!isBreak(cursor.code())) return cursor.text.slice(start, cursor.at);
  const first = cursor.breakLine();
  let others = '';
  for (let code = cursor.code(); ; code = cursor.code()) {
    if (isBreak(code)) {
      others += cursor.breakLine();
    } else if (isBlank(code)) {
      if (code === tab && cursor.column < indent) {
        throw cursor.problem('found a tab character that violates indentation');
      }
      cursor.at++;
    } else {
      return foldBreaks(first, others);
    }
  }
}
