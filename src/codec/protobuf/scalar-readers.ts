import { DecodeError } from '../../meta/decode-error.ts';
import type { ScalarKind } from '../../schema/model.ts';
import { readDuration, readIntOrString, readJson, readMicroTime, readQuantity, readTime } from './scalar-messages.ts';
import type { ValueReader } from './value-reader.ts';
import { type WireReader, wireTypes } from './wire-reader.ts';

const { varint, fixed64, lengthDelimited } = wireTypes;

export const scalarReaders: Readonly<Record<ScalarKind, ValueReader>> = {
  string: { wireType: lengthDelimited, read: (reader) => reader.text() },
  bool: { wireType: varint, read: (reader) => reader.bool() },
  int32: { wireType: varint, read: (reader) => reader.int32() },
  int64: { wireType: varint, read: (reader) => reader.int64() },
  uint32: { wireType: varint, read: (reader) => reader.uint32() },
  float64: { wireType: fixed64, read: readFloat },
  bytes: { wireType: lengthDelimited, read: (reader) => reader.bytes().toString('base64') },
  time: { wireType: lengthDelimited, read: readTime },
  microTime: { wireType: lengthDelimited, read: readMicroTime },
  duration: { wireType: lengthDelimited, read: readDuration },
  quantity: { wireType: lengthDelimited, read: readQuantity },
  intOrString: { wireType: lengthDelimited, read: readIntOrString },
  rawExtension: { wireType: lengthDelimited, read: readJson },
  fieldsV1: { wireType: lengthDelimited, read: readJson },
  json: { wireType: lengthDelimited, read: readJson },
};

/** Rejects NaN and infinities, which JSON cannot represent. */
function readFloat(reader: WireReader): number {
  const value = reader.float64();
  if (!Number.isFinite(value)) throw new DecodeError(`json: unsupported value: ${value}`);
  return value;
}
