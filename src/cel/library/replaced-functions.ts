import type { ASTNode } from '@marcbachmann/cel-js';
import { visitNodes } from '../expression-tree.ts';

/** No expression of a user can hold such a name, as it would be refused as undeclared. */
export const privatePrefix = 'cel_own_';

/**
 * Functions that the library has, but not as Kubernetes has them: characters counted in UTF-16 units, letters beyond
 * ASCII changed by `lowerAscii`, patterns and searches that may take forever. A declared function cannot be declared anew, so calls
 * are led to another name.
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

/** Leads the calls in a parsed expression that is not checked yet to the functions of this folder. */
export function replaceFunctions(root: ASTNode): void {
  visitNodes(root, (node) => {
    if (node.op !== 'call' && node.op !== 'rcall') return;
    const name = node.args[0];
    const replaced = node.op === 'call' ? replacedCalls : replacedMethods;
    if (replaced.has(name)) node.args[0] = `${privatePrefix}${name}`;
    else if (name.startsWith(privatePrefix)) node.args[0] = `${privatePrefix}${privatePrefix}${name}`;
  });
}
