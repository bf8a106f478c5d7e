import { type FieldError, internalFieldError, invalidValue } from '../../meta/field-error.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import type { ErrorLimit } from '../structural/error-limit.ts';
import type { JsonSchema, ValidationRule } from '../structural/json-schema.ts';
import { type CompiledRule, compileRule } from './compile-rules.ts';
import type { RuleCosts } from './rule-costs.ts';
import { maxOccurrences, schemaType } from './schema-type.ts';

/** A schema with rules inside the schema of a definition. */
export interface SchemaWithRules {
  readonly schema: JsonSchema;
  readonly path: string;
  readonly isRoot: boolean;
  /** The maximum number of values of this schema in an object. Undefined when an enclosing list or map has no limit. */
  readonly cardinality: number | undefined;
  /** The outermost enclosing list whose items cannot be assigned to old items. */
  readonly uncorrelatable: string | undefined;
}

export interface ExpressionOptions {
  /** Rules are not checked beyond this limit. */
  readonly limit: ErrorLimit;
  readonly costs: RuleCosts;
  /** Whether an expression may cost more than allowed, because the definition had it before. */
  readonly toleratesCosts: boolean;
  /** Formats a rule for errors. */
  readonly shown: (rule: ValidationRule) => unknown;
}

/** Type-checks the rules of a schema and estimates their costs. */
export function* validateExpressions(node: SchemaWithRules, options: ExpressionOptions): Steps<FieldError[]> {
  const { schema, isRoot } = node;
  const path = `${node.path}.x-kubernetes-validations`;
  const type = schemaType(schema, { isRoot });
  if (type === undefined) {
    const detail = 'failed to construct type information for x-kubernetes-validations rules';
    const cause = 'unable to convert structural schema to CEL declarations';
    return [internalFieldError(path, `internal error: ${detail}: ${cause}`)];
  }
  const cardinality = node.cardinality ?? maxOccurrences(type.minSize);
  const errors: FieldError[] = [];
  for (const [index, source] of (schema['x-kubernetes-validations'] ?? []).entries()) {
    if (options.limit.isReached) break;
    const rule = compileRule(source, schema, type.type);
    if (isTurnOver()) yield;
    const found = ruleErrors(rule, { node, path: `${path}[${index}]`, cardinality, options });
    for (const error of found) options.limit.count(error);
    errors.push(...found);
    if (isTurnOver()) yield;
  }
  return errors;
}

interface RuleAt {
  readonly node: SchemaWithRules;
  readonly path: string;
  readonly cardinality: number;
  readonly options: ExpressionOptions;
}

function ruleErrors(rule: CompiledRule, at: RuleAt): FieldError[] {
  const { path, node, options } = at;
  const { source, problem, messageProblem } = rule;
  const errors = costErrors(rule, at);
  if (problem !== undefined) errors.push(invalidValue(`${path}.rule`, options.shown(source), problem));
  if (messageProblem !== undefined) {
    errors.push(invalidValue(`${path}.messageExpression`, options.shown(source), messageProblem));
  } else if (rule.message !== undefined) errors.push(...messageCostErrors(rule, at));
  if (rule.isTransition) {
    if (node.uncorrelatable !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${node.uncorrelatable}`;
      errors.push(invalidValue(`${path}.rule`, source.rule ?? '', detail));
    }
  } else if (source.optionalOldSelf !== undefined) {
    const detail = 'may not be set if oldSelf is not used in rule';
    errors.push(invalidValue(`${path}.optionalOldSelf`, source.optionalOldSelf, detail));
  }
  return errors;
}

function costErrors({ program }: CompiledRule, { path, cardinality, options }: RuleAt): FieldError[] {
  if (program === undefined) return [];
  const errors = options.costs.add('rule', `${path}.rule`, program.estimatedCost.max * cardinality);
  return options.toleratesCosts ? [] : errors;
}

/** Kubernetes does not multiply the cost of messages. */
function messageCostErrors({ message }: CompiledRule, { path, options }: RuleAt): FieldError[] {
  const errors = options.costs.add('messageExpression', `${path}.messageExpression`, message!.estimatedCost.max);
  return options.toleratesCosts ? [] : errors;
}
