import { goNumber, isGoInteger } from './go-number.ts';

/** Formats a value as Go's `%v` does: `map[a:1 b:[x y]]`. Error messages about untyped objects show values this way. */
export function goPrint(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[${members.map(([key, member]) => `${key}:${goPrint(member)}`).join(' ')}]`;
}

/** Returns the Go type that holds a JSON value, as Go's `%T` prints it. */
export function goType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'object':
      return 'map[string]interface {}';
    case 'number':
      return isGoInteger(value) ? 'int64' : 'float64';
    case 'bigint':
      return 'int64';
    case 'boolean':
      return 'bool';
    default:
      return typeof value;
  }
}

/** Returns the name of the JSON type that Go's JSON decoder uses in its error messages. */
export function jsonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'number';
    default:
      return typeof value;
  }
}
