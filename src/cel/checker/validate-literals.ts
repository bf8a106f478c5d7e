import { isAbsorbable } from '../cel-error.ts';
import { durationOf, timestampOf } from '../evaluate/texts.ts';
import { LinearRegex } from '../linear-regex.ts';
import { type Expression, visitExpressions } from '../parser/expression.ts';
import { SourceProblems } from '../parser/source-problems.ts';
import { withWorkLimit } from '../work.ts';

const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  duration: durationOf,
  timestamp: (text) => timestampOf(text),
  matches: (pattern) => LinearRegex.of(pattern),
};

/** Compiling very many patterns would take long. */
const maxWork = 1_000_000;
const names = new RegExp(Object.keys(parsers).join('|'));

/** Reports durations, timestamps and patterns that are spelled out and wrong. Throws a `CelError`. */
export function validateLiterals(root: Expression, source: string): void {
  if (!names.test(source)) return;
  const problems = new SourceProblems(source);
  withWorkLimit(maxWork, () => visitExpressions(root, (node) => validate(node, problems)));
  problems.throwAny();
}

function validate(node: Expression, problems: SourceProblems): void {
  if (node.kind !== 'call' || node.args.length !== 1 || !Object.hasOwn(parsers, node.name)) return;
  const [argument] = node.args as readonly [Expression];
  if (argument.kind !== 'literal' || typeof argument.value !== 'string') return;
  try {
    parsers[node.name]!(argument.value);
  } catch (error) {
    if (!isAbsorbable(error)) throw error;
    problems.add(argument.position, `invalid ${node.name} argument`);
  }
}
