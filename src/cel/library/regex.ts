import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { visitNodes } from '../expression-tree.ts';
import { LinearRegex } from '../linear-regex.ts';
import { defineFunctions } from './define-functions.ts';
import { privatePrefix as own } from './replaced-functions.ts';

const patternFunctions = new Set([`${own}matches`, 'find', 'findAll']);

/** `matches`, `find` and `findAll`. */
export function registerRegex(environment: Environment): void {
  const matches = (text: string, pattern: string): boolean => LinearRegex.of(pattern).test(text);
  defineFunctions(environment, {
    [`string.${own}matches(string): bool`]: matches,
    'matches(string, string): bool': matches,
    'string.find(string): string': (text: string, pattern: string) => LinearRegex.of(pattern).findAll(text, 1)[0] ?? '',
    'string.findAll(string): list<string>': (text: string, pattern: string) => LinearRegex.of(pattern).findAll(text),
    'string.findAll(string, int): list<string>': (text: string, pattern: string, limit: bigint) =>
      LinearRegex.of(pattern).findAll(text, limit < 0n ? undefined : Number(limit)),
  });
}

/** Checks literal patterns at compile time. Throws a `CelError`. */
export function checkPatterns(root: ASTNode): void {
  visitNodes(root, (node) => {
    if (node.op !== 'rcall' || !patternFunctions.has(node.args[0])) return;
    const [pattern] = node.args[2];
    if (pattern?.op === 'value' && typeof pattern.args === 'string') LinearRegex.of(pattern.args);
  });
}
