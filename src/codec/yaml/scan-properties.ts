import { isBlank, isBlankBreakOrEnd, isBreak, type YamlCursor } from './yaml-cursor.ts';

const name = /[0-9A-Za-z_-]*/y;
const uri = /(?:[0-9A-Za-z_;/?:@&=+$,.!~*'()[\]-]+|%[0-9A-Fa-f]{2})*/y;
const afterName = '?:,]}%@`';
const hash = 0x23;
const underscore = 0x5f;
const hyphen = 0x2d;

function match(cursor: YamlCursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)![0];
  cursor.at += found.length;
  return found;
}

/** Scans the name after `&` or `*`. Sets `from` and `to` of the cursor to its range. */
export function scanAnchor(cursor: YamlCursor): void {
  cursor.at++;
  cursor.from = cursor.at;
  while (isNameCharacter(cursor.code())) cursor.at++;
  cursor.to = cursor.at;
  if (
    cursor.to === cursor.from ||
    !(isBlankBreakOrEnd(cursor.code()) || afterName.includes(cursor.text.charAt(cursor.at)))
  ) {
    throw cursor.problem('did not find expected alphabetic or numeric character');
  }
}

function isNameCharacter(code: number): boolean {
  if (code >= 0x61) return code <= 0x7a;
  if (code >= 0x41) return code <= 0x5a || code === underscore;
  return (code >= 0x30 && code <= 0x39) || code === hyphen;
}

/** Scans `!suffix`, `!handle!suffix` or `!<suffix>`. The handle of the latter is empty. */
export function scanTag(cursor: YamlCursor): { readonly handle: string; readonly suffix: string } {
  const tag = cursor.code(1) === 0x3c ? scanVerbatimTag(cursor) : scanShortTag(cursor);
  if (!isBlankBreakOrEnd(cursor.code())) throw cursor.problem('did not find expected whitespace or line break');
  return tag;
}

function scanVerbatimTag(cursor: YamlCursor) {
  cursor.at += 2;
  const suffix = match(cursor, uri);
  if (suffix === '') throw cursor.problem('did not find expected tag URI');
  if (cursor.text.charAt(cursor.at) !== '>') throw cursor.problem("did not find the expected '>'");
  cursor.at++;
  return { handle: '', suffix: decode(cursor, suffix) };
}

function scanShortTag(cursor: YamlCursor) {
  cursor.at++;
  const start = cursor.at;
  const word = match(cursor, name);
  if (cursor.text.charAt(cursor.at) === '!') {
    cursor.at++;
    const suffix = match(cursor, uri);
    if (suffix === '') throw cursor.problem('did not find expected tag URI');
    return { handle: `!${word}!`, suffix: decode(cursor, suffix) };
  }
  cursor.at = start;
  return { handle: '!', suffix: decode(cursor, match(cursor, uri)) };
}

function decode(cursor: YamlCursor, suffix: string): string {
  try {
    return decodeURIComponent(suffix);
  } catch (error) {
    if (error instanceof URIError) throw cursor.problem('found an incorrect leading UTF-8 octet');
    throw error;
  }
}

const directive = /%([0-9A-Za-z_-]+)([^\r\n\0#]*)/y;
const version = /^[ \t]+([0-9]+\.[0-9]+)[ \t]*$/;
const handlePrefix = /^[ \t]+(!(?:[0-9A-Za-z_-]*!)?)[ \t]+(\S+)[ \t]*$/;

export type Directive = { readonly version: string } | { readonly handle: string; readonly prefix: string };

export function scanDirective(cursor: YamlCursor): Directive {
  directive.lastIndex = cursor.at;
  const found = directive.exec(cursor.text);
  if (found === null) throw cursor.problem('could not find expected directive name');
  const parsed = parseDirective(found[1]!, found[2]!);
  if (typeof parsed === 'string') throw cursor.problem(parsed);
  cursor.at += found[0].length;
  while (isBlank(cursor.code())) cursor.at++;
  if (cursor.code() === hash) cursor.skipToBreak();
  if (isBreak(cursor.code())) cursor.breakLine();
  return parsed;
}

function parseDirective(directiveName: string, rest: string): Directive | string {
  if (directiveName === 'YAML') {
    const found = version.exec(rest);
    return found === null ? "did not find expected digit or '.' character" : { version: found[1]! };
  }
  if (directiveName !== 'TAG') return 'found unknown directive name';
  const found = handlePrefix.exec(rest);
  return found === null ? "did not find expected '!'" : { handle: found[1]!, prefix: found[2]! };
}
