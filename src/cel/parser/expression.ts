import type { CelType } from '../checker/cel-type.ts';
import type { Overload } from '../checker/declarations.ts';

/** A node of the syntax tree. Macros are already expanded. The checker fills in `type` and `overloads`. */
export type Expression =
  | LiteralExpression
  | IdentExpression
  | SelectExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | StructExpression
  | ComprehensionExpression;

interface Node {
  /** The offset of the token that represents the node in messages. */
  readonly position: number;
  /** The depth of the tree, if it was counted. */
  depth?: number;
  type?: CelType;
}

export interface LiteralExpression extends Node {
  readonly kind: 'literal';
  readonly value: unknown;
}

export interface IdentExpression extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

export interface SelectExpression extends Node {
  readonly kind: 'select';
  readonly operand: Expression;
  readonly field: string;
  /** `has(operand.field)`. */
  readonly test: boolean;
  /** Set by the checker when the whole chain is the name of a type or variable. */
  qualifiedName?: string;
}

export interface CallExpression extends Node {
  readonly kind: 'call';
  readonly name: string;
  target: Expression | undefined;
  readonly args: readonly Expression[];
  overloads?: readonly Overload[];
  /** Set by the checker for functions in a namespace, such as `sets.contains`. */
  qualifiedName?: string;
}

export interface ListExpression extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
  /** The indices of elements written as `?element`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry {
  readonly position: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface MapExpression extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface StructExpression extends Node {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly StructField[];
}

export interface StructField {
  readonly position: number;
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/** A loop: `step` is evaluated for each entry of `range` while `condition` holds, then `result`. */
export interface ComprehensionExpression extends Node {
  readonly kind: 'comprehension';
  readonly range: Expression;
  readonly variable: string;
  readonly variable2?: string;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** The name of the hidden variable that collects the result of a macro. */
export const accumulatorName = '@result';

/** Whether it is the expansion of `cel.bind`: a loop that never runs and whose accumulator is the variable. */
export function isBinding({ accumulator, condition }: ComprehensionExpression): boolean {
  return accumulator !== accumulatorName && condition.kind === 'literal' && condition.value === false;
}

/** Returns the dotted name that a chain of selections forms. */
export function qualifiedName(node: Expression): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.test) return undefined;
  const prefix = qualifiedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}

/**
 * Visits an expression and all below it, from the inside out. Macros may use an expression several times: it is visited
 * once.
 */
export function visitExpressions(root: Expression, visit: (node: Expression) => void): void {
  const visited = new Set<Expression>();
  const descend = (node: Expression): void => {
    if (visited.has(node)) return;
    visited.add(node);
    for (const child of childrenOf(node)) descend(child);
    visit(node);
  };
  descend(root);
}

function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return node.fields.map(({ value }) => value);
    case 'comprehension':
      return [node.range, node.init, node.condition, node.step, node.result];
    default:
      return [];
  }
}
