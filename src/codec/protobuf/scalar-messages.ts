import { DecodeError } from '../../meta/decode-error.ts';
import { formatDuration } from '../../meta/duration.ts';
import { decodeJson } from '../json/index.ts';
import { type WireReader, wireTypes } from './wire-reader.ts';

// Types that are one value in JSON but a message in protobuf. Each function reads the whole message.

const { varint, lengthDelimited } = wireTypes;

/** Reads whole seconds only, because the JSON representation has no fraction. */
export function readTime(reader: WireReader): string | null {
  const time = readTimestamp(reader, 'Time');
  return time === null ? null : secondsText(time.seconds);
}

export function readMicroTime(reader: WireReader): string | null {
  const time = readTimestamp(reader, 'MicroTime');
  return time === null ? null : microsText(time.seconds, time.nanos);
}

/** Returns null for the zero time, which is an empty message. The zero seconds of 1970 are explicit on the wire. */
function readTimestamp(reader: WireReader, message: string): { seconds: number | bigint; nanos: number } | null {
  const outerEnd = reader.enter();
  const isZero = reader.atEnd;
  let seconds: number | bigint = 0;
  let nanos = 0;
  while (reader.next(message)) {
    if (reader.field === 1) {
      reader.expect(varint, 'seconds');
      seconds = reader.int64();
    } else if (reader.field === 2) {
      reader.expect(varint, 'nanos');
      nanos = reader.int32();
    } else {
      reader.skip();
    }
  }
  reader.leave(outerEnd);
  return isZero ? null : { seconds, nanos };
}

export function readDuration(reader: WireReader): string {
  const outerEnd = reader.enter();
  let nanoseconds = 0n;
  while (reader.next('Duration')) {
    if (reader.field === 1) {
      reader.expect(varint, 'duration');
      nanoseconds = BigInt(reader.int64());
    } else {
      reader.skip();
    }
  }
  reader.leave(outerEnd);
  return formatDuration(nanoseconds);
}

export function readQuantity(reader: WireReader): string {
  const outerEnd = reader.enter();
  let text = '0';
  while (reader.next('Quantity')) {
    if (reader.field === 1) {
      reader.expect(lengthDelimited, 'string');
      text = reader.text();
    } else {
      reader.skip();
    }
  }
  reader.leave(outerEnd);
  return text;
}

export function readIntOrString(reader: WireReader): number | string {
  const outerEnd = reader.enter();
  let type: number | bigint = 0;
  let number = 0;
  let text = '';
  while (reader.next('IntOrString')) {
    if (reader.field === 1) {
      reader.expect(varint, 'type');
      type = reader.int64();
    } else if (reader.field === 2) {
      reader.expect(varint, 'intVal');
      number = reader.int32();
    } else if (reader.field === 3) {
      reader.expect(lengthDelimited, 'strVal');
      text = reader.text();
    } else {
      reader.skip();
    }
  }
  reader.leave(outerEnd);
  if (type === 0) return number;
  if (type === 1) return text;
  throw new DecodeError('impossible IntOrString.Type');
}

/** For types whose message holds JSON text. Returns null when it holds none. */
export function readJson(reader: WireReader): unknown {
  const outerEnd = reader.enter();
  let raw: Buffer | undefined;
  while (reader.next('RawExtension')) {
    if (reader.field === 1) {
      reader.expect(lengthDelimited, 'raw');
      raw = reader.bytes();
    } else {
      reader.skip();
    }
  }
  reader.leave(outerEnd);
  return raw === undefined || raw.length === 0 ? null : decodeJson(raw).value;
}

/** RFC 3339 is limited to the years 0 to 9999. */
const earliest = -62_167_219_200;
const latest = 253_402_300_799;
const nanosPerMicro = 1_000;
const microsPerSecond = 1_000_000;

/** Formats a time in UTC with whole seconds. */
function secondsText(seconds: number | bigint): string {
  return `${dateAndTime(seconds)}Z`;
}

/** Formats a time in UTC with six fractional digits. Nanoseconds outside of one second carry over to the seconds. */
function microsText(seconds: number | bigint, nanos: number): string {
  const micros = Math.trunc(nanos / nanosPerMicro);
  const carry = Math.floor(micros / microsPerSecond);
  const decimals = String(micros - carry * microsPerSecond).padStart(6, '0');
  return `${dateAndTime(Number(seconds) + carry)}.${decimals}Z`;
}

function dateAndTime(seconds: number | bigint): string {
  if (seconds < earliest || seconds > latest) throw new DecodeError(`time out of range: ${seconds} seconds since 1970`);
  return new Date(Number(seconds) * 1_000).toISOString().slice(0, 19);
}
