import { defineFunction, type Overload } from '../checker/declarations.ts';
import { type CallCost, type EstimatedCall, exactly, plus, type Range, times } from '../cost/call-cost.ts';
import { indexIn } from '../evaluate/equality.ts';
import { type ListValue, sizeOf } from '../evaluate/values.ts';

function contains(all: ListValue, some: ListValue): boolean {
  for (const value of some) if (indexIn(all, value) < 0) return false;
  return true;
}

function intersects(left: ListValue, right: ListValue): boolean {
  for (const value of right) if (indexIn(left, value) >= 0) return true;
  return false;
}

const product = ({ args }: EstimatedCall): Range => times(args[0]!.size, args[1]!.size);

/** Every item of one list is compared with those of the other. */
const productCost: CallCost = {
  actual: ([left, right]) => 1 + sizeOf(left) * sizeOf(right),
  estimate: (call) => ({ cost: plus(exactly(1), product(call)) }),
};
const equivalenceCost: CallCost = {
  actual: ([left, right]) => 1 + 2 * sizeOf(left) * sizeOf(right),
  estimate: (call) => ({ cost: plus(exactly(1), times(exactly(2), product(call))) }),
};

/** Compares lists as sets. */
export const sets: readonly Overload[] = [
  defineFunction('sets.contains', { '(list(A), list(A)): bool': contains }, { cost: productCost }),
  defineFunction('sets.intersects', { '(list(A), list(A)): bool': intersects }, { cost: productCost }),
  defineFunction(
    'sets.equivalent',
    {
      '(list(A), list(A)): bool': (left: ListValue, right: ListValue) => contains(left, right) && contains(right, left),
    },
    { cost: equivalenceCost },
  ),
].flat();
