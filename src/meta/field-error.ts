import { goQuote } from './go-quote.ts';

export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueNotFound'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'InternalError';

/** One finding of a validation: where, what kind, and the text that follows the path in messages. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Names joined by `.`, indexes and map keys in brackets: `spec.containers[0].name`, `data[a key]`. */
  readonly field: string;
  readonly message: string;
}

const withDetail = (head: string, detail: string): string => (detail === '' ? head : `${head}: ${detail}`);

/** Strings quoted, numbers and booleans plain, everything else as compact JSON. */
function printed(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  return value === undefined ? 'null' : JSON.stringify(value);
}

export function requiredValue(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail(`Invalid value: ${printed(value)}`, detail) };
}

export function notSupportedValue(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: withDetail(`Unsupported value: ${printed(value)}`, detail),
  };
}

export function forbiddenValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: `Forbidden: ${detail}` };
}

export function tooLong(field: string, maximum: number): FieldError {
  const unit = maximum === 1 ? 'byte' : 'bytes';
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${maximum} ${unit}` };
}

/** The whole text of one finding. */
export function fieldErrorText({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}
