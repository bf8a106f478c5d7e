import { createRequire } from 'node:module';
import type { RE2JS as Expression } from 're2js';
import { patternSize } from '../../meta/pattern-size.ts';
import { WeightedCache } from '../../meta/weighted-cache.ts';
import type { ValidationRun } from './validation-run.ts';

/**
 * Limited by the states and by the length of invalid patterns, because clients choose the patterns. A state takes 80 to
 * 300 bytes.
 */
const cache = new WeightedCache<LinearPattern>({ maxSize: 1_000, maxWeight: 100_000 });
/** The cost of compiling a pattern, and of each of its states. */
const unitsPerPattern = 200;
const unitsPerState = 3;

/** A pattern of a schema, in RE2 syntax. A search takes time linear in the length of the text. */
export class LinearPattern {
  readonly #program: Expression | undefined;
  /** The units of a search per character of its text. Patterns with many states may visit all of them. */
  readonly #perCharacter: number;
  /** The pattern, with the reason if it is not valid. */
  readonly text: string;

  constructor(pattern: string) {
    const compiled = compile(pattern);
    this.#program = compiled.program;
    const states = compiled.program?.programSize() ?? 0;
    this.#perCharacter = 0.5 + states / 30 + states ** 2 / 15_000;
    this.text = compiled.problem === undefined ? pattern : `${pattern}, but pattern is invalid: ${compiled.problem}`;
  }

  /** Patterns repeat, and compiling one takes longer than most searches. */
  static of(pattern: string, run: ValidationRun): LinearPattern {
    let found = cache.get(pattern);
    if (found === undefined) {
      run.spend(unitsPerPattern + patternSize(pattern) * unitsPerState);
      found = new LinearPattern(pattern);
      cache.set(pattern, found, found.#program?.programSize() ?? pattern.length);
    }
    return found;
  }

  /** Whether any part of the text matches. */
  matches(text: string, run: ValidationRun): boolean {
    if (this.#program === undefined) return false;
    run.spend(text.length * this.#perCharacter);
    return this.#program.test(text);
  }
}

function compile(pattern: string): { readonly program?: Expression; readonly problem?: string } {
  // Loaded on demand: a server without custom resources needs no patterns.
  const { RE2JS, RE2JSException } = createRequire(import.meta.url)('re2js') as typeof import('re2js');
  try {
    return { program: RE2JS.compile(pattern) };
  } catch (error) {
    if (error instanceof RE2JSException) return { problem: error.message };
    throw error;
  }
}
