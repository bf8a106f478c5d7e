import { Duration, type Environment, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { CelError } from '../cel-error.ts';
import { celEquals } from '../cel-value.ts';
import { defineFunctions } from './define-functions.ts';
import { privatePrefix as own } from './replaced-functions.ts';

type Comparable = bigint | number | string | boolean;

const sums: Readonly<Record<string, (values: readonly never[]) => unknown>> = {
  int: (values: readonly bigint[]) => checkedInt(values.reduce((sum, value) => sum + value, 0n)),
  uint: (values: readonly UnsignedInt[]) =>
    new UnsignedInt(values.reduce((sum, value) => sum + (value.valueOf() as bigint), 0n)),
  double: (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0),
  'google.protobuf.Duration': (values: readonly Duration[]) =>
    values.reduce((sum, value) => sum.addDuration(value), new Duration(0n)),
};
const ordered = [...Object.keys(sums), 'string', 'bool', 'google.protobuf.Timestamp'];

/** List functions: `isSorted`, `min`, `max`, `sum`, `indexOf` and others. */
export function registerLists(environment: Environment): void {
  for (const [type, sum] of Object.entries(sums)) {
    defineFunctions(environment, { [`list<${type}>.sum(): ${type}`]: sum });
  }
  for (const type of ordered) {
    defineFunctions(environment, {
      [`list<${type}>.isSorted(): bool`]: isSorted,
      [`list<${type}>.min(): ${type}`]: (values: readonly Comparable[]) => extreme(values, 'min', (a, b) => a < b),
      [`list<${type}>.max(): ${type}`]: (values: readonly Comparable[]) => extreme(values, 'max', (a, b) => a > b),
    });
  }
  defineFunctions(environment, {
    [`list<T>.${own}indexOf(T): int`]: (values: readonly unknown[], value: unknown) =>
      BigInt(values.findIndex((item) => celEquals(item, value))),
    [`list<T>.${own}lastIndexOf(T): int`]: (values: readonly unknown[], value: unknown) =>
      BigInt(values.findLastIndex((item) => celEquals(item, value))),
  });
}

function checkedInt(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new CelError('integer overflow');
  return value;
}

function isSorted(values: readonly Comparable[]): boolean {
  return values.every((value, index) => index === 0 || values[index - 1]! <= value);
}

function extreme(
  values: readonly Comparable[],
  name: string,
  isBetter: (a: Comparable, b: Comparable) => boolean,
): Comparable {
  const [first, ...rest] = values;
  if (first === undefined) throw new CelError(`${name} called on empty list`);
  return rest.reduce((best, value) => (isBetter(value, best) ? value : best), first);
}
