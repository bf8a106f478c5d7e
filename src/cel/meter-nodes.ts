import type { ASTNode } from '@marcbachmann/cel-js';
import { childrenOf, visitNodes } from './expression-tree.ts';
import { spend, weightOf } from './work.ts';

type Evaluate = (evaluator: unknown, node: ASTNode, context: unknown) => unknown;
type EvaluatedNode = ASTNode & { evaluate: Evaluate };

/** Operators that read their operands completely. */
const fullReadOperators = new Set(['+', '==', '!=', 'in', '<', '<=', '>', '>=', 'call', 'rcall']);

/**
 * Charges the evaluation of every node of a checked expression: one unit each time, plus the size of its value when the
 * parent node reads all of it. This bounds comprehensions and growing strings.
 */
export function meterNodes(root: ASTNode): void {
  const read = new Set<ASTNode>();
  visitNodes(root, (node) => {
    if (fullReadOperators.has(node.op)) for (const child of childrenOf(node)) read.add(child);
  });
  visitNodes(root, (node) => meter(node as EvaluatedNode, read.has(node)));
}

/** Reading a field of a time in a time zone formats the time, which is expensive. */
function costOf(node: ASTNode): number {
  return node.op === 'rcall' && node.args[2].length === 1 && /^get[A-Z]/.test(node.args[0]) ? 500 : 1;
}

function meter(node: EvaluatedNode, isRead: boolean): void {
  const price = costOf(node);
  let inner = node.evaluate;
  let isSettled = false;
  const metered: Evaluate = function (this: EvaluatedNode, evaluator, self, context) {
    spend(price);
    let value: unknown;
    if (isSettled) {
      value = inner.call(this, evaluator, self, context);
    } else {
      try {
        value = inner.call(this, evaluator, self, context);
      } finally {
        // On its first evaluation a node replaces this function by a specialized one.
        if (node.evaluate !== metered) inner = node.evaluate;
        node.evaluate = metered;
        isSettled = true;
      }
    }
    if (isRead) spend(weightOf(value));
    return value;
  };
  node.evaluate = metered;
}
