import { type EvaluationError, ParseError, TypeError as TypeCheckError } from '@marcbachmann/cel-js';
import { privatePrefix } from './library/replaced-functions.ts';

/** Formats a compilation error with its position, as Kubernetes does. */
export function compileErrorText(error: unknown, text: string): string {
  if (!(error instanceof ParseError || error instanceof TypeCheckError)) {
    return `compilation failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  const at = Math.min(error.range?.start ?? 0, text.length);
  const before = text.slice(0, at).split('\n');
  const column = before.at(-1)!.length;
  const line = text.split('\n')[before.length - 1]!;
  const summary = error instanceof ParseError ? `Syntax error: ${error.summary}` : checkSummary(error);
  return `compilation failed: ERROR: <input>:${before.length}:${column + 1}: ${summary}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

function checkSummary({ code, summary }: { readonly code: string; readonly summary: string }): string {
  const text = summary.replaceAll(privatePrefix, '');
  switch (code) {
    case 'unknown_variable':
      return `undeclared reference to '${text.replace('Unknown variable: ', '')}' (in container '')`;
    case 'no_such_key':
      return `undefined field '${text.replace('No such key: ', '')}'`;
    case 'no_such_overload': {
      const [, left = '', operator = '', right = ''] = /^no such overload: (.*) (\S+) (\S.*)$/.exec(text) ?? [];
      if (operator !== '') return `found no matching overload for '_${operator}_' applied to '(${left}, ${right})'`;
      return text;
    }
    default:
      return text;
  }
}

/** Formats an evaluation error. */
export function evaluationErrorText(error: EvaluationError): string {
  const text = error.summary.replaceAll(privatePrefix, '');
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
