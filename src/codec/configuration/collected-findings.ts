import { type FieldError, fieldErrorText, typeInvalidValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { joinedErrors } from '../../meta/joined-errors.ts';
import type { Findings } from './configuration-fields.ts';

/** Collects the errors of a configuration, so that all are reported together. */
export class CollectedFindings implements Findings {
  /** Strict decoding errors, such as unknown fields. */
  readonly decoding: string[] = [];
  readonly errors: FieldError[] = [];

  add(error: FieldError): void {
    this.errors.push(error);
  }

  unknownField(path: string): void {
    this.decoding.push(`unknown field ${goQuote(path)}`);
  }

  wrongType(path: string, value: unknown, wanted: string): void {
    this.add(typeInvalidValue(path, value, `must be ${wanted}`));
  }

  /** Throws a RangeError with everything that was found. */
  check(): void {
    if (this.decoding.length > 0) throw new RangeError(`strict decoding error: ${this.decoding.join(', ')}`);
    if (this.errors.length > 0) throw new RangeError(joinedErrors(this.errors.map(fieldErrorText)));
  }
}
