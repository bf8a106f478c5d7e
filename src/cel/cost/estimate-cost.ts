import type { Overload } from '../checker/declarations.ts';
import {
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
  isBinding,
  type ListExpression,
  type MapExpression,
  type SelectExpression,
} from '../parser/expression.ts';
import {
  type CallEstimate,
  type EstimatedCall,
  exactly,
  plus,
  type Range,
  times,
  union,
  unknownSize,
} from './call-cost.ts';
import { type DeclaredSizes, type EntrySizes, Sizes } from './sizes.ts';

const nothing = exactly(0);
const one = exactly(1);

/** Estimates the cost of a checked expression from the sizes of the declared types. */
export function estimateCost(root: Expression, declared: DeclaredSizes): Range {
  return new Estimator(declared).cost(root);
}

class Estimator {
  readonly #sizes: Sizes;
  /** Macros use expressions several times. */
  readonly #costs = new Map<Expression, Range>();

  constructor(declared: DeclaredSizes) {
    this.#sizes = new Sizes(declared);
  }

  cost(node: Expression): Range {
    let cost = this.#costs.get(node);
    if (cost === undefined) {
      cost = this.#costOf(node);
      this.#costs.set(node, cost);
    }
    return cost;
  }

  #costOf(node: Expression): Range {
    switch (node.kind) {
      case 'literal':
        return nothing;
      case 'ident':
        this.#sizes.setVariable(node, node.name);
        return one;
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return node.fields.reduce((sum, { value }) => plus(sum, this.cost(value)), exactly(40));
      case 'comprehension':
        return isBinding(node) ? this.#binding(node) : this.#comprehension(node);
    }
  }

  /** A presence test costs nothing beyond its operand. */
  #select(node: SelectExpression): Range {
    if (node.qualifiedName !== undefined) {
      this.#sizes.setVariable(node, node.qualifiedName);
      return one;
    }
    const cost = this.cost(node.operand);
    if (node.test) return cost;
    this.#sizes.setMember(node, { of: node.operand, name: node.field });
    const kind = node.operand.type?.kind;
    return kind === 'map' || kind === 'object' || kind === 'parameter' ? plus(cost, one) : cost;
  }

  #list(node: ListExpression): Range {
    let cost = exactly(10);
    let value: Range | undefined;
    for (const element of node.elements) {
      cost = plus(cost, this.cost(element));
      const size = this.#sizes.size(element) ?? unknownSize;
      value = value === undefined ? size : union(value, size);
    }
    this.#sizes.setEntries(node, { list: true, key: one, value: value ?? nothing });
    return cost;
  }

  #map(node: MapExpression): Range {
    let cost = exactly(30);
    let entries: EntrySizes | undefined;
    for (const entry of node.entries) {
      cost = plus(plus(cost, this.cost(entry.key)), this.cost(entry.value));
      const key = this.#sizes.size(entry.key) ?? unknownSize;
      const value = this.#sizes.size(entry.value) ?? unknownSize;
      entries =
        entries === undefined
          ? { list: false, key, value }
          : { list: false, key: union(entries.key, key), value: union(entries.value, value) };
    }
    this.#sizes.setEntries(node, entries ?? { list: false, key: nothing, value: nothing });
    return cost;
  }

  #binding(node: ComprehensionExpression): Range {
    const cost = plus(this.cost(node.range), this.cost(node.init));
    this.#sizes.pushBound(node.accumulator, node.init);
    const result = this.cost(node.result);
    this.#sizes.pop(node.accumulator);
    this.#sizes.copySizes(node, node.result);
    return plus(cost, result);
  }

  #comprehension(node: ComprehensionExpression): Range {
    let sum = plus(this.cost(node.range), this.cost(node.init));
    this.#sizes.pushBound(node.accumulator, node.init);
    this.#sizes.pushVariables(node);
    const loop = plus(this.cost(node.condition), this.cost(node.step));
    this.#sizes.popVariables(node);
    sum = plus(sum, this.cost(node.result));
    this.#sizes.pop(node.accumulator);
    const count = this.#sizes.size(node.range) ?? unknownSize;
    if (node.init.kind === 'literal') this.#sizes.setSize(node, this.#sizes.size(node.init));
    else if (node.init.kind === 'list' || node.init.kind === 'map') {
      this.#sizes.setSize(node, count);
      this.#sizes.setEntries(node, this.#sizes.entrySizes(node.step));
    }
    return plus(sum, times(count, loop));
  }

  #call(node: CallExpression): Range {
    if (node.name === '_?._') return this.#optionalSelect(node);
    if (node.name === 'dyn') {
      const [value] = node.args as readonly [Expression];
      const cost = this.cost(value);
      this.#sizes.copySizes(node, value);
      return plus(one, cost);
    }
    // The size of each argument is looked up before the cost of the next one, because paths share memory.
    const estimated = node.args.map((argument) => ({
      cost: this.cost(argument),
      operand: this.#sizes.operand(argument),
    }));
    const costs = estimated.map(({ cost }) => cost);
    const args = estimated.map(({ operand }) => operand);
    const targetCost = node.target === undefined ? nothing : this.cost(node.target);
    const target = node.target === undefined ? undefined : this.#sizes.operand(node.target);
    const call: EstimatedCall = { target, args, itemsOf: (list) => this.#sizes.itemsOf(list) };
    let cost: Range | undefined;
    let size: Range | undefined;
    for (const overload of node.overloads ?? []) {
      const estimate = this.#overload(node, overload, { call, costs });
      cost = cost === undefined ? estimate.cost : union(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      if (overload.element !== undefined) {
        size = this.#sizes.entrySizes(node.args[0]!)?.value;
        this.#sizes.setMember(node, { of: node.args[0]!, name: overload.element });
      }
      size ??= this.#sizes.size(node);
    }
    this.#sizes.setSize(node, size);
    return plus(targetCost, cost ?? nothing);
  }

  /** Counts as a call with a constant name. */
  #optionalSelect(node: CallExpression): Range {
    return plus(this.cost(node.args[0]!), one);
  }

  #overload(
    node: CallExpression,
    overload: Overload,
    { call, costs }: { readonly call: EstimatedCall; readonly costs: readonly Range[] },
  ): CallEstimate {
    const [first = nothing, second = nothing, third = nothing] = costs;
    switch (overload.name) {
      case '_&&_':
      case '_||_':
        return { cost: { min: first.min, max: plus(first, second).max } };
      case '_?_:_':
        return this.#conditional(node, { condition: first, branches: union(second, third) });
      default: {
        if (overload.name === '_+_') this.#sizes.joinEntries(node);
        const estimate = overload.cost.estimate?.(call) ?? { cost: one };
        return { ...estimate, cost: costs.reduce(plus, estimate.cost) };
      }
    }
  }

  #conditional(
    node: CallExpression,
    { condition, branches }: { readonly condition: Range; readonly branches: Range },
  ): CallEstimate {
    const [, whenTrue, whenFalse] = node.args as readonly [Expression, Expression, Expression];
    this.#sizes.joinEntries(node, [whenTrue, whenFalse]);
    const size = union(this.#sizes.size(whenTrue) ?? unknownSize, this.#sizes.size(whenFalse) ?? unknownSize);
    return { cost: plus(condition, branches), size };
  }
}
