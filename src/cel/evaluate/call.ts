import { CelError, isAbsorbable, noSuchOverload } from '../cel-error.ts';
import { type CelType, isDynamic, isOptional, parametersOf, typeName } from '../checker/cel-type.ts';
import type { Overload } from '../checker/declarations.ts';
import { spend } from '../work.ts';
import type { Frame, Run } from './frame.ts';
import { runResumable } from './progress.ts';
import { ListValue, MapValue, OpaqueValue, Optional, typeNameOf } from './values.ts';

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

/** The duration of these functions does not depend on the size of the operand, or only on that of the appended part. */
const quickFunctions: ReadonlySet<string> = new Set(['_+_', 'size', 'type', 'dyn']);

function staticCall(overload: Overload, operands: readonly Run[]): Run {
  const { name, call, cost, parameters } = overload;
  const implementation = call as Implementation;
  const actual = cost.actual?.bind(cost);
  const mayBeLong = !quickFunctions.has(name) && parameters.some(mayBeLarge);
  // A field of any type may be null.
  const [first, second] = operands.map((run, index) => (acceptsNull(parameters[index]!) ? run : withoutNull(run)));
  if (operands.length === 2) {
    return (frame) => {
      const left = first!(frame);
      const right = second!(frame);
      if (mayBeLong && (isLarge(left) || isLarge(right))) return longCall(frame, overload, [left, right]);
      frame.charge(actual === undefined ? 1 : actual([left, right]));
      return implementation(left, right);
    };
  }
  if (operands.length === 1) {
    return (frame) => {
      const value = first!(frame);
      if (mayBeLong && isLarge(value)) return longCall(frame, overload, [value]);
      frame.charge(actual === undefined ? 1 : actual([value]));
      return implementation(value);
    };
  }
  return (frame) => {
    const values = operands.map((operand) => operand(frame));
    if (!values.every((value, index) => value !== null || acceptsNull(parameters[index]!))) throw noSuchOverload();
    return charged(frame, overload, values);
  };
}

/** The sizes from which a call may take a millisecond. */
const largeText = 20_000;
const largeList = 2_000;

function isLarge(value: unknown): boolean {
  if (typeof value === 'string') return value.length > largeText;
  if (typeof value !== 'object') return false;
  if (value instanceof ListValue) return value.length > largeList;
  if (value instanceof Uint8Array) return value.length > largeText;
  return value instanceof OpaqueValue && value.size > largeText;
}

function mayBeLarge({ kind }: CelType): boolean {
  return !['int', 'uint', 'double', 'bool', 'null', 'timestamp', 'duration', 'type'].includes(kind);
}

/**
 * A call that may take many milliseconds. It is not started when the turn of the event loop is over. Its result is not
 * computed again when a later part of the expression is interrupted.
 */
function longCall(frame: Frame, { call, cost }: Overload, values: readonly unknown[]): unknown {
  frame.refuseIfQuick();
  const run = () => {
    // First, so that a call which is too expensive is not made.
    frame.charge(cost.actual === undefined ? 1 : cost.actual(values));
    return (call as Implementation)(...values);
  };
  if (frame.progressList === undefined) return run();
  frame.checkNow();
  return runResumable(frame, { run, save: () => undefined });
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

function charged(frame: Frame, overload: Overload, values: readonly unknown[]): unknown {
  const { name, call, cost } = overload;
  if (!quickFunctions.has(name) && values.some(isLarge)) return longCall(frame, overload, values);
  frame.charge(cost.actual === undefined ? 1 : cost.actual(values));
  return (call as Implementation)(...values);
}

function dynamicCall(overloads: readonly Overload[], operands: readonly Run[]): Run {
  const { name } = overloads[0]!;
  return (frame) => {
    const values = operands.map((operand) => operand(frame));
    const overload = overloads.find(({ parameters }) => parameters.every((type, index) => fits(values[index], type)));
    if (overload === undefined) throw mismatch(name, values);
    return charged(frame, overload, values);
  };
}

/** Operators only report that no overload matches. */
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

export function planAnd(left: Run, right: Run): Run {
  return planLogical(left, right, { deciding: false });
}

export function planOr(left: Run, right: Run): Run {
  return planLogical(left, right, { deciding: true });
}

/** One operand that decides makes errors of the other irrelevant. */
function planLogical(left: Run, right: Run, { deciding }: { readonly deciding: boolean }): Run {
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
