import { DecodeError } from '../../meta/decode-error.ts';
import type { Schema } from '../../schema/model.ts';
import { CborWriter } from './cbor-writer.ts';
import { encodingPlan } from './encoding-plan.ts';
import { majorTypes } from './major-types.ts';
import { countEntries, writeEntries, writeValue } from './write-value.ts';

const writer = new CborWriter();

/**
 * Encodes a complete response: one data item with the self-described CBOR tag. Strings are written as byte strings, and
 * undefined properties are omitted. With a schema, base64 text of byte fields is written as bytes, and float fields are
 * written as floats even when the value is whole. Throws `DecodeError` when the value is nested too deeply, because
 * such a value came from a client.
 */
export function encodeCbor(value: unknown, schema?: Schema): Buffer {
  writer.start();
  writer.selfDescribed();
  return written(value, schema);
}

/** Encodes a list element: like `encodeCbor`, but without the tag. */
export function encodeCborItem(value: unknown, schema?: Schema): Buffer {
  writer.start();
  return written(value, schema);
}

function written(value: unknown, schema: Schema | undefined): Buffer {
  try {
    writeValue(writer, value, schema === undefined ? undefined : encodingPlan(schema));
  } catch (error) {
    if (error instanceof RangeError && /call stack/.test(error.message)) {
      throw new DecodeError('exceeded max depth', { cause: error });
    }
    throw error;
  }
  return writer.finish();
}

/** Encodes a list up to its items, which are in `field`. The caller must append `count` items. */
export function cborListHead(value: object, field: string, count: number): Buffer {
  writer.start();
  writer.selfDescribed();
  const rest = { ...value, [field]: undefined };
  writer.head(majorTypes.map, countEntries(rest) + 1);
  writeEntries(writer, rest, undefined);
  writer.text(field);
  writer.head(majorTypes.array, count);
  return writer.finish();
}

/** Encodes one watch event of a CBOR sequence. `object` holds the bytes that `encodeCbor` returned for the object. */
export function cborWatchEvent(type: string, object: Buffer): Buffer {
  writer.start();
  writer.selfDescribed();
  writer.head(majorTypes.map, 2);
  writer.text('type');
  writer.text(type);
  writer.text('object');
  return Buffer.concat([writer.finish(), object]);
}
