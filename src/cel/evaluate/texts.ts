import { DecodeError } from '../../meta/decode-error.ts';
import { parseDuration } from '../../meta/duration.ts';
import { CelError } from '../cel-error.ts';
import { spend } from '../work.ts';
import { Duration, Timestamp } from './values.ts';

const billion = 1_000_000_000n;
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;
const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const dateOnly = /^\d{4}-\d{2}-\d{2}$/;

/** Parses RFC 3339. Schemas also accept dates. */
export function timestampOf(text: string, { dates = false }: { readonly dates?: boolean } = {}): Timestamp {
  const match = rfc3339.exec(dates && dateOnly.test(text) ? `${text}T00:00:00Z` : text);
  const failure = () => new CelError(`parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00"`);
  if (match === null) throw failure();
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
  const offset = match[8] === undefined ? 0 : (Number(match[9]) * 60 + Number(match[10])) * (match[8] === '-' ? -1 : 1);
  const seconds = BigInt(date.getTime() / 1000 - offset * 60);
  return checkedTimestamp(seconds * billion + BigInt((match[7] ?? '').padEnd(9, '0')));
}

export function checkedTimestamp(nanoseconds: bigint): Timestamp {
  if (nanoseconds < minSeconds * billion || nanoseconds >= (maxSeconds + 1n) * billion) {
    throw new CelError('timestamp overflow');
  }
  return new Timestamp(nanoseconds);
}

/** RFC 3339 in UTC without trailing zeros. */
export function timestampText({ nanoseconds }: Timestamp): string {
  const fraction = ((nanoseconds % billion) + billion) % billion;
  const date = new Date(Number((nanoseconds - fraction) / 1_000_000n));
  const text = date.toISOString().slice(0, 19);
  return `${text}${fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`}Z`;
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
  if (BigInt.asIntN(64, nanoseconds) !== nanoseconds) throw new CelError('duration overflow');
  return new Duration(nanoseconds);
}

/** In seconds, with as many decimals as needed. */
export function durationText({ nanoseconds }: Duration): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(size % billion)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${size / billion}${fraction === '' ? '' : `.${fraction}`}s`;
}

export function base64Bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
