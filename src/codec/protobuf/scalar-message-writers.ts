import { DecodeError } from '../../meta/decode-error.ts';
import { parseDuration } from '../../meta/duration.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { encodeJson, fieldSetText } from '../json/index.ts';
import type { WireWriter } from './wire-writer.ts';

// Types that are one value in JSON but a message in protobuf. Each function writes the whole message. Numbers and text
// are written even when zero; the raw bytes field is omitted when empty.

/** Tags by field number and wire type. */
const number1 = 0x08;
const number2 = 0x10;
const bytes1 = 0x0a;
const bytes3 = 0x1a;

const nanosPerMicro = 1_000;
/** The index of the fractional digits in a time with microseconds. */
const decimals = 20;

/** The zero time is an empty message. */
export function writeTime(writer: WireWriter, value: unknown, tag: number): void {
  const before = writer.size;
  if (value !== null && value !== undefined) writeTimestamp(writer, secondsOf(value as string), 0);
  writer.close(before, tag);
}

export function writeMicroTime(writer: WireWriter, value: unknown, tag: number): void {
  const before = writer.size;
  if (value !== null && value !== undefined) {
    const text = value as string;
    const micros = Number(text.slice(decimals, decimals + 6));
    writeTimestamp(writer, secondsOf(text), micros * nanosPerMicro);
  }
  writer.close(before, tag);
}

function writeTimestamp(writer: WireWriter, seconds: number, nanos: number): void {
  writer.int32(nanos);
  writer.varint(number2);
  writer.int64(seconds);
  writer.varint(number1);
}

function secondsOf(text: string): number {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw new DecodeError(`parsing time ${goQuote(text)}`);
  return Math.floor(milliseconds / 1_000);
}

export function writeDuration(writer: WireWriter, value: unknown, tag: number): void {
  const before = writer.size;
  writer.int64(parseDuration((value ?? '0s') as string));
  writer.varint(number1);
  writer.close(before, tag);
}

export function writeQuantity(writer: WireWriter, value: unknown, tag: number): void {
  const before = writer.size;
  writer.text((value ?? '0') as string, bytes1);
  writer.close(before, tag);
}

export function writeIntOrString(writer: WireWriter, value: unknown, tag: number): void {
  const before = writer.size;
  const isText = typeof value === 'string';
  writer.text(isText ? value : '', bytes3);
  writer.int32(isText ? 0 : ((value ?? 0) as number));
  writer.varint(number2);
  writer.varint(isText ? 1 : 0);
  writer.varint(number1);
  writer.close(before, tag);
}

/** For types whose message holds JSON text. Encoded bytes are written unchanged. */
export function writeJson(writer: WireWriter, value: unknown, tag: number): void {
  const before = writer.size;
  if (value instanceof Uint8Array) {
    writer.raw(value);
    writer.close(before, bytes1);
  } else if (value !== null && value !== undefined) {
    writer.text(encodeJson(value), bytes1);
  }
  writer.close(before, tag);
}

/** Field sets in objects are never modified, so that each of them is encoded to JSON only once. */
export function writeFieldSet(writer: WireWriter, value: unknown, tag: number): void {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) {
    writeJson(writer, value, tag);
    return;
  }
  const before = writer.size;
  writer.text(fieldSetText(value), bytes1);
  writer.close(before, tag);
}
