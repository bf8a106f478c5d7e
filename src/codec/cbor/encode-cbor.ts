import { DecodeError } from '../../meta/decode-error.ts';
import type { Schema } from '../../schema/model.ts';
import { CborWriter } from './cbor-writer.ts';
import { encodingPlan } from './encoding-plan.ts';
import { majorTypes } from './major-types.ts';
import { countEntries, writeEntries, writeValue } from './write-value.ts';

const writer = new CborWriter();

/**
 * The whole of an answer: one data item with the tag that says that it is CBOR. Strings are written as byte strings, and
 * properties that are undefined are left out. With a schema, the base64 text of bytes becomes bytes, and its floats are
 * floats even when they are whole. A value that is nested too deep to be written came from a client: that is a
 * `DecodeError`.
 */
export function encodeCbor(value: unknown, schema?: Schema): Buffer {
  writer.start();
  writer.selfDescribed();
  return written(value, schema);
}

/** The same without the tag: an element of a list. */
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

/** A list up to its items, of which `count` have to follow. They stand in `field`. */
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

/** One entry of a sequence: an event around the bytes that `encodeCbor` made of its object. */
export function cborWatchEvent(type: string, object: Buffer): Buffer {
  writer.start();
  writer.selfDescribed();
  writer.head(majorTypes.map, 2);
  writer.text('type');
  writer.text(type);
  writer.text('object');
  return Buffer.concat([writer.finish(), object]);
}
