import { CelError, isAbsorbable, noSuchOverload } from '../cel-error.ts';
import { type CelType, isDynamic, isOptional, type MapType, parametersOf, typeName } from '../checker/cel-type.ts';
import type { Overload } from '../checker/declarations.ts';
import type { Frame, Run } from './frame.ts';
import { outcome } from './loop.ts';
import { mismatch } from './mismatch.ts';
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
  const [first, second] = operands;
  // A field of any type may be null.
  const [refusesFirst, refusesSecond] = parameters.map((type) => !acceptsNull(type));
  if (operands.length === 2) {
    return (frame) => {
      const left = first!(frame);
      const right = second!(frame);
      if ((left === null && refusesFirst) || (right === null && refusesSecond)) throw mismatch(name, [left, right]);
      if (mayBeLong && (isLarge(left) || isLarge(right))) return longCall(frame, overload, [left, right]);
      frame.charge(actual === undefined ? 1 : actual([left, right]));
      return implementation(left, right);
    };
  }
  if (operands.length === 1) {
    return (frame) => {
      const value = first!(frame);
      if (value === null && refusesFirst) throw mismatch(name, [value]);
      if (mayBeLong && isLarge(value)) return longCall(frame, overload, [value]);
      frame.charge(actual === undefined ? 1 : actual([value]));
      return implementation(value);
    };
  }
  return (frame) => {
    const values = operands.map((operand) => operand(frame));
    if (!values.every((value, index) => value !== null || acceptsNull(parameters[index]!)))
      throw mismatch(name, values);
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
    const overload = overloads.find(({ parameters, unguarded }) =>
      parameters.every((type, index) => (unguarded ? isOfKind : fits)(values[index], type)),
    );
    if (overload === undefined) throw mismatch(name, values);
    return charged(frame, overload, values);
  };
}

function fits(value: unknown, type: CelType): boolean {
  if (isDynamic(type) || type.kind === 'parameter') return true;
  // Only the first entry is looked at, so functions must expect others of another type.
  if (type.kind === 'list') return value instanceof ListValue && (value.length === 0 || fits(value.get(0), type.items));
  if (type.kind === 'map') return value instanceof MapValue && entryFits(value, type);
  if (isOptional(type)) return value instanceof Optional;
  return typeNameOf(value) === typeName(type);
}

/** Whatever is in it. */
function isOfKind(value: unknown, type: CelType): boolean {
  return type.kind === 'list' ? value instanceof ListValue : fits(value, type);
}

function entryFits(map: MapValue, { keys, values }: MapType): boolean {
  const first = map.keys()[0];
  return first === undefined || (fits(first, keys) && fits(map.find(first), values));
}

export function planAnd(left: Run, right: Run): Run {
  return planLogical(left, right, { deciding: false });
}

export function planOr(left: Run, right: Run): Run {
  return planLogical(left, right, { deciding: true });
}

/** One operand that decides makes errors of the other irrelevant. Of two errors, the first is reported. */
function planLogical(left: Run, right: Run, { deciding }: { readonly deciding: boolean }): Run {
  return (frame) => {
    const first = outcome(left, frame);
    if (first === deciding) return deciding;
    const second = outcome(right, frame);
    if (second === deciding) return deciding;
    requireBool(first);
    requireBool(second);
    return !deciding;
  };
}

function requireBool(value: unknown): void {
  if (typeof value === 'boolean') return;
  throw value instanceof CelError ? value : noSuchOverload();
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

/** `or` and `orValue` only evaluate the alternative when they need it. Values that are not optional stay as they are. */
export function planOptionalOr(optional: Run, alternative: Run, unwrap: { readonly unwrap: boolean }): Run {
  return (frame) => {
    const value = optional(frame);
    if (!(value instanceof Optional)) return value;
    if (value.value === undefined) return alternative(frame);
    return unwrap.unwrap ? value.value : value;
  };
}
