import { RE2JS, RE2JSException } from 're2js';
import { CelError } from './cel-error.ts';
import { spend } from './work.ts';

const longestPattern = 10_000;
const mostKept = 256;
const kept = new Map<string, LinearRegex>();
/** Of a search; each of them is about as much work as one operator. */
const stepsPerUnit = 20;

/**
 * A regular expression with the syntax of RE2, whose search takes time in proportion to the text. JavaScript's own engine
 * can take forever on a few dozen characters.
 */
export class LinearRegex {
  readonly #program: RE2JS;
  readonly #size: number;

  constructor(pattern: string) {
    if (pattern.length > longestPattern) throw new CelError('error parsing regexp: expression too large');
    this.#program = compiled(pattern);
    this.#size = this.#program.programSize();
    spend(this.#size);
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
    this.#pay(text.length);
    return this.#program.matcher(text).find();
  }

  /** The first match of each part of the text that matches, at most so many. */
  findAll(text: string, most = Number.POSITIVE_INFINITY): string[] {
    const matcher = this.#program.matcher(text);
    const found: string[] = [];
    let lastEnd = -1;
    this.#pay(text.length);
    while (found.length < most && matcher.find()) {
      // A search may look at all the rest of the text, and there is one for every match.
      this.#pay(text.length - matcher.end());
      // An empty match right behind another one does not count.
      if (matcher.end() > matcher.start() || matcher.start() !== lastEnd) found.push(matcher.group() ?? '');
      lastEnd = matcher.end();
    }
    return found;
  }

  #pay(length: number): void {
    spend(1 + (length * this.#size) / stepsPerUnit);
  }
}

function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSException) throw new CelError(error.message, { cause: error });
    throw error;
  }
}
