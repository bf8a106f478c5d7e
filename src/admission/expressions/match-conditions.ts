import { joinedErrors } from '../../meta/joined-errors.ts';
import type { MaybePromise } from '../../meta/maybe-promise.ts';
import { Pending } from '../../meta/pending.ts';
import { booleanResult, type CompiledExpression, compileAdmissionExpression } from './compiled-expression.ts';
import { environment } from './environment.ts';
import { conditionBudget, Evaluation, type Outcome, OutOfBudget } from './evaluation.ts';
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

/**
 * A condition that is false decides, even if others fail. Returns synchronously unless the evaluation or the authorizer
 * takes long.
 */
export function evaluateConditions(
  conditions: CompiledConditions,
  input: ExpressionInput,
): MaybePromise<ConditionsResult> {
  if (conditions.length === 0) return { matches: true };
  return new ConditionsRun(conditions, new Evaluation(input, { budget: conditionBudget })).result();
}

class ConditionsRun {
  readonly #conditions: CompiledConditions;
  readonly #evaluation: Evaluation;
  readonly #errors: string[] = [];

  constructor(conditions: CompiledConditions, evaluation: Evaluation) {
    this.#conditions = conditions;
    this.#evaluation = evaluation;
  }

  result(start = 0): MaybePromise<ConditionsResult> {
    try {
      for (let index = start; index < this.#conditions.length; index++) {
        const condition = this.#conditions[index]!;
        const outcome = this.#evaluation.attempt(condition.expression);
        if (outcome instanceof Pending) return this.#later(index, outcome);
        if (this.#isFalse(outcome)) return { matches: false, by: condition.name };
      }
    } catch (error) {
      return withoutBudget(error);
    }
    return this.#errors.length > 0 ? { error: joinedErrors(this.#errors) } : { matches: true };
  }

  async #later(index: number, attempted: Pending): Promise<ConditionsResult> {
    const { name, expression } = this.#conditions[index]!;
    try {
      const outcome = await this.#evaluation.finish(expression, attempted);
      if (this.#isFalse(outcome)) return { matches: false, by: name };
    } catch (error) {
      return withoutBudget(error);
    }
    return this.result(index + 1);
  }

  #isFalse({ value, error }: Outcome): boolean {
    if (error !== undefined) this.#errors.push(error);
    return value === false;
  }
}

function withoutBudget(error: unknown): ConditionsResult {
  if (error instanceof OutOfBudget) return { error: error.message };
  throw error;
}
