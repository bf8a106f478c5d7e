import { CelError } from '../cel-error.ts';
import { shownText } from './shown-text.ts';
import { ListValue, MapValue, Optional, typeNameOf, Uint } from './values.ts';

/** The value of a key or index. Undefined when there is none. Selecting from an optional gives an optional. */
export function findEntry(operand: unknown, key: unknown): unknown {
  if (operand instanceof MapValue) return operand.find(key);
  if (operand instanceof ListValue) {
    const index = indexOf(key);
    return index >= 0 && index < operand.length ? operand.get(index) : undefined;
  }
  return operand instanceof Optional ? optionalEntry(operand, key) : undefined;
}

/** Like `findEntry`, but throws when the key or index does not exist. */
export function getEntry(operand: unknown, key: unknown): unknown {
  const value = findEntry(operand, key);
  if (value !== undefined) return value;
  throw new CelError(
    operand instanceof ListValue ? `index out of bounds: ${shownText(key)}` : `no such key: ${shownText(key)}`,
  );
}

export function optionalEntry(operand: unknown, key: unknown): Optional {
  const container = operand instanceof Optional ? operand.value : operand;
  const value = container === undefined ? undefined : findEntry(container, key);
  if (value === undefined) return Optional.none;
  return new Optional(value);
}

export function hasEntry(operand: unknown, key: unknown): boolean {
  const value = findEntry(operand, key);
  return value instanceof Optional && operand instanceof Optional ? value.value !== undefined : value !== undefined;
}

function indexOf(key: unknown): number {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof Uint) return Number(key.value);
  if (typeof key === 'number') {
    if (Number.isInteger(key)) return key;
    throw new CelError(`unsupported index value ${shownText(key)} in list`);
  }
  throw new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
}
