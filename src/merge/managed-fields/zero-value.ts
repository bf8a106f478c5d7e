import { setMember } from '../../meta/json-object.ts';
import type { StructShape } from './shape.ts';

const zeros = new WeakMap<StructShape, Record<string, unknown>>();

/**
 * Returns the value of an object for which nothing is specified: the fields that are always written. Callers must not
 * modify the result.
 */
export function zeroValue(shape: StructShape): Record<string, unknown> {
  let zero = zeros.get(shape);
  if (zero === undefined) {
    zero = {};
    for (const [name, { shape: field, absent }] of shape.fields) {
      if (absent.writes === 'constant') setMember(zero, name, absent.value);
      else if (absent.writes === 'emptyStruct') setMember(zero, name, field.type === 'struct' ? zeroValue(field) : {});
    }
    zeros.set(shape, zero);
  }
  return zero;
}
