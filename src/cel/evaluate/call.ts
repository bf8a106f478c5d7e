import { CelError, isAbsorbable, noSuchOverload } from '../cel-error.ts';
import { type CelType, isDynamic, isOptional, parametersOf, typeName } from '../checker/cel-type.ts';
import type { Overload } from '../checker/declarations.ts';
import { spend } from '../work.ts';
import type { Frame, Run } from './frame.ts';
import { ListValue, MapValue, Optional, typeNameOf } from './values.ts';

type Implementation = (...values: readonly unknown[]) => unknown;

/** Compiles a call of a function. Without dynamic operands the overload is known. */
export function planCall(overloads: readonly Overload[], operands: readonly Run[], types: readonly CelType[]): Run {
  const [only] = overloads;
  if (overloads.length === 1 && !types.some(mayBeDynamic)) return staticCall(only!, operands);
  return dynamicCall(overloads, operands);
}

function mayBeDynamic(type: CelType): boolean {
  return isDynamic(type) || type.kind === 'null' || parametersOf(type).some(mayBeDynamic);
}

function staticCall({ call, cost, parameters }: Overload, operands: readonly Run[]): Run {
  const implementation = call as Implementation;
  const actual = cost.actual?.bind(cost);
  // A field may be null whatever its type.
  const [first, second] = operands.map((run, index) => (acceptsNull(parameters[index]!) ? run : withoutNull(run)));
  if (operands.length === 2 && actual === undefined) {
    return (frame) => {
      const left = first!(frame);
      const right = second!(frame);
      frame.charge(1);
      return implementation(left, right);
    };
  }
  if (operands.length === 2) {
    return (frame) => {
      const left = first!(frame);
      const right = second!(frame);
      const result = implementation(left, right);
      frame.charge(actual!([left, right], result));
      return result;
    };
  }
  if (operands.length === 1) {
    return (frame) => {
      const value = first!(frame);
      const result = implementation(value);
      frame.charge(actual === undefined ? 1 : actual([value], result));
      return result;
    };
  }
  return (frame) => {
    const values = operands.map((operand) => operand(frame));
    if (!values.every((value, index) => value !== null || acceptsNull(parameters[index]!))) throw noSuchOverload();
    return charged(frame, implementation, { values, actual });
  };
}

function acceptsNull(type: CelType): boolean {
  return isDynamic(type) || type.kind === 'parameter' || type.kind === 'null';
}

function withoutNull(run: Run): Run {
  return (frame) => {
    const value = run(frame);
    if (value === null) throw noSuchOverload();
    return value;
  };
}

function charged(
  frame: Frame,
  implementation: Implementation,
  {
    values,
    actual,
  }: { values: readonly unknown[]; actual: ((args: readonly unknown[], result: unknown) => number) | undefined },
): unknown {
  const result = implementation(...values);
  frame.charge(actual === undefined ? 1 : actual(values, result));
  return result;
}

function dynamicCall(overloads: readonly Overload[], operands: readonly Run[]): Run {
  const { name } = overloads[0]!;
  return (frame) => {
    const values = operands.map((operand) => operand(frame));
    const overload = overloads.find(({ parameters }) => parameters.every((type, index) => fits(values[index], type)));
    if (overload === undefined) throw mismatch(name, values);
    return charged(frame, overload.call as Implementation, { values, actual: overload.cost.actual });
  };
}

/** Operators only say that they do not fit. */
function mismatch(name: string, values: readonly unknown[]): CelError {
  if (/^[_@!-]/.test(name)) return noSuchOverload();
  return new CelError(`no such overload: ${name}(${values.map(typeNameOf).join(', ')})`);
}

function fits(value: unknown, type: CelType): boolean {
  if (isDynamic(type) || type.kind === 'parameter') return true;
  if (type.kind === 'list') return value instanceof ListValue && itemsFit(value, type.items);
  if (type.kind === 'map') return value instanceof MapValue;
  if (isOptional(type)) return value instanceof Optional;
  return typeNameOf(value) === typeName(type);
}

function itemsFit(list: ListValue, type: CelType): boolean {
  if (isDynamic(type) || type.kind === 'parameter') return true;
  for (const item of list) {
    spend(0.1);
    if (!fits(item, type)) return false;
  }
  return true;
}

/** `&&` and `||`: one operand that decides makes errors of the other irrelevant. */
export function planLogical(left: Run, right: Run, deciding: boolean): Run {
  return (frame) => {
    let first: unknown;
    try {
      first = left(frame);
    } catch (error) {
      if (isAbsorbable(error) && right(frame) === deciding) return deciding;
      throw error;
    }
    if (first === deciding) return deciding;
    const second = right(frame);
    if (second === deciding) return deciding;
    if (typeof first !== 'boolean' || typeof second !== 'boolean') throw noSuchOverload();
    return !deciding;
  };
}

export function planNotStrictlyFalse(operand: Run): Run {
  return (frame) => {
    frame.charge(1);
    try {
      return operand(frame) !== false;
    } catch (error) {
      if (isAbsorbable(error)) return true;
      throw error;
    }
  };
}

/** `or` and `orValue` only evaluate the alternative when they need it. */
export function planOptionalOr(optional: Run, alternative: Run, unwrap: { readonly unwrap: boolean }): Run {
  return (frame) => {
    const value = optional(frame);
    if (!(value instanceof Optional)) throw noSuchOverload();
    if (value.value === undefined) return alternative(frame);
    return unwrap.unwrap ? value.value : value;
  };
}
