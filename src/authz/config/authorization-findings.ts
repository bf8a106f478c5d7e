import type { ConfigurationFields, Findings } from '../../codec/configuration/index.ts';
import { type FieldError, typeInvalidValue } from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';

export type AuthorizationFields = ConfigurationFields<AuthorizationFindings>;

/** Collects the errors of a configuration, so that all are reported together. */
export class AuthorizationFindings implements Findings {
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
}
