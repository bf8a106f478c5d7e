import { encodeJson } from '../codec/json/index.ts';
import { DecodeError } from '../meta/decode-error.ts';
import { goNumber } from '../meta/go-number.ts';
import { since } from '../meta/human-duration.ts';
import type { Cell, ColumnDefinition } from '../meta/table-columns.ts';
import { canonicalTime } from '../meta/time.ts';

interface CellOptions {
  readonly type: ColumnDefinition['type'];
  /** The current time in milliseconds, for ages. */
  readonly now: number;
}

const int64Minimum = -(2n ** 63n);

/**
 * Returns the cell for the value at a column's path, which is undefined where there is none. A value that does not have
 * the type of the column gives null, except that a column of strings shows any value.
 */
export function customCell(value: unknown, { type, now }: CellOptions): Cell {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return text(value);
    case 'integer':
      return integer(value);
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? age(value, now) : null;
  }
}

function text(value: unknown): string | null {
  if (typeof value === 'number') return goNumber(value);
  if (value === null) return '<no value>';
  if (typeof value !== 'object') return String(value);
  try {
    // The keys of a custom object are sorted.
    return encodeJson(value);
  } catch (error) {
    if (error instanceof DecodeError) return null;
    throw error;
  }
}

/**
 * Fractions are truncated. A number that is too large becomes the smallest one, as on the processors of Go's servers.
 */
function integer(value: unknown): number | bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number') return null;
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : int64Minimum;
}

function age(time: string, now: number): string {
  // As in Kubernetes, the text `null` is a time that is not set.
  if (time === '' || time === 'null') return since(undefined, now);
  try {
    return since(canonicalTime(time), now);
  } catch (error) {
    if (error instanceof DecodeError) return '<invalid>';
    throw error;
  }
}
