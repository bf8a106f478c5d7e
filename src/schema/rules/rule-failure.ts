import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  requiredValue,
} from '../../meta/field-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { Steps } from '../../meta/turns.ts';
import type { ValidationRule } from '../structural/json-schema.ts';
import type { CompiledRule } from './compile-rules.ts';
import type { RuleBudget } from './rule-budget.ts';

/** Longer messages of expressions are not used. */
const maxMessageBytes = 5 * 1024;
const noFurther = 'no further validation rules will be run';

/** Formats a rule for errors. */
export function ruleText({ rule = '', message = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

interface Message {
  readonly text: string;
  /** The reason why no further rules are evaluated. */
  readonly problem?: string;
}

/** The message for a failed rule: the result of its message expression, its message, or the rule itself. */
export function* messageOf(
  { message: program, source }: CompiledRule,
  values: Readonly<Record<string, unknown>>,
  budget: RuleBudget,
): Steps<Message> {
  const text = source.message ? ruleText(source) : `failed rule: ${ruleText(source)}`;
  if (program === undefined) return { text };
  const outcome = yield* budget.evaluate(program, values);
  if (outcome === undefined) {
    const problem = `messageExpression evaluation failed due to running out of cost budget, ${noFurther}`;
    return { text, problem };
  }
  if (outcome.problem?.code === 'cost-limit') {
    const shown = goQuote(source.messageExpression ?? '');
    return { text, problem: `${noFurther} due to call cost exceeds limit for messageExpression: ${shown}` };
  }
  const evaluated = typeof outcome.value === 'string' ? outcome.value.trim() : '';
  const isUsable = evaluated !== '' && !evaluated.includes('\n') && Buffer.byteLength(evaluated) <= maxMessageBytes;
  return { text: isUsable ? evaluated : text };
}

interface FailedValue {
  readonly field: string;
  readonly value: unknown;
  /** The type that the schema states. */
  readonly type: string | undefined;
}

/** The error for a rule that failed. Objects and lists are not shown. */
export function ruleFailure(
  { reason }: ValidationRule,
  detail: string,
  { field, value, type }: FailedValue,
): FieldError {
  const isShown = type !== 'object' && type !== 'array';
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(field, detail);
    case 'FieldValueRequired':
      return requiredValue(field, detail);
    case 'FieldValueDuplicate':
      return isShown ? duplicateValue(field, value) : { reason, field, message: 'Duplicate value' };
    default:
      if (isShown) return invalidValue(field, value, detail);
      return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${detail}` };
  }
}
