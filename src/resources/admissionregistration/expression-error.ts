import type { CompiledExpression } from '../../admission/expressions/index.ts';
import { type FieldError, internalFieldError, invalidValue } from '../../meta/field-error.ts';

/** The error of an expression that does not compile. `shown` is the value in the message. */
export function expressionError(expression: CompiledExpression, path: string, shown = expression.text): FieldError[] {
  const { problem, isTyped } = expression;
  if (problem === undefined) return [];
  return [isTyped ? internalFieldError(path, problem) : invalidValue(path, shown, problem)];
}
