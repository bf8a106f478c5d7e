import { DecodeError } from '../../meta/decode-error.ts';
import { canonicalTime } from '../../meta/time.ts';
import { majorTypes, tags, typeName } from './major-types.ts';

/** RFC 3339 is limited to the years 0 to 9999. */
const earliest = -62_167_219_200;
const latest = 253_402_300_799;
const nanosPerSecond = 1e9;

/** Returns the problem with an item that starts with this byte as the content of a time tag, or undefined. */
export function timeContentProblem(tag: number, initial: number): string | undefined {
  const major = initial >> 5;
  const isNumber = major <= majorTypes.negative || (initial >= 0xf9 && initial <= 0xfb);
  if (tag === tags.dateTime ? major === majorTypes.text : isNumber) return undefined;
  const wanted = tag === tags.dateTime ? 'text string' : 'integer or floating-point number';
  return `cbor: tag number ${tag} must be followed by ${wanted}, got ${typeName(major)}`;
}

/** Returns the content of a time tag as RFC 3339 text. Throws `DecodeError` when it has no such representation. */
export function timeText(content: string | number | bigint): string {
  return typeof content === 'string' ? checkedText(content) : textOfSeconds(Number(content));
}

/** Preserves the time zone and the fractional digits. */
function checkedText(text: string): string {
  try {
    canonicalTime(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(`cbor: cannot set ${text} for time.Time: ${error.message}`, { cause: error });
  }
  return text;
}

/** Formats seconds since 1970 in UTC, with as many fractional digits as needed. */
function textOfSeconds(count: number): string {
  const whole = Math.trunc(count);
  const nanos = Math.trunc((count - whole) * nanosPerSecond);
  // Before 1970 the fraction is relative to the next lower second.
  const seconds = nanos < 0 ? whole - 1 : whole;
  if (seconds < earliest || seconds > latest) {
    const format = 'RFC3339 format with sub-second precision';
    const problem = 'Time.MarshalText: year outside of range [0,9999]';
    throw new DecodeError(`cbor: decoded time cannot be represented in ${format}: ${problem}`);
  }
  const date = new Date(seconds * 1_000).toISOString().slice(0, 19);
  if (nanos === 0) return `${date}Z`;
  const decimals = String(nanos < 0 ? nanos + nanosPerSecond : nanos).padStart(9, '0');
  return `${date}.${decimals.replace(/0+$/, '')}Z`;
}
