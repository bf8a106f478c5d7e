import type { CompiledExpression } from '../../admission/expressions/index.ts';
import { type FieldError, invalidValue } from '../../meta/field-error.ts';

/** The error of an expression that does not compile. `shown` is the value in the message. */
export function expressionError({ text, problem }: CompiledExpression, path: string, shown = text): FieldError[] {
  return problem === undefined ? [] : [invalidValue(path, shown, problem)];
}
