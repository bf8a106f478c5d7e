import { CelError, isAbsorbable, noSuchOverload } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import { areEqual, compareValues, indexIn } from '../evaluate/equality.ts';
import { checkedDuration } from '../evaluate/texts.ts';
import { Duration, type ListValue, typeNameOf, Uint } from '../evaluate/values.ts';
import { arrayOf, checkedInt, checkedUint } from './operators.ts';
import { readAllCost } from './text-costs.ts';

type Values = readonly unknown[];

const sums: Readonly<Record<string, (values: Values) => unknown>> = {
  int: (values) => (values as bigint[]).reduce((sum, value) => checkedInt(sum + value), 0n),
  uint: (values) => (values as Uint[]).reduce((sum, { value }) => checkedUint(sum.value + value), new Uint(0n)),
  double: (values) => (values as number[]).reduce((sum, value) => sum + value, 0),
  duration: (values) =>
    (values as Duration[]).reduce(
      (sum, { nanoseconds }) => checkedDuration(sum.nanoseconds + nanoseconds),
      new Duration(0n),
    ),
};

/** The values of a list whose first item has been checked. */
function sameTypes(values: Values): Values {
  const type = typeNameOf(values[0]);
  if (!values.every((value) => typeNameOf(value) === type)) throw noSuchOverload();
  return values;
}
const ordered = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function isSorted(list: ListValue): boolean {
  const values = arrayOf(list);
  return values.every((value, index) => index === 0 || compareItems(values[index - 1], value) <= 0);
}

/** Unlike the operators, functions of lists do not refuse values without an order, such as NaN. */
function compareItems(left: unknown, right: unknown): number {
  try {
    return compareValues(left, right);
  } catch (error) {
    if (isAbsorbable(error)) return 0;
    throw error;
  }
}

function extreme(list: ListValue, name: 'min' | 'max'): unknown {
  const values = arrayOf(list);
  if (values.length === 0) throw new CelError(`${name} called on empty list`);
  const sign = name === 'min' ? -1 : 1;
  return values.reduce((best, value) => (compareItems(value, best) * sign > 0 ? value : best));
}

function lastIndexIn(list: ListValue, value: unknown): bigint {
  return BigInt(arrayOf(list).findLastIndex((item) => areEqual(item, value)));
}

const each = (types: readonly string[], signature: (type: string) => string, call: (list: ListValue) => unknown) =>
  Object.fromEntries(types.map((type) => [signature(type), call]));
const cost = { cost: readAllCost };

/** List functions of Kubernetes. */
export const lists: readonly Overload[] = [
  defineFunction(
    'isSorted',
    each(ordered, (type) => `list(${type}).(): bool`, isSorted),
    cost,
  ),
  defineFunction(
    'min',
    each(
      ordered,
      (type) => `list(${type}).(): ${type}`,
      (list) => extreme(list, 'min'),
    ),
    cost,
  ),
  defineFunction(
    'max',
    each(
      ordered,
      (type) => `list(${type}).(): ${type}`,
      (list) => extreme(list, 'max'),
    ),
    cost,
  ),
  ...Object.entries(sums).map(([type, sum]) =>
    defineFunction('sum', { [`list(${type}).(): ${type}`]: (list: ListValue) => sum(sameTypes(arrayOf(list))) }, cost),
  ),
  defineFunction(
    'indexOf',
    { 'list(A).(A): int': (list: ListValue, value: unknown) => BigInt(indexIn(list, value)) },
    cost,
  ),
  defineFunction('lastIndexOf', { 'list(A).(A): int': lastIndexIn }, cost),
].flat();
