import { type CharacterTest, ignoringCase, wordCharacters } from './character-set.ts';
import { parseClass } from './parse-class.ts';
import { parseEscape } from './parse-escape.ts';
import type { Assertion, PatternNode } from './pattern-node.ts';
import { PatternReader } from './pattern-reader.ts';

const newline = 10;
const mostRepeats = 1_000;
const deepestGroup = 100;

const isWord = (code: number): boolean => wordCharacters(code);
const textStart: Assertion = (before) => Number.isNaN(before);
const textEnd: Assertion = (_before, after) => Number.isNaN(after);
const lineStart: Assertion = (before) => Number.isNaN(before) || before === newline;
const lineEnd: Assertion = (_before, after) => Number.isNaN(after) || after === newline;
const wordBoundary: Assertion = (before, after) => isWord(before) !== isWord(after);
const noWordBoundary: Assertion = (before, after) => isWord(before) === isWord(after);

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

/** Reads a pattern in the syntax of RE2. Throws `CelError` with the words of Go's library. */
export function parsePattern(pattern: string): PatternNode {
  return new PatternParser(pattern).parse();
}

class PatternParser {
  readonly #reader: PatternReader;
  readonly #pattern: string;
  #flags: Flags = { i: false, m: false, s: false, U: false };
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#reader = new PatternReader(pattern);
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (!this.#reader.isAtEnd()) throw this.#reader.failure('unexpected )', this.#pattern);
    return node;
  }

  #choice(): PatternNode {
    const branches = [this.#sequence()];
    while (this.#reader.take('|')) branches.push(this.#sequence());
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    for (
      let next = this.#reader.peek();
      next !== undefined && next !== '|' && next !== ')';
      next = this.#reader.peek()
    ) {
      if (this.#reader.take('\\Q')) {
        const start = this.#reader.position;
        const quoted = this.#quoted();
        const last = quoted.pop();
        parts.push(...quoted);
        if (last !== undefined) parts.push(this.#repeated(last, start));
        continue;
      }
      const start = this.#reader.position;
      const part = this.#part();
      if (part !== undefined) parts.push(this.#repeated(part, start));
    }
    return { kind: 'sequence', parts };
  }

  #quoted(): PatternNode[] {
    const parts: PatternNode[] = [];
    while (!this.#reader.isAtEnd() && !this.#reader.take('\\E')) {
      parts.push(this.#literal(this.#reader.next()!.codePointAt(0)!));
    }
    return parts;
  }

  /** Undefined for a group that only sets flags. */
  #part(): PatternNode | undefined {
    const reader = this.#reader;
    const character = reader.next()!;
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return { kind: 'character', test: parseClass(reader, this.#flags.i) };
      case '.':
        return { kind: 'character', test: this.#flags.s ? () => true : (code) => code !== newline };
      case '^':
        return { kind: 'assertion', holds: this.#flags.m ? lineStart : textStart };
      case '$':
        return { kind: 'assertion', holds: this.#flags.m ? lineEnd : textEnd };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw reader.failure('missing argument to repetition operator', character);
      default:
        return this.#literal(character.codePointAt(0)!);
    }
  }

  #escape(): PatternNode {
    const assertions: Readonly<Record<string, Assertion>> = {
      A: textStart,
      z: textEnd,
      b: wordBoundary,
      B: noWordBoundary,
    };
    const name = this.#reader.peek();
    if (name !== undefined && Object.hasOwn(assertions, name)) {
      this.#reader.next();
      return { kind: 'assertion', holds: assertions[name]! };
    }
    const escaped = parseEscape(this.#reader);
    return typeof escaped === 'number' ? this.#literal(escaped) : this.#character(escaped);
  }

  #literal(code: number): PatternNode {
    return this.#character((other) => other === code);
  }

  #character(test: CharacterTest): PatternNode {
    return { kind: 'character', test: this.#flags.i ? ignoringCase(test) : test };
  }

  #group(): PatternNode | undefined {
    const outer = this.#flags;
    if (this.#reader.take('?') && !this.#groupStart()) return undefined;
    if (++this.#depth > deepestGroup) throw this.#reader.failure('expression nests too deeply', this.#pattern);
    const node = this.#choice();
    this.#depth--;
    if (!this.#reader.take(')')) throw this.#reader.failure('missing closing )', this.#pattern);
    this.#flags = outer;
    return node;
  }

  /** What follows `(?`. False when the group has ended with its flags, which then hold for the rest. */
  #groupStart(): boolean {
    const reader = this.#reader;
    const start = reader.position - 2;
    if (reader.take('P<') || (reader.peek() === '<' && !'=!'.includes(reader.peek(1) ?? '') && reader.take('<'))) {
      const name = reader.takeUntil('>');
      if (name === undefined || !/^\w+$/.test(name)) throw reader.failure('invalid named capture', reader.since(start));
      return true;
    }
    let value = true;
    for (let flag = reader.next(); ; flag = reader.next()) {
      if (flag === ':') return true;
      if (flag === ')') return false;
      if (flag === '-' && value) value = false;
      else if (flag === 'i' || flag === 'm' || flag === 's' || flag === 'U')
        this.#flags = { ...this.#flags, [flag]: value };
      else throw reader.failure('invalid or unsupported Perl syntax', reader.since(start));
    }
  }

  #repeated(part: PatternNode, start: number): PatternNode {
    const reader = this.#reader;
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    const isLazy = reader.take('?');
    const second = reader.position;
    if (this.#bounds() !== undefined) throw reader.failure('invalid nested repetition operator', reader.since(second));
    const [least, most] = bounds;
    if (least > most || least > mostRepeats || (most > mostRepeats && most !== Number.POSITIVE_INFINITY)) {
      throw reader.failure('invalid repeat count', reader.since(start));
    }
    return { kind: 'repeat', part, least, most, isGreedy: isLazy === this.#flags.U };
  }

  #bounds(): readonly [number, number] | undefined {
    const reader = this.#reader;
    if (reader.take('*')) return [0, Number.POSITIVE_INFINITY];
    if (reader.take('+')) return [1, Number.POSITIVE_INFINITY];
    if (reader.take('?')) return [0, 1];
    const start = reader.position;
    if (!reader.take('{')) return undefined;
    const [, least, comma, most = ''] = /^(\d{1,9})(,?)(\d{0,9})$/.exec(reader.takeUntil('}') ?? '') ?? [];
    if (least === undefined || (comma === '' && most !== '')) {
      // A brace that does not count anything stands for itself.
      reader.back(start);
      return undefined;
    }
    return [Number(least), comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)];
  }
}
