import { CelError, noSuchOverload } from '../cel-error.ts';
import { type CelType, fieldTypeOf } from '../checker/cel-type.ts';
import { typeNames } from '../checker/declarations.ts';
import { unescapeFieldName } from '../field-name.ts';
import { typeValue } from '../library/conversions.ts';
import { wellKnownConstants } from '../library/well-known-messages.ts';
import {
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
  isBinding,
  type ListExpression,
  type MapExpression,
  type SelectExpression,
} from '../parser/expression.ts';
import { adoptJson } from './adopt-json.ts';
import { planAnd, planCall, planNotStrictlyFalse, planOptionalOr, planOr } from './call.ts';
import { listOf, mapOf } from './collections.ts';
import { Constants, planMembership } from './constants.ts';
import type { Run } from './frame.ts';
import { loopOver, outcome } from './loop.ts';
import { planMessage } from './message.ts';
import { runResumable } from './progress.ts';
import { getEntry, hasEntry, optionalEntry } from './select.ts';
import { JsonMap } from './values.ts';

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
 * The cost of reading a chain such as `a.b[0]`: one for the variable or other value it starts with, and one for each
 * step. A chain that is a branch of `?:` or an index is not charged for its start.
 */
interface ChainCost {
  readonly start: 0 | 1;
  readonly steps: number;
}

const wholeChain: ChainCost = { start: 1, steps: 0 };
const innerChain: ChainCost = { start: 0, steps: 0 };
const oneMore = ({ start, steps }: ChainCost): ChainCost => ({ start, steps: steps + 1 });
const chainCalls: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._', '_?_:_']);

interface Local {
  readonly name: string;
  readonly slot: number;
  /** The value of `cel.bind`, which is computed when it is first read. */
  readonly lazy?: Run;
}

/** The value of `cel.bind` when it was interrupted, if it was known then and is not computed again. */
interface Bound {
  readonly value: unknown;
}

class Planner {
  slots = 0;
  readonly #variables: Readonly<Record<string, CelType>>;
  readonly #variableSlots = new Map<string, number>();
  readonly #locals: Local[] = [];
  readonly #constants = new Constants();
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
        return this.#constants.add(node.value);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return planMessage(node, (value) => this.plan(value));
      case 'comprehension':
        return isBinding(node) ? this.#binding(node) : this.#comprehension(node);
      default:
        throw new CelError(`unsupported expression: ${node.kind}`, 'compile');
    }
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
    return total === 0 ? run : chargedAfter(run, total);
  }

  #ident(name: string, { start, steps }: ChainCost): Run {
    const cost = start + steps;
    const local = name.startsWith('.') ? undefined : this.#locals.findLast((variable) => variable.name === name);
    if (local !== undefined) return readLocal(local, cost);
    const plain = name.replace(/^\./, '');
    if (!Object.hasOwn(this.#variables, plain)) {
      return this.#constants.add(wellKnownConstants.get(plain) ?? typeValue(plain));
    }
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
        ? this.#constants.add(typeValue(node.qualifiedName))
        : this.#ident(node.qualifiedName, cost);
    }
    if (node.test) return this.#presence(node, cost);
    const run = this.#chain(operand, oneMore(cost));
    const { type } = operand;
    if (type?.kind !== 'object') return (frame) => getEntry(run(frame), field);
    const property = unescapeFieldName(field);
    const fieldType = fieldTypeOf(type, field)!;
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
    const key = this.#chain(index, innerChain);
    this.#constants.checkKey(key);
    return (frame) => {
      const value = container(frame);
      return getEntry(value, key(frame));
    };
  }

  /** `a.?b` and `a[?b]`. Steps that find nothing cost nothing. */
  #optionalEntry(node: CallExpression, cost: ChainCost): Run {
    const [operand, index] = node.args as readonly [Expression, Expression];
    const container = this.#chain(operand, { start: cost.start, steps: 0 });
    const key = this.#chain(index, innerChain);
    this.#constants.checkKey(key);
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
    const first = this.#chain(whenTrue, innerChain);
    const second = this.#chain(whenFalse, innerChain);
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
        return planAnd(first!, second!);
      case '_||_':
        return planOr(first!, second!);
      case '@not_strictly_false':
        return planNotStrictlyFalse(first!);
      case 'or':
      case 'orValue':
        return planOptionalOr(first!, second!, { unwrap: node.name === 'orValue' });
      case '@in':
        return planMembership(first!, this.#constants.valueOf(second!)) ?? this.#function(node, operands);
      default:
        return this.#function(node, operands);
    }
  }

  #function(node: CallExpression, operands: readonly Run[]): Run {
    const overloads = node.overloads ?? [];
    const nodes = node.target === undefined ? node.args : [node.target, ...node.args];
    if (overloads.some(({ hasPattern }) => hasPattern)) this.#constants.checkPattern(operands[1]!);
    const run = planCall(
      overloads,
      operands,
      nodes.map(({ type }) => type!),
    );
    const isConstant = overloads.some(({ foldable }) => foldable) && this.#constants.areConstant(operands);
    return isConstant ? this.#constants.convert(run) : run;
  }

  #list({ elements, optional }: ListExpression): Run {
    const runs = elements.map((element) => this.plan(element));
    const isConstant = optional.size === 0 && this.#constants.areConstant(runs);
    return this.#collection(listOf(runs, optional), { isConstant, cost: 10 });
  }

  #map({ entries }: MapExpression): Run {
    const runs = entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    const isConstant =
      !entries.some(({ optional }) => optional) &&
      this.#constants.areConstant(runs.flatMap(({ key, value }) => [key, value]));
    return this.#collection(mapOf(runs), { isConstant, cost: 30 });
  }

  #collection(make: Run, { isConstant, cost }: { readonly isConstant: boolean; readonly cost: number }): Run {
    return (isConstant ? this.#constants.fold(make) : undefined) ?? chargedAfter(make, cost);
  }

  #binding(node: ComprehensionExpression): Run {
    const slot = this.slots++;
    const lazy = this.plan(node.init);
    this.#locals.push({ name: node.accumulator, slot, lazy });
    const result = this.plan(node.result);
    this.#locals.pop();
    return (frame) => {
      if (frame.progressList === undefined) {
        frame.slots[slot] = undefined;
        return result(frame);
      }
      return runResumable(frame, {
        run: ({ saved }) => {
          frame.slots[slot] = (saved as Bound | undefined)?.value;
          return result(frame);
        },
        save: (): Bound => ({ value: frame.slots[slot] }),
      });
    };
  }

  #comprehension(node: ComprehensionExpression): Run {
    const range = this.plan(node.range);
    const init = this.plan(node.init);
    const accumulator = this.slots++;
    const first = this.slots++;
    const second = node.variable2 === undefined ? undefined : this.slots++;
    this.#locals.push({ name: node.accumulator, slot: accumulator });
    const outer = this.#locals.length;
    this.#locals.push({ name: node.variable, slot: first });
    if (second !== undefined) this.#locals.push({ name: node.variable2!, slot: second });
    const condition = this.plan(node.condition);
    const step = this.plan(node.step);
    this.#locals.length = outer;
    const result = this.plan(node.result);
    this.#locals.length = outer - 1;
    return loopOver(range, { init, condition, step, result, slots: { accumulator, first, second } });
  }
}

function chargedAfter(run: Run, cost: number): Run {
  return (frame) => {
    const value = run(frame);
    frame.charge(cost);
    return value;
  };
}

function readLocal({ slot, lazy }: Local, cost: number): Run {
  return (frame) => {
    frame.charge(cost);
    let value = frame.slots[slot];
    if (value === undefined && lazy !== undefined) {
      value = outcome(lazy, frame);
      frame.slots[slot] = value;
      frame.progressList?.bound.push(slot);
    }
    if (value instanceof CelError) throw value;
    return value;
  };
}

function isChain(node: Expression): boolean {
  return node.kind === 'ident' || node.kind === 'select' || (node.kind === 'call' && chainCalls.has(node.name));
}
