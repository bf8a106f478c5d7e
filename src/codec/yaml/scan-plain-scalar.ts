import { blank, foldBreaks, isBlank, isBlankBreakOrEnd, isBreak, tab, type YamlCursor } from './yaml-cursor.ts';

const colon = 0x3a;
const hash = 0x23;
const beyondAscii = 0x80;
/** Indexed by character code: whether the character ends a plain scalar in flow context. */
const flowIndicators = new Uint8Array(beyondAscii);
for (const character of ',?[]{}') flowIndicators[character.charCodeAt(0)] = 1;

type YamlContext = 'block' | 'flow';

/**
 * Scans a plain scalar. In block context, a line that is indented less than `indent` ends it.
 * Returns undefined if the document contains the value verbatim; `from` and `to` of the cursor are then its range.
 */
export function scanPlainScalar(cursor: YamlCursor, indent: number, context: YamlContext): string | undefined {
  cursor.from = cursor.at;
  cursor.to = skipLine(cursor, context);
  if (!isBreak(cursor.code())) return undefined;
  let pieces: string[] | undefined;
  do {
    const gap = scanBreaks(cursor, indent);
    const isOutside = context === 'block' && cursor.column < indent;
    if (isOutside || cursor.isAtDocumentMarker() || cursor.code() === hash) break;
    const start = cursor.at;
    const end = skipLine(cursor, context);
    if (end === start) break;
    pieces ??= [cursor.text.slice(cursor.from, cursor.to)];
    pieces.push(gap, cursor.text.slice(start, end));
    cursor.to = end;
  } while (isBreak(cursor.code()));
  return pieces?.join('');
}

/** Skips the words of a line and the blanks after them. Returns the offset after the last word. */
function skipLine(cursor: YamlCursor, context: YamlContext): number {
  const { text } = cursor;
  let at = cursor.at;
  let end = at;
  for (;;) {
    const start = at;
    at = context === 'flow' ? flowWordEnd(text, at) : wordEnd(text, at);
    if (at > start) end = at;
    if (!isBlank(text.charCodeAt(at))) break;
    while (isBlank(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) === hash) break;
  }
  cursor.at = at;
  return end;
}

function wordEnd(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    // Fast path for letters and digits.
    if (code !== colon && code > blank && code < beyondAscii) continue;
    if (isBlankBreakOrEnd(code)) return at;
    if (code === colon && isBlankBreakOrEnd(text.charCodeAt(at + 1))) return at;
  }
}

function flowWordEnd(text: string, start: number): number {
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (isBlankBreakOrEnd(code) || flowIndicators[code] === 1) return at;
    if (code === colon && isBlankBreakOrEnd(text.charCodeAt(at + 1))) return at;
  }
}

/** Skips line breaks and the indentation after them. Returns the folded line breaks. */
function scanBreaks(cursor: YamlCursor, indent: number): string {
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
