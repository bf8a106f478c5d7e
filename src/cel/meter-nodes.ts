import type { ASTNode } from '@marcbachmann/cel-js';
import { childrenOf, visitNodes } from './expression-tree.ts';
import { spend, weightOf } from './work.ts';

type Evaluate = (evaluator: unknown, node: ASTNode, context: unknown) => unknown;
type EvaluatedNode = ASTNode & { evaluate: Evaluate };

/** These read all of their operands, not just one part of them. */
const readers = new Set(['+', '==', '!=', 'in', '<', '<=', '>', '>=', 'call', 'rcall']);

/**
 * Makes every node of a checked expression pay for its evaluation: one unit each time, and the weight of its value where
 * the node above will read all of it. Thus no comprehension and no growing text goes on for long.
 */
export function meterNodes(root: ASTNode): void {
  const read = new Set<ASTNode>();
  visitNodes(root, (node) => {
    if (readers.has(node.op)) for (const child of childrenOf(node)) read.add(child);
  });
  visitNodes(root, (node) => meter(node as EvaluatedNode, read.has(node)));
}

/** The parts of a time in a time zone are found out by formatting it, which takes long. */
function priceOf(node: ASTNode): number {
  return node.op === 'rcall' && node.args[2].length === 1 && /^get[A-Z]/.test(node.args[0]) ? 500 : 1;
}

function meter(node: EvaluatedNode, isRead: boolean): void {
  const price = priceOf(node);
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
        // At its first evaluation a node replaces this function by the one that suits it.
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
