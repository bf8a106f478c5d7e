import { goFloat } from '../../meta/go-number.ts';
import { typeNameOf, Uint } from './values.ts';

/** A value as messages show it: simple values by their text, others by their type. */
export function shownText(value: unknown): string {
  if (typeof value === 'number') return goFloat(value);
  if (value instanceof Uint) return String(value.value);
  return typeof value === 'object' && value !== null ? typeNameOf(value) : String(value);
}
