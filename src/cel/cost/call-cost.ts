import type { CelType } from '../checker/cel-type.ts';
import type { Path } from './path.ts';

/** A range of sizes or costs. Numbers saturate at the largest unsigned 64-bit integer. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const unbounded = 2 ** 64;
export const unknownSize: Range = { min: 0, max: unbounded };
export const exactly = (value: number): Range => ({ min: value, max: value });
const saturated = (value: number): number => Math.min(value, unbounded);

export const plus = (left: Range, right: Range): Range => ({
  min: saturated(left.min + right.min),
  max: saturated(left.max + right.max),
});
export const times = (left: Range, right: Range): Range => ({
  min: saturated(left.min * right.min),
  max: saturated(left.max * right.max),
});
/** Rounds up. */
export const scaled = (range: Range, factor: number): Range => ({
  min: saturated(Math.ceil(range.min * factor)),
  max: saturated(Math.ceil(range.max * factor)),
});
export const union = (left: Range, right: Range): Range => ({
  min: Math.min(left.min, right.min),
  max: Math.max(left.max, right.max),
});

/** The cost of reading one character of a text. */
export const perCharacter = 0.1;
/** The cost of one character of a regular expression, which counts once per character of the text. */
export const perPatternCharacter = 0.25;

/** An operand of a call whose cost is estimated. */
export interface Operand {
  readonly type: CelType;
  /** The value of a literal. */
  readonly literal?: unknown;
  readonly path: Path;
  readonly size: Range;
  /** Like `size`, but undefined if the size is not known. */
  readonly knownSize: Range | undefined;
}

export interface EstimatedCall {
  readonly target: Operand | undefined;
  readonly args: readonly Operand[];
  /** The items of a list, if the type has items. */
  itemsOf(list: Operand): Operand | undefined;
}

export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** The cost of a call without its operands. An absent function means a cost of one. */
export interface CallCost {
  actual?(args: readonly unknown[]): number;
  estimate?(call: EstimatedCall): CallEstimate | undefined;
}

/** The cost of functions that Kubernetes counts as one, also when other functions share the name. */
export const unitCost: CallCost = { actual: () => 1, estimate: () => ({ cost: exactly(1) }) };

export const traversal = (size: number, factor = 1): number => Math.ceil(size * factor * perCharacter);
