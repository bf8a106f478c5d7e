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
  | 'InternalError';

/** One validation error: the field, the reason, and the text that follows the field path in messages. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** Field names joined by `.`, with indexes and map keys in brackets: `spec.containers[0].name`, `data[a key]`. */
  readonly field: string;
  readonly message: string;
}

const withDetail = (head: string, detail: string): string => (detail === '' ? head : `${head}: ${detail}`);

/** The maximum length of a value in an error. An error contains the value twice, and a value may have megabytes. */
const maxPrinted = 65_536;

/** Formats strings in quotes, numbers and booleans plainly, and everything else as compact JSON. */
function printed(value: unknown): string {
  if (typeof value === 'string') return goQuote(shortened(value));
  if (value === undefined) return 'null';
  try {
    return shortened(JSON.stringify(value, withLongNumbers)).replace(/[<>&\u2028\u2029]/g, escaped);
  } catch (error) {
    // The value is nested too deeply for JSON.stringify.
    if (error instanceof RangeError) return '{...}';
    throw error;
  }
}

function shortened(text: string): string {
  return text.length > maxPrinted ? `${text.slice(0, maxPrinted)}...` : text;
}

/** TypeScript's library does not declare `JSON.rawJSON` yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

/** Prints integers beyond the safe range of a JavaScript number with all their digits. */
export function withLongNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value;
}

/** Escapes the same characters as Go does, so that the text is safe inside HTML. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
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

export function tooLong(field: string, maxBytes: number): FieldError {
  const unit = maxBytes === 1 ? 'byte' : 'bytes';
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${maxBytes} ${unit}` };
}

export function tooMany(field: string, actual: number, maxItems: number): FieldError {
  const detail = `must have at most ${maxItems} ${maxItems === 1 ? 'item' : 'items'}`;
  return { reason: 'FieldValueTooMany', field, message: `Too many: ${actual}: ${detail}` };
}

export function duplicateValue(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${printed(value)}` };
}

export function notFoundValue(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${printed(value)}` };
}

/** Has the same text as `invalidValue` but another reason. */
export function typeInvalidValue(field: string, value: unknown, detail: string): FieldError {
  return { ...invalidValue(field, value, detail), reason: 'FieldValueTypeInvalid' };
}

export function internalFieldError(field: string, detail: string): FieldError {
  return { reason: 'InternalError', field, message: `Internal error: ${detail}` };
}

/** Returns the field path and the message as one text. */
export function fieldErrorText({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}
