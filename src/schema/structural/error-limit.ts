import type { FieldError } from '../../meta/field-error.ts';

/** The maximum number of errors in one part of an object. */
export const maxErrors = 1_000;
/** The approximate maximum length of the messages of all errors. */
export const maxText = 1_000_000;

/**
 * Checks whether enough errors were found: errors may contain long values, and one value may have thousands of errors.
 */
export class ErrorLimit {
  #count = 0;
  #textLength = 0;

  get isReached(): boolean {
    return this.#count >= maxErrors || this.#textLength > maxText;
  }

  count({ message }: FieldError): void {
    this.#count++;
    this.#textLength += message.length;
  }
}
