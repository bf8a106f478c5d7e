import { type CharacterTest, digits, not, spaces, unicodeSet, wordCharacters } from './character-set.ts';
import type { PatternReader } from './pattern-reader.ts';

const sets: Readonly<Record<string, CharacterTest>> = {
  d: digits,
  D: not(digits),
  s: spaces,
  S: not(spaces),
  w: wordCharacters,
  W: not(wordCharacters),
};
const controls: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** What follows a backslash: one character, or a set of them. */
export function parseEscape(reader: PatternReader): number | CharacterTest {
  const start = reader.position - 1;
  const name = reader.next();
  if (name === undefined) throw reader.failure('trailing backslash at end of expression', '');
  const set = Object.hasOwn(sets, name) ? sets[name] : undefined;
  if (set !== undefined) return set;
  if (name === 'p' || name === 'P') return parseProperty(reader, name === 'P', start);
  if (Object.hasOwn(controls, name)) return controls[name]!;
  if (name === 'x') return parseHexadecimal(reader, start);
  if (name >= '0' && name <= '7') {
    const octal = name + reader.takeWhile(/[0-7]/, 2);
    // A single digit would be a reference to a group, which a linear search cannot follow.
    if (name === '0' || octal.length === 3) return Number.parseInt(octal, 8);
    throw reader.failure('invalid escape sequence', `\\${name}`);
  }
  if (/^[A-Za-z0-9]$/.test(name)) throw reader.failure('invalid escape sequence', `\\${name}`);
  return name.codePointAt(0)!;
}

function parseProperty(reader: PatternReader, isNegated: boolean, start: number): CharacterTest {
  let name = reader.next();
  if (name === '{') name = reader.takeUntil('}');
  const isInverse = name?.startsWith('^') ?? false;
  const set = name === undefined ? undefined : unicodeSet(isInverse ? name.slice(1) : name);
  if (set === undefined) throw reader.failure('invalid character class range', reader.since(start));
  return isInverse !== isNegated ? not(set) : set;
}

function parseHexadecimal(reader: PatternReader, start: number): number {
  const text = reader.take('{') ? (reader.takeUntil('}') ?? '') : reader.takeWhile(/[0-9A-Fa-f]/, 2);
  const code = /^[0-9A-Fa-f]{1,8}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN;
  if (!(code <= 0x10ffff)) throw reader.failure('invalid escape sequence', reader.since(start));
  return code;
}
