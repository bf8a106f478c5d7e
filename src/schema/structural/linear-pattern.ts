import { createRequire } from 'node:module';
import type { RE2JS as Expression } from 're2js';
import type { ValidationRun } from './validation-run.ts';

const maxKept = 1_000;
const cache = new Map<string, LinearPattern>();
/** Steps of a search that cost as much as visiting one value. Most searches visit few states per character. */
const stepsPerUnit = 100;
/** What compiling a state costs. */
const unitsPerState = 60;
/** A pattern that may have more states is not compiled. Practical ones have a few hundred. */
const maxSize = 100_000;

/** A pattern of a schema, in RE2 syntax. A search takes time linear in the length of the text. */
export class LinearPattern {
  readonly #program: Expression | undefined;
  readonly #size: number;
  /** The pattern, with the reason if it is not valid. */
  readonly text: string;

  constructor(pattern: string) {
    const compiled = compile(pattern);
    this.#program = compiled.program;
    this.#size = compiled.program?.programSize() ?? 0;
    this.text = compiled.problem === undefined ? pattern : `${pattern}, but pattern is invalid: ${compiled.problem}`;
  }

  /** Patterns repeat, and compiling one takes longer than most searches. */
  static of(pattern: string, run: ValidationRun): LinearPattern {
    let found = cache.get(pattern);
    if (found === undefined) {
      if (largestSize(pattern) > maxSize) run.spend(Number.POSITIVE_INFINITY);
      found = new LinearPattern(pattern);
      run.spend(found.#size * unitsPerState);
      if (cache.size >= maxKept) cache.clear();
      cache.set(pattern, found);
    }
    return found;
  }

  /** Whether any part of the text matches. */
  matches(text: string, run: ValidationRun): boolean {
    if (this.#program === undefined) return false;
    run.spend((text.length * this.#size) / stepsPerUnit);
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

/** Roughly how many states a pattern can have: repetitions repeat the states of what they follow. */
function largestSize(pattern: string): number {
  let repeats = 1;
  for (const [, low = '0', high = '0'] of pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)) {
    repeats = Math.max(repeats, Number(low), Number(high));
  }
  return pattern.length * repeats;
}
