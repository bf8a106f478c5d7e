import { setMember } from '../json-object.ts';
import type { StructShape } from './shape.ts';

const zeros = new WeakMap<StructShape, Record<string, unknown>>();

/** What an object has of which nothing was said: the parts that are always written. Nobody changes the result. */
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
