import { type CharacterTest, either, ignoringCase, namedSets, not, ranges } from './character-set.ts';
import { parseEscape } from './parse-escape.ts';
import type { PatternReader } from './pattern-reader.ts';

/** A class such as `[^a-z\d[:punct:]]`, of which the first bracket has been read. */
export function parseClass(reader: PatternReader, ignoreCase: boolean): CharacterTest {
  const start = reader.position - 1;
  const isNegated = reader.take('^');
  const tests: CharacterTest[] = [];
  // A bracket that comes first stands for itself.
  for (let isFirst = true; isFirst || !reader.take(']'); isFirst = false) {
    if (reader.isAtEnd()) throw reader.failure('missing closing ]', reader.since(start));
    tests.push(parseItem(reader));
  }
  const all = ignoreCase ? ignoringCase(either(tests)) : either(tests);
  return isNegated ? not(all) : all;
}

function parseItem(reader: PatternReader): CharacterTest {
  const start = reader.position;
  const named = reader.take('[:') ? parseNamed(reader, start) : undefined;
  if (named !== undefined) return named;
  const low = parseCharacter(reader);
  if (typeof low === 'function') return low;
  if (reader.peek() !== '-' || reader.peek(1) === ']' || reader.peek(1) === undefined) return ranges([[low, low]]);
  reader.next();
  const high = parseCharacter(reader);
  if (typeof high === 'function' || high < low) {
    throw reader.failure('invalid character class range', reader.since(start));
  }
  return ranges([[low, high]]);
}

/** Undefined when it was no such name after all. */
function parseNamed(reader: PatternReader, start: number): CharacterTest | undefined {
  const isNegated = reader.take('^');
  const name = reader.takeWhile(/[a-z]/, 10);
  if (!reader.take(':]')) {
    reader.back(start);
    return undefined;
  }
  const set = Object.hasOwn(namedSets, name) ? namedSets[name] : undefined;
  if (set === undefined) throw reader.failure('invalid character class range', reader.since(start));
  return isNegated ? not(set) : set;
}

function parseCharacter(reader: PatternReader): number | CharacterTest {
  const character = reader.next();
  return character === '\\' ? parseEscape(reader) : character!.codePointAt(0)!;
}
