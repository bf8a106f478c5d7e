import type { ScalarKind } from '../../schema/model.ts';
import {
  writeDuration,
  writeFieldSet,
  writeIntOrString,
  writeJson,
  writeMicroTime,
  writeQuantity,
  writeTime,
} from './scalar-message-writers.ts';
import type { ValueWriter } from './value-writer.ts';
import { wireTypes } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

const { varint, fixed64, lengthDelimited } = wireTypes;

// One function per scalar kind, shared by all fields. Objects are in canonical form, so the values have these types.

export const scalarWriters: Readonly<Record<ScalarKind, ValueWriter>> = {
  string: { wireType: lengthDelimited, write: writeText },
  bool: { wireType: varint, write: writeBool },
  int32: { wireType: varint, write: writeInt32 },
  int64: { wireType: varint, write: writeInt64 },
  uint32: { wireType: varint, write: writeUint32 },
  float64: { wireType: fixed64, write: writeFloat64 },
  bytes: { wireType: lengthDelimited, write: writeBytes },
  time: { wireType: lengthDelimited, write: writeTime },
  microTime: { wireType: lengthDelimited, write: writeMicroTime },
  duration: { wireType: lengthDelimited, write: writeDuration },
  quantity: { wireType: lengthDelimited, write: writeQuantity },
  intOrString: { wireType: lengthDelimited, write: writeIntOrString },
  rawExtension: { wireType: lengthDelimited, write: writeJson },
  fieldsV1: { wireType: lengthDelimited, write: writeFieldSet },
  json: { wireType: lengthDelimited, write: writeJson },
};

function writeText(writer: WireWriter, value: unknown, tag: number): void {
  writer.text((value ?? '') as string, tag);
}

function writeBool(writer: WireWriter, value: unknown, tag: number): void {
  writer.varint(value === true ? 1 : 0);
  writer.varint(tag);
}

function writeInt32(writer: WireWriter, value: unknown, tag: number): void {
  writer.int32((value ?? 0) as number);
  writer.varint(tag);
}

function writeInt64(writer: WireWriter, value: unknown, tag: number): void {
  writer.int64((value ?? 0) as number | bigint);
  writer.varint(tag);
}

function writeUint32(writer: WireWriter, value: unknown, tag: number): void {
  writer.varint((value ?? 0) as number);
  writer.varint(tag);
}

function writeFloat64(writer: WireWriter, value: unknown, tag: number): void {
  writer.float64((value ?? 0) as number);
  writer.varint(tag);
}

function writeBytes(writer: WireWriter, value: unknown, tag: number): void {
  writer.base64((value ?? '') as string, tag);
}
