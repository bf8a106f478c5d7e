import { RE2JS, RE2JSException } from 're2js';
import { patternSize } from '../meta/pattern-size.ts';
import { WeightedCache } from '../meta/weighted-cache.ts';
import { CelError } from './cel-error.ts';
import { spend, workPerItem } from './work.ts';

const maxPatternLength = 10_000;
/** Limited by the states, because clients choose the patterns. A state takes 80 to 300 bytes. */
const cache = new WeightedCache<LinearRegex>({ maxSize: 256, maxWeight: 50_000 });
const workPerState = 24;

/**
 * A regular expression with RE2 syntax whose search takes time linear in the length of the text. JavaScript's own
 * engine can take exponential time on a few dozen characters.
 */
export class LinearRegex {
  readonly #program: RE2JS;
  /** The work of a search per character of its text. Patterns with many states may visit all of them. */
  readonly #perCharacter: number;

  constructor(pattern: string) {
    if (pattern.length > maxPatternLength) throw new CelError('error parsing regexp: expression too large');
    spend(patternSize(pattern) * workPerState);
    this.#program = compilePattern(pattern);
    const states = this.#program.programSize();
    this.#perCharacter = 1 + states / 5 + states ** 2 / 10_000;
  }

  /** Returns a cached instance, because patterns repeat. */
  static of(pattern: string): LinearRegex {
    let regex = cache.get(pattern);
    if (regex === undefined) {
      regex = new LinearRegex(pattern);
      cache.set(pattern, regex, regex.#program.programSize());
    }
    return regex;
  }

  /** Whether any substring matches. */
  test(text: string): boolean {
    this.#spend(text.length);
    return this.#program.matcher(text).find();
  }

  /** Returns the first `most` non-overlapping matches. */
  findAll(text: string, max = Number.POSITIVE_INFINITY): string[] {
    const matcher = this.#program.matcher(text);
    const found: string[] = [];
    let lastEnd = -1;
    this.#spend(text.length);
    while (found.length < max && matcher.find()) {
      // Each match starts a new search, which may scan the whole rest of the text.
      this.#spend(text.length - matcher.end());
      spend(workPerItem);
      // An empty match directly after another match does not count.
      if (matcher.end() > matcher.start() || matcher.start() !== lastEnd) found.push(matcher.group() ?? '');
      lastEnd = matcher.end();
    }
    return found;
  }

  #spend(length: number): void {
    spend(1 + length * this.#perCharacter);
  }
}

function compilePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) throw new CelError(error.message);
    throw error;
  }
}
