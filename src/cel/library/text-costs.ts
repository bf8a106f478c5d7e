import {
  type CallCost,
  type CallEstimate,
  type EstimatedCall,
  exactly,
  type Operand,
  perCharacter,
  perPatternCharacter,
  plus,
  scaled,
  times,
  traversal,
} from '../cost/call-cost.ts';
import { ListValue, MapValue, sizeOf } from '../evaluate/values.ts';
import { spend } from '../work.ts';

/** Functions that read their first operand once and return a text that is not longer. */
export const textCost: CallCost = {
  actual: ([text]) => traversal(sizeOf(text)),
  estimate: (call) => {
    const { size } = firstOperand(call);
    return { cost: scaled(size, perCharacter), size };
  },
};

/** Functions that also build a copy. */
export function copyCost(sizeOfResult: (call: EstimatedCall) => CallEstimate['size']): CallCost {
  return {
    actual: ([text]) => traversal(sizeOf(text), 2),
    estimate: (call) => ({
      cost: scaled(firstOperand(call).size, 2 * perCharacter),
      size: sizeOfResult(call)!,
    }),
  };
}

/** Functions that parse a text. */
export const parseCost: CallCost = {
  actual: ([text]) => traversal(sizeOf(text)),
  estimate: ({ args }) => ({ cost: scaled(args[0]!.size, perCharacter) }),
};

/** Functions that search a pattern in their first operand. */
export const patternCost: CallCost = {
  actual: ([text, pattern]) =>
    Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(pattern) * perPatternCharacter),
  estimate: ({ target, args }) => {
    if (target === undefined) return undefined;
    const text = scaled(plus(target.size, exactly(1)), perCharacter);
    return { cost: times(text, scaled(args[0]!.size, perPatternCharacter)), size: { min: 0, max: target.size.max } };
  },
};

/** Functions that read a whole list, or a text, once. */
export const readAllCost: CallCost = {
  actual: ([value]) => traversalCost(value),
  estimate: ({ target, itemsOf }) => {
    if (target === undefined) return undefined;
    const items = itemsOf(target);
    if (items === undefined) return { cost: scaled(target.size, perCharacter) };
    const isText = items.type.kind === 'string' || items.type.kind === 'bytes';
    const each = isText ? plus(exactly(1), scaled(items.size, perCharacter)) : exactly(1);
    return { cost: times(target.size, each) };
  },
};

function firstOperand({ target, args }: EstimatedCall): Operand {
  return target ?? args[0]!;
}

/** The cost of reading a value with everything in it. */
function traversalCost(value: unknown): number {
  spend(0.1);
  if (typeof value === 'string') return Math.floor(Buffer.byteLength(value) * perCharacter);
  if (value instanceof Uint8Array) return Math.floor(value.length * perCharacter);
  let cost = 0;
  if (value instanceof ListValue) {
    for (let index = 0; index < value.length; index++) cost += traversalCost(value.get(index));
    return cost;
  }
  if (!(value instanceof MapValue)) return 1;
  for (const key of value.keys()) cost += traversalCost(key) + traversalCost(value.find(key));
  return cost;
}
