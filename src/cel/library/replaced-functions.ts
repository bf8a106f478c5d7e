import type { ASTNode } from '@marcbachmann/cel-js';
import { visitNodes } from '../expression-tree.ts';

/** Users cannot use names with this prefix, because they are undeclared to them. */
export const privatePrefix = 'cel_own_';

/**
 * Methods that the CEL package implements differently from Kubernetes: it counts UTF-16 code units, `lowerAscii`
 * changes non-ASCII letters, and regular expressions and searches may take exponential time. A declared function cannot
 * be redeclared, so calls are redirected to another name.
 */
const replacedMethods = new Set([
  'charAt',
  'contains',
  'indexOf',
  'join',
  'lastIndexOf',
  'lowerAscii',
  'matches',
  'split',
  'substring',
  'trim',
  'upperAscii',
]);
const replacedCalls = new Set(['duration', 'int', 'uint']);

/** Redirects the calls in a parsed, unchecked expression to the functions of this folder. */
export function replaceFunctions(root: ASTNode): void {
  visitNodes(root, (node) => {
    if (node.op !== 'call' && node.op !== 'rcall') return;
    const name = node.args[0];
    const replaced = node.op === 'call' ? replacedCalls : replacedMethods;
    if (replaced.has(name)) node.args[0] = `${privatePrefix}${name}`;
    else if (name.startsWith(privatePrefix)) node.args[0] = `${privatePrefix}${privatePrefix}${name}`;
  });
}
