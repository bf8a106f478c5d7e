import { setEntry } from '../normalize/containers.ts';

const int64Bound = 2n ** 63n;

/**
 * Copies any JSON value with sorted keys. Integers beyond 64 bits become floating point numbers, as in Go, which does
 * not know the type of such a value.
 */
export function sortedValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value >= -int64Bound && value < int64Bound ? value : Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedValue);
  const source = value as Readonly<Record<string, unknown>>;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(source).sort()) setEntry(result, key, sortedValue(source[key]));
  return result;
}
