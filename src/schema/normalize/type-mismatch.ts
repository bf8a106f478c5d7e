import { DecodeError } from '../../meta/decode-error.ts';

/** A value of the wrong JSON type. The path is added later, because the fast pass does not track it. */
export class TypeMismatch extends DecodeError {
  /** The JSON value in Go's wording: `string`, `object`, `number 1.5`. */
  readonly found: string;
  readonly goType: string;

  constructor(found: string, goType: string) {
    super(`json: cannot unmarshal ${found} into Go value of type ${goType}`);
    this.name = 'TypeMismatch';
    this.found = found;
    this.goType = goType;
  }
}

export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'number';
    default:
      return 'object';
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
