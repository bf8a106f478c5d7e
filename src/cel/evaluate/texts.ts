import { DecodeError } from '../../meta/decode-error.ts';
import { parseDuration } from '../../meta/duration.ts';
import { CelError } from '../cel-error.ts';
import { spend } from '../work.ts';
import { Duration, Timestamp } from './values.ts';

const billion = 1_000_000_000n;
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;
/** Like Go, this accepts a comma and an hour of one digit. */
const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d{1,9})\d*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const dateOnly = /^\d{4}-\d{2}-\d{2}$/;

interface TimestampOptions {
  /** Schemas also accept dates. */
  readonly dates?: boolean;
  /** Formats also accept `t` and `z`. */
  readonly smallLetters?: boolean;
}

/** Parses RFC 3339. */
export function timestampOf(text: string, { dates = false, smallLetters = dates }: TimestampOptions = {}): Timestamp {
  const match = rfc3339.exec(dates && dateOnly.test(text) ? `${text}T00:00:00Z` : text);
  const failure = () => new CelError(`parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00"`);
  if (match === null || (!smallLetters && /[tz]/.test(text))) throw failure();
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) {
    throw failure();
  }
  date.setUTCHours(hour, minute, second);
  const [hours, minutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hours > 24 || minutes > 60) throw failure();
  const offset = (hours * 60 + minutes) * (match[8] === '-' ? -1 : 1);
  const seconds = BigInt(date.getTime() / 1000 - offset * 60);
  return checkedTimestamp(seconds * billion + BigInt((match[7] ?? '').padEnd(9, '0')), offset);
}

export function checkedTimestamp(nanoseconds: bigint, offset = 0): Timestamp {
  if (nanoseconds < minSeconds * billion || nanoseconds >= (maxSeconds + 1n) * billion) {
    throw new CelError('timestamp overflow');
  }
  return new Timestamp(nanoseconds, offset);
}

/** RFC 3339 without trailing zeros, with the offset that the timestamp was parsed with. */
export function timestampText({ nanoseconds, offset }: Timestamp): string {
  const fraction = ((nanoseconds % billion) + billion) % billion;
  const date = new Date(Number((nanoseconds - fraction) / 1_000_000n) + offset * 60_000);
  // JavaScript writes years of five digits with a sign and six digits.
  const text = date
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/^\+0/, '');
  const decimals = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  return `${text}${decimals}${offset === 0 ? 'Z' : offsetText(offset)}`;
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const parts = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${parts.join(':')}`;
}

export function durationOf(text: string): Duration {
  spend(text.length / 20);
  try {
    return new Duration(parseDuration(text));
  } catch (error) {
    if (error instanceof DecodeError) throw new CelError(error.message);
    throw error;
  }
}

export function checkedDuration(nanoseconds: bigint): Duration {
  if (BigInt.asIntN(64, nanoseconds) !== nanoseconds) throw new CelError('integer overflow');
  return new Duration(nanoseconds);
}

/** In seconds, with as many decimals as a double has. */
export function durationText({ nanoseconds }: Duration): string {
  const seconds = Number(nanoseconds / billion) + Number(nanoseconds % billion) / 1e9;
  // JavaScript writes smaller numbers with an exponent.
  const text = Math.abs(seconds) < 1e-6 ? seconds.toFixed(9).replace(/\.?0+$/, '') : String(seconds);
  return `${text}s`;
}

export function base64Bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
