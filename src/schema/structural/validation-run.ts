import { type FieldError, invalidValue } from '../../meta/field-error.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import { maxErrors, maxText } from './error-limit.ts';

/** Represents an old value that does not exist or cannot be correlated with the new one. */
export const uncorrelated: unique symbol = Symbol('uncorrelated');

/** The compiled form of a schema. */
export interface ValueCheck {
  /**
   * Adds the errors of a value to the run. `old` is the value before the update or `uncorrelated`. Returns how many
   * checks matched, by which the most fitting alternative of a schema is chosen.
   */
  check(value: unknown, old: unknown, run: ValidationRun): number;
  /** Like `check`, but can be interrupted between the items and fields of the value. */
  checkSteps(value: unknown, old: unknown, run: ValidationRun): Steps<number>;
}

/** Far above practical needs: even large objects have some thousand values. It takes about half a second, in slices. */
const maxCost = 2_500_000;
/**
 * The maximum cost of work that cannot be interrupted: the alternatives and the pattern of one value. It takes about 30
 * ms.
 */
const maxStretch = 150_000;
/** Values up to this cost are validated at once, because steps cost more than the checks of a small object. */
const maxSmall = 20_000;
/** The number of characters of an error that take as long as visiting one value. */
const charactersPerUnit = 10;
/** The clock is read after this much work. */
const checkInterval = 200;

/** Created once, because a stack trace takes longer than most validations. */
const tooExpensive = new Error('the validation takes too long');

/** The work of one or more validations with a common limit. */
export interface ValidationWork {
  units: number;
}

export const isSpent = ({ units }: ValidationWork): boolean => units > maxCost;

interface RunOptions {
  readonly value: unknown;
  readonly old: unknown;
  readonly path: string;
  readonly work?: ValidationWork | undefined;
}

/**
 * Bounds the work of a validation, because schemas and values can be large at the same time, and values can be nested
 * deeply. Stopping leaves no inconsistent state.
 */
export function* boundedErrors(path: string, steps: Steps<FieldError[]>): Steps<FieldError[]> {
  try {
    return yield* steps;
  } catch (error) {
    const isTooDeep = error instanceof RangeError && /call stack/.test(error.message);
    if (!isTooDeep && error !== tooExpensive) throw error;
    return [invalidValue(path === '' ? '<nil>' : path, '', 'the value is too large to be validated by its schema')];
  }
}

/** The state of one validation: the current location and the errors found so far. */
export class ValidationRun {
  /** The path of the root value; empty for a whole object. */
  readonly #base: string;
  /** The names and indexes that lead to the current value. */
  readonly #segments: (string | number)[] = [];
  readonly #work: ValidationWork;
  readonly #maxStretch: number;
  /** The work before the last point at which the validation could be interrupted. */
  #interruptible: number;
  /** The work before the clock was last read. */
  #looked: number;
  /** Beyond `maxText`, an error is kept only if it is the only one. */
  #textLength = 0;
  readonly errors: FieldError[] = [];
  /** The number of errors, including those that are not kept. */
  count = 0;
  /** While alternatives are tried, errors are only counted. */
  #quiet = false;

  constructor(base: string, { work = { units: 0 }, stretch }: { work?: ValidationWork | undefined; stretch: number }) {
    this.#base = base;
    this.#work = work;
    this.#maxStretch = stretch;
    this.#interruptible = work.units;
    this.#looked = work.units;
  }

  /** Validates a value. */
  static of(check: ValueCheck, options: RunOptions): Steps<FieldError[]> {
    return boundedErrors(options.path, ValidationRun.#errors(check, options));
  }

  static *#errors(check: ValueCheck, { value, old, path, work }: RunOptions): Steps<FieldError[]> {
    let run = new ValidationRun(path, { work, stretch: maxSmall });
    try {
      check.check(value, old, run);
    } catch (error) {
      if (error !== tooExpensive) throw error;
      run = new ValidationRun(path, { work, stretch: maxStretch });
      if (isTurnOver()) yield;
      yield* check.checkSteps(value, old, run);
    }
    return run.errors.length < 2 ? run.errors : distinct(run.errors);
  }

  /** Counts work. A unit is about the cost of visiting one value. */
  spend(units: number): void {
    const sum = this.#work.units + units;
    this.#work.units = sum;
    if (sum > maxCost || sum - this.#interruptible > this.#maxStretch) throw tooExpensive;
  }

  /** Called where the validation can be interrupted. Returns whether it must be. */
  isTurnOver(): boolean {
    const { units } = this.#work;
    this.#interruptible = units;
    if (units - this.#looked < checkInterval) return false;
    this.#looked = units;
    return isTurnOver();
  }

  push(segment: string | number): void {
    this.#segments.push(segment);
  }

  pop(): void {
    this.#segments.pop();
  }

  get isRoot(): boolean {
    return this.#segments.length === 0;
  }

  add(error: () => FieldError): void {
    this.count++;
    if (this.#quiet || this.errors.length >= (this.#textLength > maxText ? 1 : maxErrors)) return;
    const added = error();
    this.#textLength += added.message.length;
    this.errors.push(added);
    // Creating the text of an error may take longer than all checks.
    this.spend(added.message.length / charactersPerUnit);
  }

  /** Tries an alternative. Its errors are not added. */
  attempt(check: ValueCheck, value: unknown): { readonly valid: boolean; readonly matches: number } {
    const { count } = this;
    const quiet = this.#quiet;
    this.#quiet = true;
    const matches = check.check(value, uncorrelated, this);
    const valid = this.count === count;
    this.count = count;
    this.#quiet = quiet;
    return { valid, matches };
  }

  /** The path of the current value inside the root value, as messages show it: `spec.list[0].name`. */
  get name(): string {
    let name = '';
    for (const segment of this.#segments) {
      if (typeof segment === 'number') name += `[${segment}]`;
      else name += name === '' ? segment : `.${segment}`;
    }
    return name;
  }

  /** The field of an error in the current value. */
  get field(): string {
    const { name } = this;
    if (name === '') return this.general;
    const trimmed = name.startsWith('.') ? name.slice(1) : name;
    return this.#base === '' ? trimmed : `${this.#base}.${trimmed}`;
  }

  /** The field of errors that name their location only in their message. */
  get general(): string {
    return this.#base === '' ? '<nil>' : this.#base;
  }
}

function distinct(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field}\n${error.message}`, error])).values()];
}
