import { goFloat } from '../../meta/go-number.ts';
import { CelError } from '../cel-error.ts';
import { typeName } from '../checker/cel-type.ts';
import { defineFunction, type Overload, typeNames } from '../checker/declarations.ts';
import { type CallCost, perCharacter, scaled, traversal } from '../cost/call-cost.ts';
import { checkedTimestamp, durationOf, durationText, timestampOf, timestampText } from '../evaluate/texts.ts';
import { codePoints, Duration, type Timestamp, TypeValue, typeNameOf, Uint } from '../evaluate/values.ts';
import { checkedInt, checkedUint } from './operators.ts';

const billion = 1_000_000_000n;
const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falseTexts: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);
const decimal = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const special: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '+infinity': Number.POSITIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
};
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function conversionError(type: string): CelError {
  return new CelError(`type conversion error from 'string' to '${type}'`);
}

/** Runs a parser whose errors are those of a conversion. */
function converted<T>(type: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof CelError && error.message !== 'timestamp overflow') throw conversionError(type);
    throw error;
  }
}

function integerOf(text: string, syntax: RegExp, type: string): bigint {
  // No 64-bit number has more digits without leading zeros.
  if (text.length > 100 || !syntax.test(text)) throw conversionError(type);
  return BigInt(text.replace('+', ''));
}

function intOfText(text: string): bigint {
  const value = integerOf(text, /^[+-]?[0-9]+$/, 'int');
  if (BigInt.asIntN(64, value) !== value) throw conversionError('int');
  return value;
}

function uintOfText(text: string): Uint {
  const value = integerOf(text, /^[0-9]+$/, 'uint');
  if (value >= 2n ** 64n) throw conversionError('uint');
  return new Uint(value);
}

function intOfDouble(value: number): bigint {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

function uintOfDouble(value: number): Uint {
  if (!(value >= 0 && value < 2 ** 64)) throw new CelError('unsigned integer overflow');
  return checkedUint(BigInt(Math.trunc(value)));
}

function doubleOfText(text: string): number {
  const value = decimal.test(text) ? finite(Number(text)) : special[text.toLowerCase()];
  if (value === undefined) throw conversionError('double');
  return value;
}

/** A number that is too large for a double is refused. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function boolOfText(text: string): boolean {
  if (trueTexts.has(text)) return true;
  if (falseTexts.has(text)) return false;
  throw conversionError('bool');
}

export function textOfBytes(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const floorDivide = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by;
const same = (value: unknown): unknown => value;

/** Costs of conversions between string and bytes. A character takes up to four bytes. */
const encodingCost = (sizes: (size: { min: number; max: number }) => { min: number; max: number }): CallCost => ({
  actual: ([value]) => traversal(typeof value === 'string' ? codePoints(value) : (value as Uint8Array).length),
  estimate: ({ args }) => ({ cost: scaled(args[0]!.size, perCharacter), size: sizes(args[0]!.size) }),
});

const typeValues = new Map<string, TypeValue>();

/** The value of a type name. */
export function typeValue(name: string): TypeValue {
  let value = typeValues.get(name);
  if (value === undefined) {
    value = new TypeValue(name);
    if (typeNames.has(name)) typeValues.set(name, value);
  }
  return value;
}

function typeOf(value: unknown): TypeValue {
  const name = typeNameOf(value);
  const type = typeNames.get(name);
  return typeValue(type === undefined ? name : typeName(type));
}

const foldable = { foldable: true };

/** Conversions between types. */
export const conversions: readonly Overload[] = [
  defineFunction(
    'int',
    {
      '(int): int': same,
      '(uint): int': (value: Uint) => checkedInt(value.value),
      '(double): int': intOfDouble,
      '(string): int': intOfText,
      '(timestamp): int': (time: Timestamp) => floorDivide(time.nanoseconds, billion),
      '(duration): int': (duration: Duration) => duration.nanoseconds,
    },
    foldable,
  ),
  defineFunction(
    'uint',
    {
      '(uint): uint': same,
      '(int): uint': checkedUint,
      '(double): uint': uintOfDouble,
      '(string): uint': uintOfText,
    },
    foldable,
  ),
  defineFunction(
    'double',
    {
      '(double): double': same,
      '(int): double': Number,
      '(uint): double': (value: Uint) => Number(value.value),
      '(string): double': doubleOfText,
    },
    foldable,
  ),
  defineFunction('bool', { '(bool): bool': same, '(string): bool': boolOfText }, foldable),
  defineFunction('bytes', { '(bytes): bytes': same }, foldable),
  defineFunction(
    'bytes',
    { '(string): bytes': (text: string) => new Uint8Array(Buffer.from(text)) },
    { foldable: true, cost: encodingCost(({ min, max }) => ({ min, max: max * 4 })) },
  ),
  defineFunction(
    'string',
    {
      '(string): string': same,
      '(bool): string': String,
      '(int): string': String,
      '(uint): string': (value: Uint) => String(value.value),
      '(double): string': goFloat,
      '(timestamp): string': timestampText,
      '(duration): string': durationText,
    },
    foldable,
  ),
  defineFunction(
    'string',
    { '(bytes): string': textOfBytes },
    { foldable: true, cost: encodingCost(({ min, max }) => ({ min: Math.floor(min / 4), max })) },
  ),
  defineFunction(
    'timestamp',
    {
      '(timestamp): timestamp': same,
      '(string): timestamp': (text: string) => converted('google.protobuf.Timestamp', () => timestampOf(text)),
      '(int): timestamp': (seconds: bigint) => checkedTimestamp(seconds * billion),
    },
    foldable,
  ),
  defineFunction(
    'duration',
    {
      '(duration): duration': same,
      '(string): duration': (text: string) => converted('google.protobuf.Duration', () => durationOf(text)),
      '(int): duration': (nanoseconds: bigint) => new Duration(nanoseconds),
    },
    foldable,
  ),
  defineFunction('type', { '(A): type(A)': typeOf }),
  defineFunction('dyn', { '(A): dyn': same }, foldable),
].flat();
