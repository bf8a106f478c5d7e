import { isAbsorbable } from '../cel-error.ts';
import { checkedTimestamp, durationOf, timestampOf } from '../evaluate/texts.ts';
import { LinearRegex } from '../linear-regex.ts';
import type { CallExpression } from '../parser/expression.ts';
import type { SourceProblems } from '../parser/source-problems.ts';

const billion = 1_000_000_000n;
const parsers: Readonly<Record<string, (argument: never) => unknown>> = {
  duration: durationOf,
  timestamp: (argument: string | bigint) =>
    typeof argument === 'string' ? timestampOf(argument) : checkedTimestamp(argument * billion),
  matches: (pattern: string) => LinearRegex.of(pattern),
};

/**
 * Reports a duration, timestamp or pattern that is spelled out and wrong. Only the first argument counts, which is the
 * text in the global form of `matches`.
 */
export function validateArgument({ name, args }: CallExpression, problems: SourceProblems): void {
  const [argument] = args;
  if (argument?.kind !== 'literal' || !Object.hasOwn(parsers, name)) return;
  try {
    parsers[name]!(argument.value as never);
  } catch (error) {
    if (!isAbsorbable(error)) throw error;
    problems.add(argument.position, `invalid ${name} argument`);
  }
}
