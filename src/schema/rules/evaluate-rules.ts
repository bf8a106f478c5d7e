import type { CelError, ExpressionMetrics } from '../../cel/index.ts';
import { type FieldError, fieldErrorText, invalidValue } from '../../meta/field-error.ts';
import { isTurnOver, type Steps } from '../../meta/turns.ts';
import { isObject } from '../normalize/type-mismatch.ts';
import { oldItems } from '../structural/correlation.ts';
import { ErrorLimit } from '../structural/error-limit.ts';
import type { JsonSchema, ValidationRule } from '../structural/json-schema.ts';
import { uncorrelated } from '../structural/validation-run.ts';
import type { CompiledRule } from './compile-rules.ts';
import { Ratchet } from './ratchet.ts';
import { RuleBudget } from './rule-budget.ts';
import { messageOf, ruleFailure, ruleText } from './rule-failure.ts';
import { type NodeRules, type RuleNode, ruleNode } from './rule-node.ts';

export interface EvaluateOptions {
  /** The value before an update; absent for a new one. */
  readonly oldValue?: unknown;
  /** The path of the value. Empty for a whole object. */
  readonly path?: string;
  /** Whether the schema is that of a whole object. */
  readonly isRoot: boolean;
  /** Whether failing rules of unchanged values are tolerated. */
  readonly ratchets?: boolean;
  readonly budget?: RuleBudget;
  readonly metrics?: ExpressionMetrics | undefined;
}

export interface RuleFindings {
  readonly errors: readonly FieldError[];
  /** The errors that are tolerated, because the update does not change the value. */
  readonly warnings: readonly string[];
}

const nothing: RuleFindings = { errors: [], warnings: [] };

export function hasRules(schema: JsonSchema, options: { isRoot: boolean }): boolean {
  return ruleNode(schema, options) !== undefined;
}

/**
 * Evaluates the rules of a value that is valid by its schema: those of the value first, then those of its contents. Can
 * be interrupted after each rule and inside the loops of rules: one rule may take a second, and all of them ten
 * seconds.
 */
export function* evaluateRules(schema: JsonSchema, value: unknown, options: EvaluateOptions): Steps<RuleFindings> {
  const node = ruleNode(schema, options);
  if (node === undefined) return nothing;
  const { oldValue = null, path = '', ratchets = false, budget = new RuleBudget(), metrics } = options;
  const run = new RuleRun({ base: path, budget, metrics });
  const ratchet = ratchets ? new Ratchet(value, { old: oldValue, schema }) : undefined;
  const startedAt = performance.now();
  yield* run.visit(node, value, { old: oldValue, ratchet });
  metrics?.evaluated(performance.now() - startedAt - run.compiledMs);
  return run;
}

interface Before {
  /** The value before the update. Null when there is none. */
  readonly old: unknown;
  /** Undefined when no failing rule is tolerated. */
  readonly ratchet: Ratchet | undefined;
}

interface RuleRunOptions {
  readonly base: string;
  readonly budget: RuleBudget;
  readonly metrics: ExpressionMetrics | undefined;
}

class RuleRun implements RuleFindings {
  /** The time spent on compiling rules that are evaluated for the first time. */
  compiledMs = 0;
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  readonly #base: string;
  readonly #budget: RuleBudget;
  readonly #metrics: ExpressionMetrics | undefined;
  /** The path from the base to the current value: `.name` or `[key]`. */
  readonly #segments: string[] = [];
  readonly #limit = new ErrorLimit();

  constructor({ base, budget, metrics }: RuleRunOptions) {
    this.#base = base;
    this.#budget = budget;
    this.#metrics = metrics;
  }

  /** Stops when the budget is spent. */
  *visit(node: RuleNode, value: unknown, before: Before): Steps<void> {
    if (value === null || value === undefined) return;
    const { rules, readsOld } = node.rules ?? (yield* this.#compile(node));
    if (rules.length > 0) {
      if (this.#budget.isEmpty) this.#stop(node, outOfBudget);
      const { old } = before;
      const values = readsOld && old !== null ? { self: value, oldSelf: old } : { self: value };
      for (const rule of rules) {
        if (this.#budget.isSpent) break;
        yield* this.#evaluate(rule, { node, values, before });
        if (isTurnOver()) yield;
      }
    }
    if (Array.isArray(value)) yield* this.#visitItems(node, value, before);
    else if (isObject(value)) yield* this.#visitFields(node, value, before);
  }

  *#compile(node: RuleNode): Steps<NodeRules> {
    const startedAt = performance.now();
    const compiled = yield* node.compile();
    const ms = performance.now() - startedAt;
    this.compiledMs += ms;
    if (compiled.rules.length > 0) this.#metrics?.compiled(ms);
    return compiled;
  }

  *#visitItems({ items, schema }: RuleNode, value: readonly unknown[], { old, ratchet }: Before): Steps<void> {
    if (items === undefined) return;
    const find = old === null ? undefined : oldItems(schema, old);
    for (let index = 0; index < value.length && !this.#budget.isSpent; index++) {
      const item = value[index];
      const found = find?.(item) ?? uncorrelated;
      this.#segments.push(`[${index}]`);
      const itemBefore = { old: found === uncorrelated ? null : found, ratchet: ratchet?.item(item, found) };
      yield* this.visit(items, item, itemBefore);
      this.#segments.pop();
    }
  }

  *#visitFields(node: RuleNode, value: Readonly<Record<string, unknown>>, { old, ratchet }: Before): Steps<void> {
    const { values, properties } = node;
    if (values === undefined && properties === undefined) return;
    for (const name of Object.keys(value)) {
      const inner = properties?.get(name) ?? values;
      if (inner === undefined) continue;
      if (this.#budget.isSpent) return;
      const found = isObject(old) && Object.hasOwn(old, name) ? (old[name] ?? null) : null;
      this.#segments.push(inner === values ? `[${name}]` : `.${name}`);
      yield* this.visit(inner, value[name], { old: found, ratchet: ratchet?.field(name) });
      this.#segments.pop();
    }
  }

  *#evaluate(rule: CompiledRule, at: Evaluated): Steps<void> {
    const { node, values, before } = at;
    if (rule.problem !== undefined) {
      this.#invalid(node, `rule compile error: ${rule.problem}`);
      return;
    }
    if (rule.program === undefined) return;
    const { old } = before;
    const isOptional = rule.source.optionalOldSelf === true;
    if (rule.isTransition && old === null && !isOptional) return;
    const evaluated = isOptional ? { self: values.self, oldSelf: old } : values;
    if (yield* this.#fails(rule, evaluated, node)) yield* this.#reportFailure(rule, at);
  }

  *#fails({ program, source }: CompiledRule, values: Values, node: RuleNode): Steps<boolean> {
    const outcome = yield* this.#budget.evaluate(program!, values);
    if (outcome === undefined) {
      this.#stop(node, outOfBudget);
      return false;
    }
    if (outcome.problem === undefined) return outcome.value !== true;
    this.#reportProblem(outcome.problem, source, node);
    return false;
  }

  #reportProblem({ code, message }: CelError, source: ValidationRule, node: RuleNode): void {
    const text = ruleText(source);
    if (code === 'cost-limit') {
      const detail = 'no further validation rules will be run due to call cost exceeds limit for rule';
      this.#stop(node, `'${message}': ${detail}: ${text}`);
    } else if (message.startsWith('no such overload')) {
      const detail = 'call arguments did not match a supported operator, function or macro signature for rule';
      this.#invalid(node, `'${message}': ${detail}: ${text}`);
    } else this.#invalid(node, `${message} evaluating rule: ${text}`);
  }

  *#reportFailure(rule: CompiledRule, { node, values, before }: Evaluated): Steps<void> {
    const { type } = node.schema;
    const path = joined(this.#path, rule.fieldPath);
    const field = path === '' ? '<nil>' : path;
    const { text, problem } = yield* messageOf(rule, values, this.#budget);
    if (problem !== undefined) this.#budget.exhaust();
    const error =
      problem === undefined
        ? ruleFailure(rule.source, text, { field, value: values.self, type })
        : invalidValue(field, type ?? '', problem);
    if (!rule.isTransition && before.ratchet?.isUnchanged === true) this.warnings.push(fieldErrorText(error));
    else this.errors.push(error);
    this.#count(error);
  }

  #invalid({ schema }: RuleNode, detail: string): void {
    const error = invalidValue(this.#path || '<nil>', schema.type ?? '', detail);
    this.errors.push(error);
    this.#count(error);
  }

  #count(error: FieldError): void {
    this.#limit.count(error);
    if (this.#limit.isReached) this.#budget.exhaust();
  }

  #stop(node: RuleNode, detail: string): void {
    this.#invalid(node, detail);
    this.#budget.exhaust();
  }

  get #path(): string {
    const inner = this.#segments.join('');
    return this.#base === '' && inner.startsWith('.') ? inner.slice(1) : this.#base + inner;
  }
}

type Values = Readonly<Record<string, unknown>>;

interface Evaluated {
  readonly node: RuleNode;
  readonly values: Values;
  readonly before: Before;
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';
const joined = (path: string, field: string): string =>
  path === '' || field === '' ? path + field : `${path}.${field}`;
