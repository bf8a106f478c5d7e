import { RE2JS, RE2JSException } from 're2js';
import type { ValidationRun } from './validation-run.ts';

const maxKept = 1_000;
const cache = new Map<string, LinearPattern>();
/** Steps of a search that cost as much as visiting one value. */
const stepsPerUnit = 20;

/** A pattern of a schema, in RE2 syntax. A search takes time linear in the length of the text. */
export class LinearPattern {
  readonly #program: RE2JS | undefined;
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
  static of(pattern: string): LinearPattern {
    let found = cache.get(pattern);
    if (found === undefined) {
      found = new LinearPattern(pattern);
      if (cache.size >= maxKept) cache.clear();
      cache.set(pattern, found);
    }
    return found;
  }

  /** Whether any part of the text matches. */
  matches(text: string, run: ValidationRun): boolean {
    if (this.#program === undefined) return false;
    run.spend(1 + (text.length * Math.min(this.#size, 1_000)) / stepsPerUnit / 50);
    return this.#program.test(text);
  }
}

function compile(pattern: string): { readonly program?: RE2JS; readonly problem?: string } {
  try {
    return { program: RE2JS.compile(pattern) };
  } catch (error) {
    if (error instanceof RE2JSException) return { problem: error.message };
    throw error;
  }
}
