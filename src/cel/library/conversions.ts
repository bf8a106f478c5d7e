import { Duration, type Environment, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { DecodeError } from '../../meta/decode-error.ts';
import { parseDuration } from '../../meta/duration.ts';
import { CelError } from '../cel-error.ts';
import { defineFunctions } from './define-functions.ts';
import { privatePrefix as own } from './replaced-functions.ts';

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const timestamp = 'google.protobuf.Timestamp';
const duration = 'google.protobuf.Duration';
const billion = 1_000_000_000n;

/** Type conversions that the CEL package lacks or implements too leniently. */
export function registerConversions(environment: Environment): void {
  defineFunctions(environment, {
    [`${own}int(int): int`]: (value: bigint) => value,
    [`${own}int(uint): int`]: (value: UnsignedInt) => checkedInt(value.valueOf() as bigint),
    [`${own}int(double): int`]: intOfDouble,
    [`${own}int(string): int`]: (text: string) => checkedInt(integerOf(text, /^[+-]?[0-9]+$/, 'int')),
    [`${own}int(${timestamp}): int`]: (time: Date) => BigInt(Math.floor(time.getTime() / 1000)),
    [`${own}int(${duration}): int`]: nanosecondsOf,
    [`${own}uint(uint): uint`]: (value: UnsignedInt) => value,
    [`${own}uint(int): uint`]: (value: bigint) => uintOf(value),
    [`${own}uint(double): uint`]: (value: number) => uintOf(intOfDouble(value)),
    [`${own}uint(string): uint`]: (text: string) => uintOf(integerOf(text, /^[0-9]+$/, 'uint')),
    [`${own}duration(string): ${duration}`]: durationOf,
    [`${own}duration(${duration}): ${duration}`]: (value: Duration) => value,
    [`string(${timestamp}): string`]: timestampText,
    [`string(${duration}): string`]: durationText,
  });
}

function integerOf(text: string, syntax: RegExp, type: string): bigint {
  // No 64-bit number has more digits.
  if (text.length > 40 || !syntax.test(text)) throw new CelError(`type conversion error from 'string' to '${type}'`);
  return BigInt(text.replace('+', ''));
}

function intOfDouble(value: number): bigint {
  if (!Number.isFinite(value)) throw new CelError('integer overflow');
  return checkedInt(BigInt(Math.trunc(value)));
}

function checkedInt(value: bigint): bigint {
  if (value < minInt || value > maxInt) throw new CelError('integer overflow');
  return value;
}

function uintOf(value: bigint): UnsignedInt {
  if (value < 0n || value >= 2n ** 64n) throw new CelError('unsigned integer overflow');
  return new UnsignedInt(value);
}

function durationOf(text: string): Duration {
  try {
    const nanoseconds = parseDuration(text);
    return new Duration(nanoseconds / billion, Number(nanoseconds % billion));
  } catch (error) {
    if (error instanceof DecodeError) throw new CelError(error.message);
    throw error;
  }
}

function nanosecondsOf(value: Duration): bigint {
  return value.seconds * billion + BigInt(value.nanos);
}

/** In seconds, with as many decimals as needed. */
export function durationText(value: Duration): string {
  const nanoseconds = nanosecondsOf(value);
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(size % billion)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${size / billion}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** RFC 3339 without trailing zeros. */
export function timestampText(time: Date): string {
  return time.toISOString().replace(/\.?0+Z$/, 'Z');
}
