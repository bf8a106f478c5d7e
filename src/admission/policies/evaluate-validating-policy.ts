import { type MaybePromise, mapMaybe } from '../../meta/maybe-promise.ts';
import { untilReady } from '../../meta/pending.ts';
import { inTurns, isTurnOver, type Steps } from '../../meta/turns.ts';
import {
  Evaluation,
  type ExpressionInput,
  evaluateConditions,
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
  /** Whether the actions of the binding do not matter. */
  readonly isFinal?: boolean;
}

export interface PolicyResult {
  readonly denials: readonly Denial[];
  /** Audit annotations by key. */
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
}

const nothing: PolicyResult = { denials: [], annotations: [] };
const maxMessageBytes = 5 * 1024;
const maxAnnotation = 10 * 1024;

/** Evaluates a policy for one request and one parameter. Synchronous unless it takes long or the authorizer does. */
export function evaluateValidatingPolicy(policy: ValidatingPolicy, input: ExpressionInput): MaybePromise<PolicyResult> {
  const { conditions } = policy.compiled;
  // In conditions, the namespace is not known.
  return mapMaybe(evaluateConditions(conditions, { ...input, namespaceObject: undefined }), (result) => {
    if (result.error !== undefined) return failure(policy, result.error);
    return result.matches ? untilReady(() => inTurns(evaluationSteps(policy, input))) : nothing;
  });
}

/** The result when a policy cannot be evaluated. */
function failure({ spec }: ValidatingPolicy, message: string): PolicyResult {
  return spec.failurePolicy === 'Ignore' ? nothing : { denials: [errorDenial(0, message)], annotations: [] };
}

const errorDenial = (index: number, message: string): Denial => ({ index, message, reason: 'Invalid' });

function* evaluationSteps(policy: ValidatingPolicy, input: ExpressionInput): Steps<PolicyResult> {
  const { composition } = policy.compiled;
  const evaluation = new Evaluation(input, { budget: policyBudget, composition });
  try {
    const denials = yield* validationSteps(policy, evaluation);
    if (policy.compiled.annotations.length === 0) return { denials, annotations: [] };
    evaluation.renew(policyBudget);
    return yield* annotationSteps(policy, evaluation, denials);
  } catch (error) {
    if (error instanceof OutOfBudget) return failure(policy, error.message);
    throw error;
  }
}

function* validationSteps(policy: ValidatingPolicy, evaluation: Evaluation): Steps<Denial[]> {
  const ignoresErrors = policy.spec.failurePolicy === 'Ignore';
  const { validations } = policy.compiled;
  const denials: Denial[] = [];
  for (const [index, validation] of validations.entries()) {
    if (isTurnOver()) yield;
    const { value, error } = evaluation.evaluate(validation.expression);
    if (value === true) continue;
    if (error === undefined) denials.push({ index, message: '', reason: validation.reason });
    else if (!ignoresErrors) denials.push(errorDenial(index, error));
  }
  // Messages come last: without them, all validations have the whole budget.
  for (const [position, denial] of denials.entries()) {
    if (isTurnOver()) yield;
    if (denial.message !== '') continue;
    denials[position] = { ...denial, message: messageOf(validations[denial.index]!, evaluation) };
  }
  return denials;
}

function messageOf({ message, messageExpression }: CompiledValidation, evaluation: Evaluation): string {
  if (messageExpression === undefined) return message;
  try {
    const { value } = evaluation.evaluate(messageExpression);
    // A message that cannot be evaluated, or not be shown in one line, must not hide the denial.
    if (typeof value !== 'string' || value.trim().includes('\n')) return message;
    const text = value.trim();
    return text === '' || Buffer.byteLength(text) > maxMessageBytes ? message : text;
  } catch (error) {
    if (error instanceof OutOfBudget) return `failed messageExpression: ${error.message}`;
    throw error;
  }
}

function* annotationSteps(
  policy: ValidatingPolicy,
  evaluation: Evaluation,
  denials: readonly Denial[],
): Steps<PolicyResult> {
  const annotations: { key: string; value: string }[] = [];
  const errors: Denial[] = [];
  for (const [index, { key, expression }] of policy.compiled.annotations.entries()) {
    if (isTurnOver()) yield;
    const { value, error } = evaluation.evaluate(expression);
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
