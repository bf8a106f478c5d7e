import { type AsyncSteps, ready } from '../../meta/maybe-async.ts';
import { Pending } from '../../meta/pending.ts';
import type { Turn } from '../../meta/turns.ts';
import {
  type CompiledExpression,
  type ConditionsResult,
  Evaluation,
  type ExpressionInput,
  evaluateConditions,
  type Outcome,
  OutOfBudget,
  policyBudget,
} from '../expressions/index.ts';
import type { CompiledValidation, ValidatingPolicy } from './validating-policy.ts';

/** Why a policy denies a request. */
export interface Denial {
  /** The index of the validation. */
  readonly index: number;
  readonly message: string;
  readonly reason: string;
  /** Whether the request is denied regardless of the actions of the binding. */
  readonly isFinal?: boolean;
  /** Whether the policy could not be evaluated. */
  readonly isError?: boolean;
}

export interface PolicyResult {
  readonly denials: readonly Denial[];
  /** Audit annotations by key. */
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
}

const nothing: PolicyResult = { denials: [], annotations: [] };
const maxMessageBytes = 5 * 1024;
const maxAnnotation = 10 * 1024;

export interface EvaluationOptions {
  readonly turn: Turn;
  /** Called with the duration of the evaluation of the match conditions. */
  readonly onConditions: (result: ConditionsResult, ms: number) => void;
}

/** Evaluates a policy for one request and one parameter. Waits for the authorizer and for the next turn. */
export function* evaluateValidatingPolicy(
  policy: ValidatingPolicy,
  input: ExpressionInput,
  { turn, onConditions }: EvaluationOptions,
): AsyncSteps<PolicyResult> {
  const { conditions, composition, validations, annotations } = policy.compiled;
  if (conditions.length > 0) {
    // In conditions, the namespace is not known.
    const startedAt = performance.now();
    const result = yield* ready(evaluateConditions(conditions, { ...input, namespaceObject: undefined }));
    onConditions(result, performance.now() - startedAt);
    if (result.error !== undefined) return failure(policy, result.error);
    if (!result.matches) return nothing;
  }
  const evaluation = new Evaluation(input, { budget: policyBudget, composition });
  const denials: Denial[] = [];
  try {
    for (let index = 0; index < validations.length; index++) {
      if (turn.isOver) yield turn.next();
      const { expression, reason } = validations[index]!;
      const first = evaluation.attempt(expression);
      const outcome = first instanceof Pending ? yield* waitFor(first, expression, evaluation) : first;
      if (outcome.value === true) continue;
      if (outcome.error === undefined) denials.push({ index, message: '', reason });
      else if (policy.spec.failurePolicy !== 'Ignore') denials.push(errorDenial(index, outcome.error));
    }
    if (denials.length > 0) yield* addMessages(denials, { validations, evaluation, turn });
    return annotations.length === 0
      ? { denials, annotations: [] }
      : yield* withAnnotations(denials, { policy, evaluation, turn });
  } catch (error) {
    if (error instanceof OutOfBudget) return failure(policy, error.message);
    throw error;
  }
}

/** The result when a policy cannot be evaluated. */
function failure({ spec }: ValidatingPolicy, message: string): PolicyResult {
  return spec.failurePolicy === 'Ignore' ? nothing : { denials: [errorDenial(0, message)], annotations: [] };
}

const errorDenial = (index: number, message: string): Denial => ({ index, message, reason: 'Invalid', isError: true });

interface EvaluationState {
  readonly evaluation: Evaluation;
  readonly turn: Turn;
}

function* outcomeOf(expression: CompiledExpression, { evaluation, turn }: EvaluationState): AsyncSteps<Outcome> {
  if (turn.isOver) yield turn.next();
  const first = evaluation.attempt(expression);
  return first instanceof Pending ? yield* waitFor(first, expression, evaluation) : first;
}

/**
 * Continues an expression in another turn, or when the authorizer has answered. It can call the authorizer at most
 * twice.
 */
function* waitFor(first: Pending, expression: CompiledExpression, evaluation: Evaluation): AsyncSteps<Outcome> {
  let outcome: Outcome | Pending = first;
  while (outcome instanceof Pending) {
    yield outcome.done;
    outcome = evaluation.attempt(expression);
  }
  return outcome;
}

/** Evaluates the messages after all validations, so that the validations have the whole budget. */
function* addMessages(
  denials: Denial[],
  { validations, ...state }: EvaluationState & { readonly validations: readonly CompiledValidation[] },
): AsyncSteps<void> {
  for (let position = 0; position < denials.length; position++) {
    const denial = denials[position]!;
    if (denial.message !== '') continue;
    denials[position] = { ...denial, message: yield* messageOf(validations[denial.index]!, state) };
  }
}

function* messageOf({ message, messageExpression }: CompiledValidation, state: EvaluationState): AsyncSteps<string> {
  if (messageExpression === undefined) return message;
  try {
    const { value } = yield* outcomeOf(messageExpression, state);
    // A message that cannot be evaluated, or not be shown in one line, must not hide the denial.
    if (typeof value !== 'string' || value.trim().includes('\n')) return message;
    const text = value.trim();
    return text === '' || Buffer.byteLength(text) > maxMessageBytes ? message : text;
  } catch (error) {
    if (error instanceof OutOfBudget) return `failed messageExpression: ${error.message}`;
    throw error;
  }
}

/** Audit annotations have a separate budget. */
function* withAnnotations(
  denials: readonly Denial[],
  { policy, ...state }: EvaluationState & { readonly policy: ValidatingPolicy },
): AsyncSteps<PolicyResult> {
  state.evaluation.renew(policyBudget);
  const annotations: { key: string; value: string }[] = [];
  const errors: Denial[] = [];
  for (const [index, { key, expression }] of policy.compiled.annotations.entries()) {
    const { value, error } = yield* outcomeOf(expression, state);
    const text = typeof value === 'string' ? value.trim() : '';
    if (text !== '') annotations.push({ key, value: shortened(text) });
    if (error !== undefined && policy.spec.failurePolicy !== 'Ignore') {
      errors.push({ ...errorDenial(index, error), isFinal: true });
    }
  }
  return { denials: [...denials, ...errors], annotations };
}

/** Cuts a text to a number of bytes, between characters. */
function shortened(text: string): string {
  if (Buffer.byteLength(text) <= maxAnnotation) return text;
  return new TextDecoder('utf-8').decode(Buffer.from(text).subarray(0, maxAnnotation)).replace(/\ufffd+$/, '');
}
