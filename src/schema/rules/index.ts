/**
 * The validation rules of custom resources (`x-kubernetes-validations`): CEL expressions over the values of a schema.
 * `validateExpressions` checks them when a definition is written, `evaluateRules` when an object is.
 */
export { ExpressionMetrics } from '../../cel/index.ts';
export { type EvaluateOptions, evaluateRules, hasRules, type RuleFindings } from './evaluate-rules.ts';
export { objectType } from './object-type.ts';
export { RuleBudget } from './rule-budget.ts';
export { RuleCosts } from './rule-costs.ts';
export { type SchemaWithRules, validateExpressions } from './validate-expressions.ts';
