import type { ASTNode } from '@marcbachmann/cel-js';
import { CelError } from './cel-error.ts';

/** Deeper trees could exhaust the stack during type checking. */
const maxDepth = 1_000;

/**
 * Visits the nodes of an expression as written, parents first. Macro expansions are built from the same nodes. Throws
 * when the tree is too deep.
 */
export function visitNodes(root: ASTNode, visit: (node: ASTNode) => void): void {
  const open: { readonly node: ASTNode; readonly depth: number }[] = [{ node: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > maxDepth) throw new CelError(`expression is nested deeper than ${maxDepth} levels`);
    visit(node);
    for (const child of childrenOf(node)) open.push({ node: child, depth: depth + 1 });
  }
}

export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}
