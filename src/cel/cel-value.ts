import { CelError } from './cel-error.ts';

const maxDepth = 200;
const minInt = -(2 ** 63);
const maxInt = 2 ** 63;

/**
 * Converts a JSON value for expressions: integers become ints, objects become maps with arbitrary keys. The result
 * shares nothing with the input.
 */
export function celValue(json: unknown, depth = 0): unknown {
  if (typeof json === 'number') {
    return Number.isInteger(json) && json >= minInt && json < maxInt ? BigInt(json) : json;
  }
  if (typeof json !== 'object' || json === null) return json;
  if (depth > maxDepth) throw new CelError(`value is nested deeper than ${maxDepth} levels`);
  if (Array.isArray(json)) return json.map((item) => celValue(item, depth + 1));
  const map = new Map<string, unknown>();
  for (const key of Object.keys(json)) {
    const value = (json as Record<string, unknown>)[key];
    if (value !== undefined) map.set(key, celValue(value, depth + 1));
  }
  return map;
}

/** Whether two expression values are equal. Numbers compare by value across types. */
export function celEquals(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const a = plainNumber(left);
  const b = plainNumber(right);
  if (isNumber(a) && isNumber(b)) {
    // biome-ignore lint/suspicious/noDoubleEquals: an int and a double may be the same number.
    return a == b;
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime();
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => celEquals(item, right[index]));
  }
  const leftMap = entriesOf(left);
  const rightMap = entriesOf(right);
  if (leftMap === undefined || rightMap === undefined || leftMap.size !== rightMap.size) return false;
  for (const [key, value] of leftMap) {
    if (!rightMap.has(key) || !celEquals(value, rightMap.get(key))) return false;
  }
  return true;
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';

/** Unsigned ints are represented as objects. */
function plainNumber(value: unknown): unknown {
  return typeof value === 'object' && value !== null && typeof value.valueOf() === 'bigint' ? value.valueOf() : value;
}

function entriesOf(value: object): Map<unknown, unknown> | undefined {
  if (value instanceof Map) return value;
  return Object.getPrototypeOf(value) === Object.prototype ? new Map(Object.entries(value)) : undefined;
}
