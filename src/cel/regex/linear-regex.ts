import { CelError } from '../cel-error.ts';
import { spend } from '../work.ts';
import { compilePattern, type PatternProgram } from './compile-pattern.ts';
import { parsePattern } from './parse-pattern.ts';

const longestPattern = 10_000;
const mostKept = 256;
const kept = new Map<string, LinearRegex>();

/**
 * A regular expression with the syntax of RE2, whose search takes time in proportion to the text: all ways to match are
 * followed at once. JavaScript's own engine can take forever on a few dozen characters.
 */
export class LinearRegex {
  readonly #program: PatternProgram;

  constructor(pattern: string) {
    if (pattern.length > longestPattern) throw new CelError('error parsing regexp: expression too large');
    this.#program = compilePattern(parsePattern(pattern), pattern);
  }

  /** The same patterns come again and again. */
  static of(pattern: string): LinearRegex {
    let regex = kept.get(pattern);
    if (regex === undefined) {
      regex = new LinearRegex(pattern);
      if (kept.size >= mostKept) kept.clear();
      kept.set(pattern, regex);
    }
    return regex;
  }

  /** Whether any part of the text matches. */
  test(text: string): boolean {
    return this.#search(codesOf(text), 0, true) !== undefined;
  }

  /** The first match of each part of the text that matches, at most so many. */
  findAll(text: string, most = Number.POSITIVE_INFINITY): string[] {
    const characters = Array.from(text);
    const codes = codesOf(text);
    const found: string[] = [];
    let lastEnd = -1;
    for (let at = 0; found.length < most && at <= codes.length; ) {
      const match = this.#search(codes, at, false);
      if (match === undefined) break;
      const [start, end] = match;
      // An empty match right behind another one does not count.
      if (end > start || start !== lastEnd) found.push(characters.slice(start, end).join(''));
      lastEnd = end;
      at = end > start ? end : end + 1;
    }
    return found;
  }

  /** The leftmost match, and of those the one that the pattern prefers. */
  #search(codes: readonly number[], from: number, anyIsEnough: boolean): readonly [number, number] | undefined {
    const { start, instructions } = this.#program;
    spend(instructions.length / 100);
    const seen = new Int32Array(instructions.length).fill(-1);
    let current: number[] = [];
    let next: number[] = [];
    let found: readonly [number, number] | undefined;

    /** Notes where the search stands before the character at this position: pairs of an instruction and the start. */
    const follow = (threads: number[], first: number, begin: number, at: number): void => {
      const open = [first];
      for (let position = open.pop(); position !== undefined; position = open.pop()) {
        if (seen[position] === at) continue;
        seen[position] = at;
        const instruction = instructions[position]!;
        if (instruction.op === 'either') open.push(instruction.second, instruction.first);
        else if (instruction.op !== 'assertion') threads.push(position, begin);
        else if (instruction.holds(codes[at - 1] ?? Number.NaN, codes[at] ?? Number.NaN)) open.push(instruction.next);
      }
    };

    for (let at = from; at <= codes.length; at++) {
      if (found === undefined) follow(current, start, at, at);
      else if (current.length === 0) break;
      spend(1 + current.length / 5);
      for (let index = 0; index < current.length; index += 2) {
        const instruction = instructions[current[index]!]!;
        const begin = current[index + 1]!;
        if (instruction.op === 'match') {
          found = [begin, at];
          if (anyIsEnough) return found;
          // The ways behind this one are less preferred.
          break;
        }
        if (instruction.op === 'character' && at < codes.length && instruction.test(codes[at]!)) {
          follow(next, instruction.next, begin, at + 1);
        }
      }
      [current, next] = [next, current];
      next.length = 0;
    }
    return found;
  }
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}
