import { type CelType, isOptional, parametersOf } from '../checker/cel-type.ts';
import type { Overload } from '../checker/declarations.ts';
import { codePoints } from '../evaluate/values.ts';
import {
  accumulatorName,
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
  type ListExpression,
  type MapExpression,
  type SelectExpression,
} from '../parser/expression.ts';
import {
  type CallEstimate,
  type EstimatedCall,
  exactly,
  type Operand,
  plus,
  type Range,
  times,
  union,
  unknownSize,
} from './call-cost.ts';

type Path = readonly string[];

/** The sizes of the keys and values of a list or map. */
interface EntrySizes {
  readonly list: boolean;
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly path: Path;
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

const nothing = exactly(0);
const one = exactly(1);
const scalars: ReadonlySet<string> = new Set(['bool', 'int', 'uint', 'double', 'timestamp', 'duration']);

/** Estimates the cost of a checked expression from the sizes of the declared types. */
export function estimateCost(root: Expression, variables: Readonly<Record<string, CelType>>): Range {
  return new Estimator(variables).cost(root);
}

class Estimator {
  readonly #variables: Readonly<Record<string, CelType>>;
  readonly #locals = new Map<string, Local[]>();
  /** Macros use expressions several times. */
  readonly #costs = new Map<Expression, Range>();
  readonly #paths = new Map<Expression, Path>();
  readonly #sizes = new Map<Expression, Range>();
  readonly #entries = new Map<Expression, EntrySizes>();

  constructor(variables: Readonly<Record<string, CelType>>) {
    this.#variables = variables;
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
        this.#paths.set(node, this.#local(node.name)?.path ?? [node.name]);
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

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }

  #pop(name: string): void {
    this.#locals.get(name)!.pop();
  }

  #path(node: Expression): Path {
    if (node.kind === 'ident') {
      const local = this.#local(node.name);
      if (local !== undefined) return local.path;
    }
    return this.#paths.get(node) ?? [];
  }

  /** A presence test costs nothing beyond its operand. */
  #select(node: SelectExpression): Range {
    const cost = this.cost(node.operand);
    if (node.test) return cost;
    this.#paths.set(node, [...this.#path(node.operand), node.field]);
    const kind = node.operand.type?.kind;
    return kind === 'map' || kind === 'object' || kind === 'parameter' ? plus(cost, one) : cost;
  }

  #list(node: ListExpression): Range {
    let cost = exactly(10);
    let value: Range | undefined;
    for (const element of node.elements) {
      cost = plus(cost, this.cost(element));
      const size = this.#size(element) ?? unknownSize;
      value = value === undefined ? size : union(value, size);
    }
    this.#entries.set(node, { list: true, key: one, value: value ?? nothing });
    return cost;
  }

  #map(node: MapExpression): Range {
    let cost = exactly(30);
    let entries: EntrySizes | undefined;
    for (const entry of node.entries) {
      cost = plus(plus(cost, this.cost(entry.key)), this.cost(entry.value));
      const key = this.#size(entry.key) ?? unknownSize;
      const value = this.#size(entry.value) ?? unknownSize;
      entries =
        entries === undefined
          ? { list: false, key, value }
          : { list: false, key: union(entries.key, key), value: union(entries.value, value) };
    }
    this.#entries.set(node, entries ?? { list: false, key: nothing, value: nothing });
    return cost;
  }

  #binding(node: ComprehensionExpression): Range {
    const cost = plus(this.cost(node.range), this.cost(node.init));
    this.#pushBound(node.accumulator, node.init);
    const result = this.cost(node.result);
    this.#pop(node.accumulator);
    this.#copySizes(node, node.result);
    return plus(cost, result);
  }

  #pushBound(name: string, value: Expression): void {
    this.#push(name, { path: this.#path(value), size: this.#size(value), entries: this.#entrySizes(value) });
  }

  #copySizes(to: Expression, from: Expression): void {
    const size = this.#size(from);
    if (size !== undefined) this.#sizes.set(to, size);
    const entries = this.#entrySizes(from);
    if (entries !== undefined) this.#entries.set(to, entries);
  }

  #comprehension(node: ComprehensionExpression): Range {
    let sum = plus(this.cost(node.range), this.cost(node.init));
    this.#pushBound(node.accumulator, node.init);
    this.#pushVariables(node);
    const loop = plus(this.cost(node.condition), this.cost(node.step));
    this.#pop(node.variable);
    if (node.variable2 !== undefined) this.#pop(node.variable2);
    sum = plus(sum, this.cost(node.result));
    this.#pop(node.accumulator);
    const count = this.#size(node.range) ?? unknownSize;
    if (node.init.kind === 'literal') {
      const size = this.#size(node.init);
      if (size !== undefined) this.#sizes.set(node, size);
    } else if (node.init.kind === 'list' || node.init.kind === 'map') {
      this.#sizes.set(node, count);
      const entries = this.#entrySizes(node.step);
      if (entries !== undefined) this.#entries.set(node, entries);
    }
    return plus(sum, times(count, loop));
  }

  #pushVariables({ range, variable, variable2 }: ComprehensionExpression): void {
    const entries = this.#entrySizes(range);
    const list = entries?.list ?? range.type?.kind === 'list';
    const path = this.#path(range);
    const keys = { path: [...path, list ? '@indices' : '@keys'], size: entries?.key, entries: undefined };
    const values = { path: [...path, list ? '@items' : '@values'], size: entries?.value, entries: undefined };
    if (variable2 === undefined) this.#push(variable, list ? values : keys);
    else {
      this.#push(variable, keys);
      this.#push(variable2, values);
    }
  }

  #call(node: CallExpression): Range {
    if (node.name === '_?._') return this.#optionalSelect(node);
    if (node.name === 'dyn') {
      const [value] = node.args as readonly [Expression];
      const cost = this.cost(value);
      this.#copySizes(node, value);
      return plus(one, cost);
    }
    const costs = node.args.map((argument) => this.cost(argument));
    const args = node.args.map((argument) => this.#operand(argument));
    const targetCost = node.target === undefined ? nothing : this.cost(node.target);
    const target = node.target === undefined ? undefined : this.#operand(node.target);
    const call: EstimatedCall = { target, args, itemsOf: (list) => this.#itemsOf(list) };
    let cost: Range | undefined;
    let size: Range | undefined;
    for (const overload of node.overloads ?? []) {
      const estimate = this.#overload(node, overload, { call, costs });
      cost = cost === undefined ? estimate.cost : union(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      if (overload.element !== undefined) {
        size = this.#entrySizes(node.args[0]!)?.value;
        this.#paths.set(node, [...this.#path(node.args[0]!), overload.element]);
      }
      size ??= this.#size(node);
    }
    if (size !== undefined) this.#sizes.set(node, size);
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
        if (overload.name === '_+_') this.#joinEntries(node);
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
    this.#joinEntries(node, [whenTrue, whenFalse]);
    const size = union(this.#size(whenTrue) ?? unknownSize, this.#size(whenFalse) ?? unknownSize);
    return { cost: plus(condition, branches), size };
  }

  #joinEntries(node: CallExpression, sides: readonly Expression[] = node.args): void {
    const [left, right] = sides.map((side) => this.#entrySizes(side));
    if (left === undefined || right === undefined) return;
    this.#entries.set(node, {
      list: left.list,
      key: union(left.key, right.key),
      value: union(left.value, right.value),
    });
  }

  #operand(node: Expression): Operand {
    const knownSize = this.#size(node);
    const path = this.#path(node);
    return {
      type: node.type!,
      literal: node.kind === 'literal' ? node.value : undefined,
      path: path[0] === accumulatorName ? [] : path,
      knownSize,
      size: knownSize ?? unknownSize,
    };
  }

  #itemsOf(list: Operand): Operand | undefined {
    const [type] = parametersOf(list.type);
    if (type === undefined) return undefined;
    const path = list.path.length === 0 ? [] : [...list.path, '@items'];
    const knownSize = this.#declaredSize(path);
    return { type, path, knownSize, size: knownSize ?? unknownSize };
  }

  #size(node: Expression): Range | undefined {
    const known = this.#sizes.get(node) ?? writtenSize(node);
    if (known !== undefined) return known;
    const declared = this.#declaredSize(this.#path(node));
    if (declared !== undefined) {
      this.#sizes.set(node, declared);
      return declared;
    }
    if (isScalar(node.type!)) return one;
    return node.kind === 'ident' ? this.#local(node.name)?.size : undefined;
  }

  #entrySizes(node: Expression): EntrySizes | undefined {
    return this.#entries.get(node) ?? (node.kind === 'ident' ? this.#local(node.name)?.entries : undefined);
  }

  /** Follows a path through the declared types. */
  #declaredSize([root, ...names]: Path): Range | undefined {
    if (root === undefined || !Object.hasOwn(this.#variables, root)) return undefined;
    let type: CelType | undefined = this.#variables[root];
    for (const name of names) type = type === undefined ? undefined : typeAt(type, name);
    return type?.maxElements === undefined ? undefined : { min: 0, max: type.maxElements };
  }
}

function typeAt(type: CelType, name: string): CelType | undefined {
  switch (type.kind) {
    case 'list':
      return name === '@items' ? type.items : undefined;
    case 'map':
      return name === '@values' || name === '@items' ? type.values : name === '@keys' ? type.keys : undefined;
    case 'object':
      return Object.hasOwn(type.fields, name) ? type.fields[name]!.type : undefined;
    default:
      return undefined;
  }
}

/** The size of what the expression spells out. */
function writtenSize(node: Expression): Range | undefined {
  switch (node.kind) {
    case 'literal':
      if (typeof node.value === 'string') return exactly(codePoints(node.value));
      return exactly(node.value instanceof Uint8Array ? node.value.length : 1);
    case 'list':
      return exactly(node.elements.length);
    case 'map':
      return exactly(node.entries.length);
    default:
      return undefined;
  }
}

function isScalar(type: CelType): boolean {
  return scalars.has(type.kind) || (isOptional(type) && isScalar(type.parameters[0]!));
}

function isBinding({ range, condition, accumulator }: ComprehensionExpression): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== accumulatorName
  );
}
