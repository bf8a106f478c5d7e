import { type Expression, visitExpressions } from '../parser/expression.ts';
import { SourceProblems } from '../parser/source-problems.ts';
import { withWorkLimit } from '../work.ts';
import { EntryTypes } from './entry-types.ts';
import { validateArgument } from './validate-argument.ts';
import { validateFormatCall } from './validate-format-call.ts';

/** Compiling very many patterns would take long. */
const maxWork = 1_000_000;
/** Text without which there is nothing to validate. */
const validated = /[[{]|\b(?:duration|format|matches|timestamp)\b/;

/** Reports what is spelled out, fits its type, and is wrong all the same. Throws a `CelError` with all problems. */
export function validateExpression(root: Expression, source: string): void {
  if (!validated.test(source)) return;
  const problems = new SourceProblems(source);
  const entryTypes = new EntryTypes(problems);
  withWorkLimit(maxWork, () =>
    visitExpressions(root, (node) => {
      if (node.kind === 'list' || node.kind === 'map') entryTypes.add(node);
      else if (node.kind === 'call') {
        validateArgument(node, problems);
        if (node.name !== 'format') return;
        entryTypes.exempt(node);
        validateFormatCall(node, problems);
      }
    }),
  );
  entryTypes.validate();
  problems.throwAny();
}
