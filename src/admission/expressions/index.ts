/**
 * The expressions of admission configurations: which variables they have, how they are compiled and evaluated, what
 * they may cost. What follows from their results is decided by webhooks and policies.
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
