import { isGoInteger } from './go-number.ts';

/** The JSON Schema type of a value. */
export function jsonType(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return isGoInteger(value) ? 'integer' : 'number';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
    default:
      return typeof value;
  }
}
