import { invalidValue, tooLong, typeInvalidValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { formatCheck } from './formats.ts';
import type { JsonSchema } from './json-schema.ts';
import { LinearPattern } from './linear-pattern.ts';
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

  /** Returns the number of checks that were made, whatever their result. */
  check(value: string, run: ValidationRun): number {
    this.#checkText(value, run);
    if (this.#format === undefined) return 1;
    run.spend(value.length / 100);
    if (!this.#format(value)) {
      const text = `${run.name} in body must be of type ${this.#schema.format}: ${goQuote(value)}`;
      run.add(typeInvalidValue(run.field, value, text));
    }
    return 2;
  }

  /** Only the first error is reported. */
  #checkText(value: string, run: ValidationRun): void {
    const { maxLength, minLength, pattern } = this.#schema;
    if (maxLength !== undefined && value.length > maxLength && [...value].length > maxLength) {
      run.add(tooLong(run.field, maxLength));
      return;
    }
    if (minLength !== undefined && [...value.slice(0, 2 * minLength)].length < minLength) {
      run.add(invalidValue(run.field, value, `${run.name} in body should be at least ${minLength} chars long`));
      return;
    }
    if (pattern === undefined || pattern === '') return;
    this.#pattern ??= LinearPattern.of(pattern);
    if (this.#pattern.matches(value, run)) return;
    run.add(invalidValue(run.field, value, `${run.name} in body should match '${this.#pattern.text}'`));
  }
}
