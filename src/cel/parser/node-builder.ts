import type { CallExpression, Expression } from './expression.ts';
import { expandMacro, type MacroOptions } from './macros.ts';
import type { SourceProblems } from './source-problems.ts';

export const maxDepth = 250;

export class DepthExceeded extends Error {}

/** Makes the nodes of one syntax tree, expands macros and limits the depth of the tree. */
export class NodeBuilder {
  readonly #problems: SourceProblems;
  readonly #options: MacroOptions;

  constructor(problems: SourceProblems, options: MacroOptions) {
    this.#problems = problems;
    this.#options = options;
  }

  call(name: string, position: number, { target, args }: Pick<CallExpression, 'target' | 'args'>): Expression {
    const call = { kind: 'call', position, name, target, args } as const;
    const report = (at: number, problem: string): void => this.#problems.add(at, problem);
    return this.node(expandMacro(call, report, this.#options) ?? { ...call });
  }

  operator(name: string, position: number, args: readonly Expression[]): Expression {
    return this.node({ kind: 'call', position, name, target: undefined, args });
  }

  /** A placeholder for input that could not be parsed. */
  nothing(position: number): Expression {
    return { kind: 'literal', position, value: null };
  }

  node(node: Expression): Expression {
    let depth = 0;
    const below = (child: Expression) => {
      depth = Math.max(depth, child.depth ?? 0);
    };
    if (node.kind === 'select') below(node.operand);
    else if (node.kind === 'call') {
      if (node.target !== undefined) below(node.target);
      for (const arg of node.args) below(arg);
    } else if (node.kind === 'list') for (const element of node.elements) below(element);
    else if (node.kind === 'comprehension') {
      below(node.range);
      below(node.step);
      below(node.result);
    }
    if (depth >= maxDepth) throw new DepthExceeded('max recursion depth exceeded');
    node.depth = depth + 1;
    return node;
  }
}
