import { invalidValue, tooLong } from '../../meta/field-error.ts';
import { formatCheck } from './formats.ts';
import type { JsonSchema } from './json-schema.ts';
import { LinearPattern } from './linear-pattern.ts';
import { wrongType } from './type-check.ts';
import type { ValidationRun } from './validation-run.ts';

/** The constraints on strings. */
export class StringCheck {
  readonly #schema: JsonSchema;
  readonly #format: ReturnType<typeof formatCheck>;
  #pattern: LinearPattern | undefined;

  constructor(schema: JsonSchema) {
    this.#schema = schema;
    this.#format = schema.format ? formatCheck(schema.format) : undefined;
  }

  /** Returns the number of checks that were made, passed or failed. */
  check(value: string, run: ValidationRun): number {
    this.#checkText(value, run);
    if (this.#format === undefined) return 1;
    run.spend(value.length / 100);
    if (!this.#format(value)) run.add(() => wrongType(value, this.#schema.format ?? '', run));
    return 2;
  }

  /** Only the first error is reported. */
  #checkText(value: string, run: ValidationRun): void {
    const { maxLength, minLength, pattern } = this.#schema;
    if (maxLength !== undefined && value.length > maxLength && characters(value) > maxLength) {
      run.add(() => tooLong(run.field, maxLength));
      return;
    }
    if (minLength !== undefined && value.length < 2 * Number(minLength) && characters(value) < minLength) {
      run.add(() => invalidValue(run.field, value, `${run.name} in body should be at least ${minLength} chars long`));
      return;
    }
    if (pattern === undefined || pattern === '') return;
    this.#pattern ??= LinearPattern.of(pattern, run);
    const expression = this.#pattern;
    if (expression.matches(value, run)) return;
    run.add(() => invalidValue(run.field, value, `${run.name} in body should match '${expression.text}'`));
  }
}

/** The number of code points. */
function characters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    if (text.codePointAt(index)! > 0xffff) {
      count--;
      index++;
    }
  }
  return count;
}
