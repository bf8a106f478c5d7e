/**
 * The expressions of admission configurations: their variables, compilation, evaluation and cost limits. Webhooks and
 * policies act on the results.
 */
export {
  annotationResult,
  booleanResult,
  type CompiledExpression,
  compileAdmissionExpression,
  stringResult,
} from './compiled-expression.ts';
export { Composition } from './composition.ts';
export { Evaluation, type Outcome, OutOfBudget, policyBudget } from './evaluation.ts';
export { type ExpressionInput, ExpressionInputs } from './expression-input.ts';
export {
  type CompiledConditions,
  type ConditionsResult,
  compileCondition,
  compileConditions,
  evaluateConditions,
  type MatchCondition,
} from './match-conditions.ts';
export { compileMutation, type MutationPatchType } from './mutation-expression.ts';
