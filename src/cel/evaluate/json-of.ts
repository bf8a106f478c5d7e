import { CelError } from '../cel-error.ts';
import { CelMessage } from './adopt-json.ts';
import { durationText, timestampText } from './texts.ts';
import { Duration, Timestamp, TypeValue, typeNameOf, Uint } from './values.ts';

/** Makes JSON of the plain data of an evaluation. Throws a `CelError` when a value has no form in JSON. */
export function jsonOf(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return integer(value);
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new CelError(`${value} has no form in JSON`);
    case 'object':
      return value === null ? null : structured(value);
    default:
      return value;
  }
}

function structured(value: object): unknown {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof CelMessage) return members(value.fields);
  if (value instanceof Map) return members(value);
  if (value instanceof Uint) return integer(value.value);
  if (value instanceof Timestamp) return timestampText(value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof TypeValue) return value.name;
  throw new CelError(`unsupported type conversion from '${typeNameOf(value)}' to JSON`);
}

function members(entries: ReadonlyMap<unknown, unknown>): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    if (typeof key !== 'string')
      throw new CelError(`map key '${String(key)}' is of type ${typeNameOf(key)}, not string`);
    // Assigning to `__proto__` would not make a member.
    Object.defineProperty(object, key, { value: jsonOf(value), enumerable: true, writable: true, configurable: true });
  }
  return object;
}

/** Integers that a double cannot hold stay bigints, as in decoded documents. */
function integer(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
