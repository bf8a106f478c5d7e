import type { CborWriter } from './cbor-writer.ts';
import type { EncodingPlan } from './encoding-plan.ts';
import { majorTypes, primitives } from './major-types.ts';

const int64Bound = 2 ** 63;

/** Writes any JSON value, and bigints in the range of an int64. */
export function writeValue(writer: CborWriter, value: unknown, plan: EncodingPlan | undefined): void {
  switch (typeof value) {
    case 'string':
      if (plan?.type === 'bytes') writer.base64(value);
      else writer.text(value);
      break;
    case 'number':
      if (plan?.type === 'float') writer.float(value);
      else writeNumber(writer, value);
      break;
    case 'boolean':
      writer.primitive(value ? primitives.true : primitives.false);
      break;
    case 'bigint':
      writer.bigInteger(value);
      break;
    case 'object':
      writeObject(writer, value, plan?.type === 'struct' && plan.isUntagged ? plan.untagged(value) : plan);
      break;
    default:
      // Same as JSON. Only list elements can be undefined here.
      writer.primitive(primitives.null);
  }
}

/** Writes an integer wherever JSON would. */
function writeNumber(writer: CborWriter, value: number): void {
  if (Object.is(value, -0)) writer.float(value);
  else if (Number.isSafeInteger(value)) writer.integer(value);
  else if (Number.isInteger(value) && Math.abs(value) < int64Bound) writer.bigInteger(BigInt(String(value)));
  else writer.float(value);
}

function writeObject(writer: CborWriter, value: object | null, plan: EncodingPlan | undefined): void {
  if (value === null) {
    writer.primitive(primitives.null);
  } else if (Array.isArray(value)) {
    const element = plan?.type === 'elements' ? plan.element : undefined;
    writer.head(majorTypes.array, value.length);
    for (const item of value) writeValue(writer, item, element);
  } else {
    writer.head(majorTypes.map, countEntries(value as Record<string, unknown>));
    writeEntries(writer, value as Record<string, unknown>, plan);
  }
}

/** Undefined properties are not counted. */
export function countEntries(object: Readonly<Record<string, unknown>>): number {
  let count = 0;
  for (const key in object) if (object[key] !== undefined) count++;
  return count;
}

/** Writes the keys and values of a map whose head has been written. */
export function writeEntries(
  writer: CborWriter,
  object: Readonly<Record<string, unknown>>,
  plan: EncodingPlan | undefined,
): void {
  const element = plan?.type === 'elements' ? plan.element : undefined;
  const fields = plan?.type === 'struct' ? plan.fields : undefined;
  for (const key in object) {
    const value = object[key];
    if (value === undefined) continue;
    writer.text(key);
    writeValue(writer, value, fields === undefined ? element : fields.get(key));
  }
}
