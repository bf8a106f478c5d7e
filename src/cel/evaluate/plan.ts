import { CelError, isAbsorbable, noSuchOverload } from '../cel-error.ts';
import type { CelType } from '../checker/cel-type.ts';
import { typeNames } from '../checker/declarations.ts';
import { unescapeFieldName } from '../field-name.ts';
import { typeValue } from '../library/conversions.ts';
import {
  accumulatorName,
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
  type ListExpression,
  type MapExpression,
  type SelectExpression,
} from '../parser/expression.ts';
import { spend } from '../work.ts';
import { adoptJson } from './adopt-json.ts';
import { planCall, planLogical, planNotStrictlyFalse, planOptionalOr } from './call.ts';
import { indexIn } from './equality.ts';
import { Frame, type Run } from './frame.ts';
import { getEntry, hasEntry, optionalEntry } from './select.ts';
import { EntryMap, JsonMap, ListValue, MapValue, Optional, Uint } from './values.ts';

/** A compiled expression and the number of slots it needs. */
export interface Plan {
  readonly run: Run;
  readonly slots: number;
}

/** Compiles a checked expression into closures. */
export function planExpression(root: Expression, variables: Readonly<Record<string, CelType>>): Plan {
  const planner = new Planner(variables);
  const run = planner.plan(root);
  return { run, slots: planner.slots };
}

/**
 * What reading a chain such as `a.b[0]` costs: one for the variable or other value it starts with, and one for each
 * step. A chain that is a branch of `?:` or an index is not charged for its start.
 */
interface ChainCost {
  readonly start: 0 | 1;
  readonly steps: number;
}

const wholeChain: ChainCost = { start: 1, steps: 0 };
const partOfChain: ChainCost = { start: 0, steps: 0 };
const oneMore = ({ start, steps }: ChainCost): ChainCost => ({ start, steps: steps + 1 });
const chainCalls: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._', '_?_:_']);

interface Local {
  readonly name: string;
  readonly slot: number;
  /** The value of `cel.bind`, which is computed when it is first read. */
  readonly lazy?: Run;
}

class Planner {
  slots = 0;
  readonly #variables: Readonly<Record<string, CelType>>;
  readonly #variableSlots = new Map<string, number>();
  readonly #locals: Local[] = [];
  readonly #constants = new Map<Run, unknown>();
  /** Macros use expressions several times. */
  readonly #plans = new Map<Expression, Run>();

  constructor(variables: Readonly<Record<string, CelType>>) {
    this.#variables = variables;
  }

  plan(node: Expression): Run {
    if (isChain(node)) return this.#chain(node, wholeChain);
    let run = this.#plans.get(node);
    if (run === undefined) {
      run = this.#plan(node);
      this.#plans.set(node, run);
    }
    return run;
  }

  #plan(node: Expression): Run {
    switch (node.kind) {
      case 'literal':
        return this.#constant(node.value);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'comprehension':
        return isBinding(node) ? this.#binding(node) : this.#comprehension(node);
      default:
        throw new CelError(`unsupported expression: ${node.kind}`, 'compile');
    }
  }

  #constant(value: unknown): Run {
    const run: Run = () => value;
    this.#constants.set(run, value);
    return run;
  }

  /** The value of constant operands. Undefined when one is not constant. */
  #constantsOf(operands: readonly Run[]): readonly unknown[] | undefined {
    return operands.every((run) => this.#constants.has(run))
      ? operands.map((run) => this.#constants.get(run))
      : undefined;
  }

  #chain(node: Expression, cost: ChainCost): Run {
    if (node.kind === 'ident') return this.#ident(node.name, cost);
    if (node.kind === 'select') return this.#select(node, cost);
    if (node.kind === 'call' && chainCalls.has(node.name)) {
      if (node.name === '_?_:_') return this.#conditional(node, cost);
      return node.name === '_[_]' ? this.#index(node, cost) : this.#optionalEntry(node, cost);
    }
    const run = this.plan(node);
    const total = cost.start + cost.steps;
    if (total === 0) return run;
    return (frame) => {
      const value = run(frame);
      frame.charge(total);
      return value;
    };
  }

  #ident(name: string, { start, steps }: ChainCost): Run {
    const cost = start + steps;
    const local = name.startsWith('.') ? undefined : this.#locals.findLast((variable) => variable.name === name);
    if (local !== undefined) return readLocal(local, cost);
    const plain = name.replace(/^\./, '');
    if (!Object.hasOwn(this.#variables, plain)) return this.#constant(typeValue(plain));
    const type = this.#variables[plain]!;
    const slot = this.#variableSlot(plain);
    return (frame) => {
      frame.charge(cost);
      const known = frame.slots[slot];
      if (known !== undefined) return known;
      const json = Object.hasOwn(frame.values, plain) ? frame.values[plain] : undefined;
      if (json === undefined) throw new CelError(`no such attribute(s): ${plain}`);
      const value = adoptJson(json, type);
      frame.slots[slot] = value;
      return value;
    };
  }

  #variableSlot(name: string): number {
    let slot = this.#variableSlots.get(name);
    if (slot === undefined) {
      slot = this.slots++;
      this.#variableSlots.set(name, slot);
    }
    return slot;
  }

  #select(node: SelectExpression, cost: ChainCost): Run {
    const { field, operand } = node;
    if (node.qualifiedName !== undefined) {
      return typeNames.has(node.qualifiedName)
        ? this.#constant(typeValue(node.qualifiedName))
        : this.#ident(node.qualifiedName, cost);
    }
    if (node.test) return this.#presence(node, cost);
    const run = this.#chain(operand, oneMore(cost));
    const { type } = operand;
    if (type?.kind !== 'object') return (frame) => getEntry(run(frame), field);
    const property = unescapeFieldName(field);
    const fieldType = type.fields[field]!.type;
    return (frame) => {
      const object = run(frame);
      if (!(object instanceof JsonMap)) return getEntry(object, field);
      const value = object.read(property, fieldType);
      if (value === undefined) throw new CelError(`no such key: ${field}`);
      return value;
    };
  }

  /** Costs as much as its operand. */
  #presence({ operand, field }: SelectExpression, { steps }: ChainCost): Run {
    const run = this.#chain(operand, { start: 0, steps: steps + 1 });
    return (frame) => hasEntry(run(frame), field);
  }

  #index(node: CallExpression, cost: ChainCost): Run {
    const [operand, index] = node.args as readonly [Expression, Expression];
    const container = this.#chain(operand, oneMore(cost));
    const key = this.#chain(index, partOfChain);
    return (frame) => {
      const value = container(frame);
      return getEntry(value, key(frame));
    };
  }

  /** `a.?b` and `a[?b]`. Steps that find nothing cost nothing. */
  #optionalEntry(node: CallExpression, cost: ChainCost): Run {
    const [operand, index] = node.args as readonly [Expression, Expression];
    const container = this.#chain(operand, { start: cost.start, steps: 0 });
    const key = this.#chain(index, partOfChain);
    const steps = cost.steps + 1;
    return (frame) => {
      const value = container(frame);
      const entry = optionalEntry(value, key(frame));
      if (entry.value !== undefined) frame.charge(steps);
      return entry;
    };
  }

  #conditional(node: CallExpression, { steps }: ChainCost): Run {
    const [condition, whenTrue, whenFalse] = node.args as readonly [Expression, Expression, Expression];
    const test = this.plan(condition);
    const first = this.#chain(whenTrue, partOfChain);
    const second = this.#chain(whenFalse, partOfChain);
    return (frame) => {
      frame.charge(steps);
      const result = test(frame);
      if (result === true) return first(frame);
      if (result === false) return second(frame);
      throw noSuchOverload();
    };
  }

  #call(node: CallExpression): Run {
    const nodes = node.target === undefined ? node.args : [node.target, ...node.args];
    const operands = nodes.map((operand) => this.plan(operand));
    const [first, second] = operands;
    switch (node.name) {
      case '_&&_':
        return planLogical(first!, second!, false);
      case '_||_':
        return planLogical(first!, second!, true);
      case '@not_strictly_false':
        return planNotStrictlyFalse(first!);
      case 'or':
      case 'orValue':
        return planOptionalOr(first!, second!, { unwrap: node.name === 'orValue' });
      case '@in':
        return this.#membership(first!, second!) ?? this.#function(node, operands);
      default:
        return this.#function(node, operands);
    }
  }

  #function(node: CallExpression, operands: readonly Run[]): Run {
    const overloads = node.overloads ?? [];
    const nodes = node.target === undefined ? node.args : [node.target, ...node.args];
    const run = planCall(
      overloads,
      operands,
      nodes.map(({ type }) => type!),
    );
    const constants = overloads.every(({ foldable }) => foldable) ? this.#constantsOf(operands) : undefined;
    return constants === undefined ? run : (this.#folded(run) ?? run);
  }

  /** The constant that a call always returns. Undefined when it always fails. */
  #folded(run: Run): Run | undefined {
    try {
      return this.#constant(run(new Frame({}, { limit: Number.POSITIVE_INFINITY, slots: 0 })));
    } catch (error) {
      if (isAbsorbable(error)) return undefined;
      throw error;
    }
  }

  /** Looking up a value in a list of constants costs nothing but the value. */
  #membership(value: Run, list: Run): Run | undefined {
    const [constant] = this.#constantsOf([list]) ?? [];
    if (!(constant instanceof ListValue)) return undefined;
    const items = constant.toArray();
    const [type] = items.map((item) => typeof item);
    if (
      !items.every((item) => typeof item === type && (type === 'string' || type === 'bigint' || type === 'boolean'))
    ) {
      return undefined;
    }
    const known = new Set(items);
    return (frame) => {
      const wanted = value(frame);
      return known.has(wanted) || (typeof wanted !== type && indexIn(constant, wanted) >= 0);
    };
  }

  #list({ elements, optional }: ListExpression): Run {
    const runs = elements.map((element) => this.plan(element));
    const constants = optional.size === 0 ? this.#constantsOf(runs) : undefined;
    if (constants !== undefined) return this.#constant(new ListValue(constants));
    return (frame) => {
      const items: unknown[] = [];
      for (const [index, run] of runs.entries()) {
        const value = run(frame);
        if (!optional.has(index)) items.push(value);
        else if (!(value instanceof Optional)) throw noSuchOverload();
        else if (value.value !== undefined) items.push(value.value);
      }
      frame.charge(10);
      return new ListValue(items);
    };
  }

  #map({ entries }: MapExpression): Run {
    const runs = entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    const make: Run = (frame) => {
      const map = new EntryMap();
      for (const { key, value, optional } of runs) {
        const name = checkedKey(key(frame));
        const item = value(frame);
        if (map.has(name)) throw new CelError(`Failed with repeated key: ${String(name)}`);
        if (!optional) map.set(name, item);
        else if (!(item instanceof Optional)) throw noSuchOverload();
        else if (item.value !== undefined) map.set(name, item.value);
      }
      return map;
    };
    const isConstant = this.#constantsOf(runs.flatMap(({ key, value }) => [key, value])) !== undefined;
    const constant = isConstant && !entries.some(({ optional }) => optional) ? this.#folded(make) : undefined;
    if (constant !== undefined) return constant;
    return (frame) => {
      const map = make(frame);
      frame.charge(30);
      return map;
    };
  }

  #binding(node: ComprehensionExpression): Run {
    const slot = this.slots++;
    const lazy = this.plan(node.init);
    this.#locals.push({ name: node.accumulator, slot, lazy });
    const result = this.plan(node.result);
    this.#locals.pop();
    return (frame) => {
      frame.slots[slot] = undefined;
      return result(frame);
    };
  }

  #comprehension(node: ComprehensionExpression): Run {
    const range = this.plan(node.range);
    const init = this.plan(node.init);
    const accumulator = this.slots++;
    const first = this.slots++;
    const second = this.slots++;
    this.#locals.push({ name: node.accumulator, slot: accumulator });
    const outer = this.#locals.length;
    this.#locals.push({ name: node.variable, slot: first });
    if (node.variable2 !== undefined) this.#locals.push({ name: node.variable2, slot: second });
    const condition = this.plan(node.condition);
    const step = this.plan(node.step);
    this.#locals.length = outer;
    const result = this.plan(node.result);
    this.#locals.length = outer - 1;
    const two = node.variable2 !== undefined;
    const iterate = (frame: Frame, key: unknown, value: unknown): boolean => {
      const { slots } = frame;
      slots[first] = key;
      if (two) slots[second] = value;
      spend(0.01);
      if (condition(frame) !== true) return false;
      slots[accumulator] = outcome(step, frame);
      return true;
    };
    return (frame) => {
      const entries = range(frame);
      frame.slots[accumulator] = outcome(init, frame);
      if (entries instanceof ListValue) {
        for (let index = 0; index < entries.length; index++) {
          const item = entries.get(index);
          if (!(two ? iterate(frame, BigInt(index), item) : iterate(frame, item, undefined))) break;
        }
      } else if (entries instanceof MapValue) {
        for (const key of entries.keys()) if (!iterate(frame, key, two ? entries.find(key) : undefined)) break;
      } else throw noSuchOverload();
      return result(frame);
    };
  }
}

/** The value, or the error as long as a later step may make it irrelevant. */
function outcome(run: Run, frame: Frame): unknown {
  try {
    return run(frame);
  } catch (error) {
    if (isAbsorbable(error)) return error;
    throw error;
  }
}

function readLocal({ slot, lazy }: Local, cost: number): Run {
  return (frame) => {
    frame.charge(cost);
    let value = frame.slots[slot];
    if (value === undefined && lazy !== undefined) {
      value = outcome(lazy, frame);
      frame.slots[slot] = value;
    }
    if (value instanceof CelError) throw value;
    return value;
  };
}

function isChain(node: Expression): boolean {
  return node.kind === 'ident' || node.kind === 'select' || (node.kind === 'call' && chainCalls.has(node.name));
}

function isBinding({ accumulator, condition }: ComprehensionExpression): boolean {
  return accumulator !== accumulatorName && condition.kind === 'literal' && condition.value === false;
}

function checkedKey(key: unknown): unknown {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean' || key instanceof Uint) return key;
  throw new CelError('unsupported key type');
}
