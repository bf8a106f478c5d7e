import { joinedErrors } from '../../meta/joined-errors.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { untilReady } from '../../meta/pending.ts';
import { booleanResult, type CompiledExpression, compileAdmissionExpression } from './compiled-expression.ts';
import { environment } from './environment.ts';
import { conditionBudget, Evaluation, OutOfBudget } from './evaluation.ts';
import type { ExpressionInput } from './expression-input.ts';

/** A match condition of a webhook or a policy. */
export interface MatchCondition {
  readonly name?: string;
  readonly expression?: string;
}

interface CompiledCondition {
  readonly name: string;
  readonly expression: CompiledExpression;
}

export type CompiledConditions = readonly CompiledCondition[];

/** Whether a request matches. An error counts as the failure policy says. */
export type ConditionsResult =
  | { readonly matches: true; readonly error?: undefined }
  | { readonly matches: false; readonly by: string; readonly error?: undefined }
  | { readonly error: string };

/** Compiles match conditions. Those of policies with parameters may use `params`. */
export function compileConditions(
  conditions: readonly MatchCondition[] | undefined,
  { hasParams = false }: { readonly hasParams?: boolean } = {},
): CompiledConditions {
  return (conditions ?? []).map(({ name = '', expression = '' }) => ({
    name,
    expression: compileCondition(expression, { hasParams }),
  }));
}

export function compileCondition(text: string, { hasParams }: { readonly hasParams: boolean }): CompiledExpression {
  const variables = environment({ hasParams, hasAuthorizer: true });
  return compileAdmissionExpression(text.trim(), { environment: variables, resultTypes: booleanResult });
}

/** A condition that is false decides, even if others fail. Synchronous unless the authorizer takes time. */
export function evaluateConditions(
  conditions: CompiledConditions,
  input: ExpressionInput,
): MaybePromise<ConditionsResult> {
  if (conditions.length === 0) return { matches: true };
  return untilReady(() => evaluateAll(conditions, input));
}

function evaluateAll(conditions: CompiledConditions, input: ExpressionInput): ConditionsResult {
  const evaluation = new Evaluation(input, { budget: conditionBudget });
  const errors: string[] = [];
  try {
    for (const { name, expression } of conditions) {
      const { value, error } = evaluation.evaluate(expression);
      if (error !== undefined) errors.push(error);
      else if (value === false) return { matches: false, by: name };
    }
  } catch (error) {
    if (error instanceof OutOfBudget) return { error: error.message };
    throw error;
  }
  return errors.length > 0 ? { error: joinedErrors(errors) } : { matches: true };
}
