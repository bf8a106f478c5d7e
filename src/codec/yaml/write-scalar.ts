import { type ScalarStyle, scalarStyle, separator } from './scalar-style.ts';

const width = 80;
const quoted = /["\\]|[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu;
const shortEscapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

/**
 * Encodes a string as a value, without a final line break. `column` is the column of its first line, `indent` that of
 * its further lines.
 */
export function writeScalar(text: string, column: number, indent: number): string {
  const style = scalarStyle(text);
  if (style === 'literal') return writeLiteral(text, indent);
  if (style === 'single' && separator.test(text)) return writeOnLine(indentSeparated(text, indent), style);
  const written = writeOnLine(text, style);
  return column + written.length <= width ? written : fold(written, { style, column, indent });
}

/** Encodes a string on one line. */
export function writeOnLine(text: string, style: Exclude<ScalarStyle, 'literal'>): string {
  if (style === 'plain') return text;
  if (style === 'single') return `'${text.replaceAll("'", "''")}'`;
  return `"${text.replace(quoted, escapeCharacter)}"`;
}

function escapeCharacter(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/** These separators are line breaks and are written unescaped. The line after them is indented. */
function indentSeparated(text: string, indent: number): string {
  return text.replace(/[\u2028\u2029](?![\u2028\u2029]|$)/g, (character) => character + ' '.repeat(indent));
}

function writeLiteral(text: string, indent: number): string {
  const margin = ' '.repeat(indent);
  const hint = text.startsWith(' ') || text.startsWith('\n') ? '2' : '';
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  let chomping = '';
  if (body === text) chomping = '-';
  else if (body === '' || body.endsWith('\n')) chomping = '+';
  const lines = body.split('\n').map((line) => (line === '' ? '' : margin + line));
  return `|${hint}${chomping}\n${lines.join('\n')}`;
}

interface Folding {
  readonly style: ScalarStyle;
  readonly column: number;
  readonly indent: number;
}

/** Breaks each line at its first single space beyond the width. */
function fold(written: string, { style, column, indent }: Folding): string {
  const isQuoted = style !== 'plain';
  const first = isQuoted ? 2 : 0;
  const last = written.length - (isQuoted ? 3 : 1);
  let result = '';
  let start = 0;
  let at = 0;
  let position = column;
  for (const character of written) {
    if (character === ' ' && position > width && at >= first && at <= last && written[at - 1] !== ' ') {
      const isDouble = written[at + 1] === ' ';
      if (!isDouble || style === 'double') {
        result += `${written.slice(start, at)}\n${' '.repeat(indent)}${isDouble ? '\\' : ''}`;
        start = at + 1;
        position = indent + (isDouble ? 0 : -1);
      }
    }
    at += character.length;
    position++;
  }
  return result + written.slice(start);
}
