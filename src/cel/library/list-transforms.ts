import { CelError } from '../cel-error.ts';
import { defineFunction, type Overload } from '../checker/declarations.ts';
import {
  type CallCost,
  type CallEstimate,
  exactly,
  plus,
  type Range,
  scaled,
  times,
  unbounded,
} from '../cost/call-cost.ts';
import { areEqual, compareValues } from '../evaluate/equality.ts';
import { ListValue, typeNameOf } from '../evaluate/values.ts';
import { spend } from '../work.ts';
import { arrayOf } from './operators.ts';

/** The types whose values can be sorted. */
const sortable: Readonly<Record<string, string>> = {
  int: 'int',
  uint: 'uint',
  double: 'double',
  bool: 'bool',
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
  string: 'string',
  bytes: 'bytes',
};
const sortableNames: ReadonlySet<string> = new Set(Object.values(sortable));

function slice(list: ListValue, start: bigint, end: bigint): ListValue {
  const refuse = (problem: string) => new CelError(`cannot slice(${start}, ${end}), ${problem}`);
  if (start < 0n || end < 0n) throw refuse('negative indexes not supported');
  if (start > end) throw refuse('start index must be less than or equal to end index');
  if (end > BigInt(list.length)) throw refuse(`list is length ${list.length}`);
  return new ListValue(arrayOf(list).slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth = 1n): ListValue {
  if (depth < 0n) throw new CelError('level must be non-negative');
  const items: unknown[] = [];
  addFlattened(list, depth, items);
  return new ListValue(items);
}

function addFlattened(list: ListValue, depth: bigint, items: unknown[]): void {
  spend(1 + list.length / 10);
  for (const item of list) {
    if (item instanceof ListValue && depth > 0n) addFlattened(item, depth - 1n, items);
    else items.push(item);
  }
}

function range(end: bigint): ListValue {
  const count = Math.max(Number(end), 0);
  spend(count / 10);
  return new ListValue(Array.from({ length: count }, (_, index) => BigInt(index)));
}

function distinct(list: ListValue): ListValue {
  const items: unknown[] = [];
  for (const item of arrayOf(list)) if (!items.some((known) => areEqual(item, known))) items.push(item);
  return new ListValue(items);
}

/** Sorts a list by keys at the same positions in another list. */
function sortByKeys(list: ListValue, keyList: ListValue): ListValue {
  const keys = arrayOf(keyList);
  if (keys.length === 0) return list;
  const type = typeNameOf(keys[0]);
  if (!sortableNames.has(type)) throw new CelError('list elements must be comparable');
  if (!keys.every((key) => typeNameOf(key) === type)) throw new CelError('list elements must have the same type');
  const items = arrayOf(list);
  const order = keys.map((_, index) => index).sort((left, right) => compareKeys(keys[left], keys[right]));
  return new ListValue(order.map((index) => items[index]));
}

function compareKeys(left: unknown, right: unknown): number {
  // NaN has no order and stays where it is.
  return Number.isNaN(left) || Number.isNaN(right) ? 0 : compareValues(left, right);
}

/** The costs of the call and of the new list, and that of the work. */
const callAndList = 11;

function estimated(size: Range, factor: number): CallEstimate {
  return { cost: plus(scaled(size, factor), exactly(callAndList)), size };
}

/** The value of a literal. Estimates count others as the default. */
function literalCount(literal: unknown, otherwise: number): bigint {
  if (typeof literal !== 'bigint') return BigInt(otherwise);
  return literal < 0n ? 0n : literal;
}

/** As many elements as the new list has. */
function lengthCost(
  length: (values: readonly unknown[]) => number,
  estimate: NonNullable<CallCost['estimate']>,
): { readonly cost: CallCost } {
  return { cost: { actual: (values) => Math.max(length(values), 0) + callAndList, estimate } };
}

const lengthOf = (list: unknown): number => (list as ListValue).length;

const sliceCost = lengthCost(
  ([, start, end]) => Number((end as bigint) - (start as bigint)),
  ({ target, args }) => {
    const start = literalCount(args[0]!.literal, 0);
    const end = literalCount(args[1]!.literal, target!.size.max);
    // Unsigned numbers wrap around.
    return estimated(exactly(Number(BigInt.asUintN(64, end - start))), 1);
  },
);
const rangeCost = lengthCost(
  ([end]) => Number(end),
  ({ args }) => estimated(exactly(Number(literalCount(args[0]!.literal, unbounded))), 1),
);
const reverseCost = lengthCost(
  ([list]) => lengthOf(list),
  ({ target }) => estimated(target!.size, 1),
);
const flattenCost: CallCost = {
  actual: ([list, depth = 1n]) => Math.floor(lengthOf(list) * Math.max(Number(depth), 0)) + callAndList,
  estimate: ({ target, args }) => {
    const depth = args[0] === undefined ? 1 : Number(literalCount(args[0].literal, unbounded));
    return estimated(target!.size, depth);
  },
};

/** Each element is compared with each other one. */
function comparisonsOf(list: unknown): number {
  const { length } = list as ListValue;
  const isText = length > 0 && ['string', 'bytes'].includes(typeNameOf((list as ListValue).get(0)));
  return Math.floor(length * length * (isText ? 2.1 : 2)) + callAndList;
}

const distinctCost: CallCost = {
  actual: ([list]) => comparisonsOf(list),
  estimate: ({ target }) => estimated(times(target!.size, target!.size), 2),
};
const sortCost = (type: string): CallCost => ({
  actual: (values) => comparisonsOf(values.at(-1)),
  estimate: ({ target, args }) => {
    const { size } = args[0] ?? target!;
    return estimated(times(size, size), type === 'string' || type === 'bytes' ? 2.1 : 2);
  },
});

/** Functions that make a list of the elements of another one. */
export const listTransforms: readonly Overload[] = [
  defineFunction('slice', { 'list(A).(int, int): list(A)': slice }, sliceCost),
  defineFunction(
    'flatten',
    { 'list(list(A)).(): list(A)': (list: ListValue) => flatten(list), 'list(dyn).(int): list(dyn)': flatten },
    { cost: flattenCost, unguarded: true },
  ),
  defineFunction('lists.range', { '(int): list(int)': range }, rangeCost),
  defineFunction(
    'reverse',
    { 'list(A).(): list(A)': (list: ListValue) => new ListValue(list.toArray().reverse()) },
    reverseCost,
  ),
  defineFunction('distinct', { 'list(A).(): list(A)': distinct }, { cost: distinctCost }),
  ...Object.keys(sortable).flatMap((type) => {
    const options = { cost: sortCost(type), unguarded: true };
    return [
      defineFunction(
        'sort',
        { [`list(${type}).(): list(${type})`]: (list: ListValue) => sortByKeys(list, list) },
        options,
      ),
      defineFunction('@sortByAssociatedKeys', { [`list(A).(list(${type})): list(A)`]: sortByKeys }, options),
    ];
  }),
].flat();
