import { DecodeError } from './decode-error.ts';
import { goQuote } from './go-quote.ts';

const nanosecondsPer: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const maxDuration = 2n ** 63n;
/** Well above the number of digits in any valid duration, and low enough to keep parsing cheap. */
const maxNumberLength = 1_000;
/** A number, then letters up to the next number. */
const step = /([0-9]*)(\.[0-9]*)?([^0-9.]*)/y;

/** Parses a duration such as `1h15m30.918s` into nanoseconds, exactly as Go does. */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith('-');
  const body = /^[-+]/.test(text) ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') throw invalidDuration(text);
  let total = 0n;
  step.lastIndex = 0;
  while (step.lastIndex < body.length) {
    const match = step.exec(body);
    if (match === null) throw invalidDuration(text);
    total += stepOf(match, text);
    if (total > maxDuration) throw invalidDuration(text);
  }
  if (!negative && total === maxDuration) throw invalidDuration(text);
  return negative ? -total : total;
}

function stepOf([, whole = '', fraction = '', unit = '']: RegExpExecArray, text: string): bigint {
  const decimals = fraction.slice(1);
  if (whole === '' && decimals === '') throw invalidDuration(text);
  if (whole.length + decimals.length > maxNumberLength) throw invalidDuration(text);
  if (unit === '') throw new DecodeError(`time: missing unit in duration ${goQuote(text)}`);
  const scale = Object.hasOwn(nanosecondsPer, unit) ? nanosecondsPer[unit] : undefined;
  if (scale === undefined) throw new DecodeError(`time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`);
  const fractionNanoseconds = decimals === '' ? 0n : (BigInt(decimals) * scale) / 10n ** BigInt(decimals.length);
  return BigInt(whole) * scale + fractionNanoseconds;
}

const invalidDuration = (text: string): DecodeError => new DecodeError(`time: invalid duration ${goQuote(text)}`);

/** Formats a duration in its canonical form: `1h0m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 3)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 6)}ms`;
  const seconds = nanoseconds / 1_000_000_000n;
  const minutes = seconds / 60n;
  const rest = `${decimal(nanoseconds % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return rest;
  return minutes < 60n ? `${minutes}m${rest}` : `${minutes / 60n}h${minutes % 60n}m${rest}`;
}

/** Formats `value / 10 ** places` without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const divisor = 10n ** BigInt(places);
  const fraction = (value % divisor).toString().padStart(places, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / divisor}` : `${value / divisor}.${fraction}`;
}

export function canonicalDuration(text: string): string {
  return formatDuration(parseDuration(text));
}
