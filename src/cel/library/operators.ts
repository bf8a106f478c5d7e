import { CelError, noSuchOverload } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { isSameType } from '../checker/unify.ts';
import {
  type CallCost,
  type CallEstimate,
  type EstimatedCall,
  exactly,
  perCharacter,
  plus,
  type Range,
  scaled,
  traversal,
} from '../cost/call-cost.ts';
import { areEqual, compareValues, concatLists, indexIn } from '../evaluate/equality.ts';
import { checkedDuration, checkedTimestamp } from '../evaluate/texts.ts';
import {
  type Duration,
  type ListValue,
  type MapValue,
  OpaqueValue,
  sizeOf,
  type Timestamp,
  Uint,
} from '../evaluate/values.ts';
import { spend } from '../work.ts';

const maxUint = 2n ** 64n - 1n;

export function checkedInt(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new CelError('integer overflow');
  return value;
}

export function checkedUint(value: bigint): Uint {
  if (value < 0n || value > maxUint) throw new CelError('unsigned integer overflow');
  return new Uint(value);
}

function divisor(value: bigint, operation: 'division' | 'modulus'): bigint {
  if (value === 0n) throw new CelError(`${operation} by zero`);
  return value;
}

/** A timestamp keeps the offset that it was parsed with. */
function moved({ nanoseconds, offset }: Timestamp, by: bigint): Timestamp {
  return checkedTimestamp(nanoseconds + by, offset);
}

/** Joining copies both operands. */
const joinCost: CallCost = {
  actual: ([left, right]) => traversal(sizeOf(left) + sizeOf(right)),
  estimate: (call) => {
    const size = joinedSize(call);
    return { cost: scaled(size, perCharacter), size };
  },
};
const concatCost: CallCost = { estimate: (call) => ({ cost: exactly(1), size: joinedSize(call) }) };
const joinedSize = ({ args }: EstimatedCall): Range => plus(args[0]!.size, args[1]!.size);

function comparisonEstimate({ args }: EstimatedCall): CallEstimate {
  const max = Math.min(args[0]!.size.max, args[1]!.size.max);
  return { cost: scaled({ min: max > 0 ? 1 : 0, max }, perCharacter) };
}

/** The shorter operand is read. */
const comparisonCost: CallCost = {
  actual: ([left, right]) => traversal(Math.min(sizeOf(left), sizeOf(right))),
  estimate: comparisonEstimate,
};
const equalityCost: CallCost = {
  actual: ([left, right]) => (left instanceof OpaqueValue ? 1 : traversal(Math.min(sizeOf(left), sizeOf(right)))),
  estimate: (call) =>
    (isSameType(call.args[0]!.type, call.args[1]!.type) ? namedEquality(call) : undefined) ?? comparisonEstimate(call),
};

/** Most types of the Kubernetes libraries compare at the cost of one. */
function namedEquality({ args }: EstimatedCall): CallEstimate | undefined {
  const { type } = args[0]!;
  if (type.kind === 'opaque' && type.name.startsWith('net.')) return { cost: exactly(1) };
  if (type.kind !== 'object') return undefined;
  switch (type.name) {
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: exactly(1) };
    case 'kubernetes.NamedFormat':
      return { cost: scaled({ min: 1, max: 64 }, perCharacter) };
    case 'kubernetes.URL':
      return { cost: scaled({ min: 1, max: args[1]!.knownSize?.max ?? 1 }, perCharacter) };
    default:
      return undefined;
  }
}

const arithmetic: readonly (readonly Overload[])[] = [
  defineFunction('_+_', {
    '(double, double): double': (a: number, b: number) => a + b,
    '(duration, duration): duration': (a: Duration, b: Duration) => checkedDuration(a.nanoseconds + b.nanoseconds),
    '(duration, timestamp): timestamp': (a: Duration, b: Timestamp) => moved(b, a.nanoseconds),
    '(timestamp, duration): timestamp': (a: Timestamp, b: Duration) => moved(a, b.nanoseconds),
    '(int, int): int': (a: bigint, b: bigint) => checkedInt(a + b),
    '(uint, uint): uint': (a: Uint, b: Uint) => checkedUint(a.value + b.value),
  }),
  defineFunction(
    '_+_',
    {
      '(bytes, bytes): bytes': (a: Uint8Array, b: Uint8Array) => new Uint8Array(Buffer.concat([a, b])),
      '(string, string): string': (a: string, b: string) => a + b,
    },
    { cost: joinCost },
  ),
  defineFunction('_+_', { '(list(A), list(A)): list(A)': concatLists }, { cost: concatCost }),
  defineFunction('_-_', {
    '(double, double): double': (a: number, b: number) => a - b,
    '(duration, duration): duration': (a: Duration, b: Duration) => checkedDuration(a.nanoseconds - b.nanoseconds),
    '(int, int): int': (a: bigint, b: bigint) => checkedInt(a - b),
    '(timestamp, duration): timestamp': (a: Timestamp, b: Duration) => moved(a, checkedInt(-b.nanoseconds)),
    '(timestamp, timestamp): duration': (a: Timestamp, b: Timestamp) => checkedDuration(a.nanoseconds - b.nanoseconds),
    '(uint, uint): uint': (a: Uint, b: Uint) => checkedUint(a.value - b.value),
  }),
  defineFunction('_*_', {
    '(double, double): double': (a: number, b: number) => a * b,
    '(int, int): int': (a: bigint, b: bigint) => checkedInt(a * b),
    '(uint, uint): uint': (a: Uint, b: Uint) => checkedUint(a.value * b.value),
  }),
  defineFunction('_/_', {
    '(double, double): double': (a: number, b: number) => a / b,
    '(int, int): int': (a: bigint, b: bigint) => checkedInt(a / divisor(b, 'division')),
    '(uint, uint): uint': (a: Uint, b: Uint) => new Uint(a.value / divisor(b.value, 'division')),
  }),
  defineFunction('_%_', {
    '(int, int): int': (a: bigint, b: bigint) => {
      if (b === -1n && a === -(2n ** 63n)) throw new CelError('integer overflow');
      return a % divisor(b, 'modulus');
    },
    '(uint, uint): uint': (a: Uint, b: Uint) => new Uint(a.value % divisor(b.value, 'modulus')),
  }),
  defineFunction('-_', {
    '(int): int': (a: bigint) => checkedInt(-a),
    '(double): double': (a: number) => -a,
  }),
];

const comparisons: Readonly<Record<string, (a: never, b: never) => boolean>> = {
  '_<_': (a, b) => compareValues(a, b) < 0,
  '_<=_': (a, b) => compareValues(a, b) <= 0,
  '_>_': (a, b) => compareValues(a, b) > 0,
  '_>=_': (a, b) => compareValues(a, b) >= 0,
};
/** The operators of JavaScript are faster than a comparison of any values. */
const intComparisons: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  '_<_': (a, b) => a < b,
  '_<=_': (a, b) => a <= b,
  '_>_': (a, b) => a > b,
  '_>=_': (a, b) => a >= b,
};
const ordered = ['bool', 'uint', 'timestamp', 'duration'];

function comparisonOf(name: string): readonly (readonly Overload[])[] {
  const compare = comparisons[name]!;
  return [
    defineFunction(name, {
      '(int, int): bool': intComparisons[name],
      '(double, double): bool': compare,
      '(int, double): bool': compare,
      '(double, int): bool': compare,
      '(int, uint): bool': compare,
      '(uint, int): bool': compare,
      '(uint, double): bool': compare,
      '(double, uint): bool': compare,
      ...Object.fromEntries(ordered.map((type) => [`(${type}, ${type}): bool`, compare])),
    }),
    defineFunction(
      name,
      { '(string, string): bool': compare, '(bytes, bytes): bool': compare },
      { cost: comparisonCost },
    ),
  ];
}

const searchCost: CallCost = {
  actual: ([, list]) => sizeOf(list),
  estimate: ({ args }) => ({ cost: args[1]!.size }),
};
const size = (value: unknown): bigint => BigInt(sizeOf(value));

/** The operators of the language, `size`, and the building blocks of macros. */
export const operators: readonly Overload[] = [
  ...arithmetic,
  ...Object.keys(comparisons).flatMap(comparisonOf),
  defineFunction('_==_', { '(A, A): bool': (a: unknown, b: unknown) => areEqual(a, b) }, { cost: equalityCost }),
  defineFunction('_!=_', { '(A, A): bool': (a: unknown, b: unknown) => !areEqual(a, b) }, { cost: comparisonCost }),
  defineFunction(
    '@in',
    { '(A, list(A)): bool': (value: unknown, list: ListValue) => indexIn(list, value) >= 0 },
    { cost: searchCost },
  ),
  defineFunction('@in', {
    '(A, map(A, B)): bool': (key: unknown, map: MapValue) => map.find(key) !== undefined,
  }),
  defineFunction('!_', {
    '(bool): bool': (value: unknown) => {
      if (typeof value !== 'boolean') throw noSuchOverload();
      return !value;
    },
  }),
  defineFunction('_&&_', { '(bool, bool): bool': undefined }),
  defineFunction('_||_', { '(bool, bool): bool': undefined }),
  defineFunction('_?_:_', { '(bool, A, A): A': undefined }),
  defineFunction('@not_strictly_false', { '(bool): bool': undefined }),
  defineFunction('_[_]', { '(list(A), int): A': undefined }, { element: '@items' }),
  defineFunction('_[_]', { '(map(A, B), A): B': undefined }, { element: '@values' }),
  defineFunction('_[_]', {
    '(optional(list(A)), int): optional(A)': undefined,
    '(optional(map(A, B)), A): optional(B)': undefined,
  }),
  defineFunction('_[?_]', {
    '(list(A), int): optional(A)': undefined,
    '(map(A, B), A): optional(B)': undefined,
    '(optional(list(A)), int): optional(A)': undefined,
    '(optional(map(A, B)), A): optional(B)': undefined,
  }),
  defineFunction('size', {
    '(string): int': size,
    '(bytes): int': size,
    '(list(A)): int': size,
    '(map(A, B)): int': size,
    'string.(): int': size,
    'bytes.(): int': size,
    'list(A).(): int': size,
    'map(A, B).(): int': size,
  }),
].flat();

/** Reading a list entirely costs work that its cost does not count. */
export function arrayOf(list: ListValue): readonly unknown[] {
  spend(list.length / 10);
  return list.toArray();
}
